const POLL_MS = 500;

/**
 * Calls back once the process that started this one has ended. When npm is told to end, it tells a shell, which does
 * not pass that on: without this, everything that npm started would go on.
 */
export const whenOrphaned = (end: () => void): void => {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, POLL_MS);
  timer.unref();
};
