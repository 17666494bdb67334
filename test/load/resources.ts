/** What a run has started, so that all of it is stopped however the run ends. */
export class Resources {
  readonly #stops = new Set<() => Promise<void>>();

  /** Notes how to stop something; what it returns stops it now and forgets it. */
  add(stop: () => Promise<void>): () => Promise<void> {
    this.#stops.add(stop);
    return async () => {
      if (this.#stops.delete(stop)) await stop();
    };
  }

  /** Stops everything, what was started last first. One failure keeps nothing else running. */
  async stopAll(): Promise<void> {
    for (const stop of [...this.#stops].toReversed()) {
      this.#stops.delete(stop);
      await stop().catch((error: unknown) => console.error(`not stopped: ${String(error)}`));
    }
  }
}

/** Stops everything on Ctrl-C and on a closed terminal, in the order given, then ends the process. */
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
