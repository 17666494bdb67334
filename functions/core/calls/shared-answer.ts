import { UnavailableError } from "../../../db/core/errors.ts";
import { within } from "./within.ts";

type Background = Pick<ExecutionContext, "waitUntil">;
type Asked<T> = { at: number; answer: Promise<T>; told: T | null };

/**
 * Makes a function that asks at most once in an interval, for all requests of an isolate together. Others get the same
 * answer, or wait for it; a failure is shared, too.
 *
 * @param milliseconds the interval
 * @param limit the longest that anyone waits, in milliseconds: the question may be lost with the request that asked it
 */
export const sharedAnswer = <T extends object>(milliseconds: number, limit: number) => {
  let last: Asked<T> | null = null;
  const begin = (context: Background, ask: () => Promise<T>, at: number): Asked<T> => {
    const asked: Asked<T> = { at, answer: ask(), told: null };
    const note = (answer: T) => {
      asked.told = answer;
    };
    // Keeps the question alive for those who wait for its answer, even when the request that asked it is given up.
    context.waitUntil(asked.answer.then(note, () => {}));
    return asked;
  };
  return async (context: Background, ask: () => Promise<T>): Promise<T> => {
    const now = Date.now();
    if (last === null || now - last.at >= milliseconds) last = begin(context, ask, now);
    const answer = last.told ?? (await within(last.answer, limit));
    if (answer === null) throw new UnavailableError("an answer that is shared did not come in time");
    return answer;
  };
};
