import { PATIENCE_MS } from "../../../functions/documents/flights.ts";

/**
 * Returns an answer, and how often it may have fetched what it lacked: once, or perhaps twice on a machine that is
 * slower than an answer's patience.
 */
export const fetching = async <T>(ask: () => Promise<T>): Promise<{ answer: T; fetches: number[] }> => {
  const begun = Date.now();
  const answer = await ask();
  return { answer, fetches: Date.now() - begun < PATIENCE_MS ? [1] : [1, 2] };
};
