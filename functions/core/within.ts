/** Resolves as a promise does, or to null when that takes longer than a number of milliseconds. */
export const within = async <T>(promise: Promise<T>, milliseconds: number): Promise<T | null> => {
  const timer = new AbortController();
  const late = scheduler.wait(milliseconds, { signal: timer.signal }).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
};
