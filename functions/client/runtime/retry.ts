import { LanyapError } from "./error.ts";

const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const JITTER_MS = 1_000;

/** Waits for a time, or until a signal ends it. */
const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end);
  });

/** Returns how long to wait before the next attempt; null if another attempt is no use. */
const waitOf = (
  { status, retryAfter }: LanyapError,
  { isSafe, longestWaitMs = LONGEST_WAIT_MS }: Repeating,
  failures: number,
): number | null => {
  // A call refused by the rate limit was not begun, so repeating it is always safe.
  const isWorth = status === 429 || (isSafe && (status === 408 || status >= 500 || status === 0));
  if (!isWorth || (retryAfter ?? 0) * 1000 > longestWaitMs) return null;
  // Many clients that were refused at the same time must not come back at the same time.
  return retryAfter === null
    ? FIRST_WAIT_MS * 2 ** failures * (0.5 + Math.random() / 2)
    : retryAfter * 1000 + Math.random() * JITTER_MS;
};

/** Says whether and how a call is retried. */
export type Repeating = {
  retries: number;
  /** Tells that doing it twice does no more than doing it once. */
  isSafe: boolean;
  /** Limits each wait. */
  longestWaitMs?: number | undefined;
  signal: AbortSignal | undefined;
  wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/**
 * Makes a call, and retries it where that is safe and useful: after the time that the service names, or else after
 * longer pauses each time.
 *
 * @throws the error of its last attempt
 */
export const repeating = async <Result>(call: () => Promise<Result>, options: Repeating): Promise<Result> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof LanyapError) || failures >= options.retries) throw error;
      const ms = waitOf(error, options, failures);
      if (ms === null) throw error;
      await (options.wait ?? wait)(ms, options.signal);
    }
  }
};
