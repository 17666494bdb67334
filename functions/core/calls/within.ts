/**
 * Resolves as a promise does, or to null when that takes longer than a number of milliseconds.
 *
 * Every answer that reads KV waits like this, twice: a timer that is cleared costs a fraction of one that a signal
 * aborts.
 */
export const within = <T>(promise: Promise<T>, milliseconds: number): Promise<T | null> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
