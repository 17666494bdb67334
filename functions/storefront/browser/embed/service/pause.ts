/** Waits for a number of milliseconds. If a signal aborts it, it never ends. */
export const pause = (ms = 0, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => clearTimeout(timer));
  });
