/** Waits for a number of milliseconds. It never ends when a signal aborts it. */
export const pause = (ms = 0, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => clearTimeout(timer));
  });
