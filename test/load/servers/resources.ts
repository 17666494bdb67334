/** Stops all that a run has started, however the run ends. */
export class Resources {
  readonly #stops = new Set<() => Promise<void>>();

  /** Registers a function that stops something, and returns one that stops it now. */
  add(stop: () => Promise<void>): () => Promise<void> {
    this.#stops.add(stop);
    return async () => {
      if (this.#stops.delete(stop)) await stop();
    };
  }

  /** Stops everything, the last started first. A failure does not keep the rest running. */
  async stopAll(): Promise<void> {
    for (const stop of [...this.#stops].toReversed()) {
      this.#stops.delete(stop);
      await stop().catch((error: unknown) => console.error(`not stopped: ${String(error)}`));
    }
  }
}

/** Stops everything on Ctrl-C and when the terminal closes, in the order given, and then ends the process. */
export const stopOnSignals = (all: readonly Resources[]): void => {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    console.error(`stopping on ${signal} …`);
    for (const resources of all) await resources.stopAll();
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop(signal));
};
