// One Ctrl-C arrives twice: from the terminal, and from npm, which forwards it.
const SAME_SIGNAL_MS = 1_000;

/** Describes how a process ends. */
export type Shutdown = {
  /** Registers what to end later. What was registered last ends first. */
  add(end: () => Promise<void>): void;
  /** Tells whether the end has begun. */
  readonly begun: boolean;
  /** Ends everything registered, then the process. */
  exit(code: number): Promise<void>;
};

/**
 * Ends the process cleanly, with code 0, on Ctrl-C, on SIGTERM and when the terminal closes. A second signal ends it at
 * once, with code 130.
 */
export const handleShutdown = (): Shutdown => {
  const ends: (() => Promise<void>)[] = [];
  let begunAt: number | undefined;
  const exit = async (code: number) => {
    if (begunAt !== undefined) return;
    begunAt = Date.now();
    for (const end of ends.toReversed()) {
      await end().catch((error: unknown) => console.error("lanyap:", error));
    }
    process.exit(code);
  };
  const onSignal = () => {
    if (begunAt === undefined) console.log("Stopping …");
    else if (Date.now() - begunAt > SAME_SIGNAL_MS) process.exit(130);
    void exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  return {
    add: (end) => ends.push(end),
    get begun() {
      return begunAt !== undefined;
    },
    exit,
  };
};
