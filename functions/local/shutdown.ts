// A terminal's Ctrl-C reaches this process from the terminal and again from npm, which forwards it.
const SAME_SIGNAL_MS = 1_000;

export type Shutdown = {
  /** Notes what to end later; what was noted last is ended first. */
  add(end: () => Promise<void>): void;
  /** Whether the end has begun. */
  readonly begun: boolean;
  /** Ends everything, then the process. */
  exit(code: number): Promise<void>;
};

/** Ends the process cleanly, with code 0, on Ctrl-C, SIGTERM or a closed terminal; a second one ends it at once. */
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
