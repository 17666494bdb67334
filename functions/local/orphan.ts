const POLL_MS = 500;

/**
 * Calls back once the process that started this one has ended. npm that is told to end passes that on to a shell, which
 * does not: without this, everything that npm started would go on.
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
