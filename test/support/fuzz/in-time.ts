import { setTimeout } from "node:timers/promises";

/** Says how long an answer may take, and how long to pause before each further try, in milliseconds. */
export type Patience = { limitMs: number; pausesMs: readonly number[] };

/** Asks something, and lists what is wrong with the answer; null if the service was too busy to answer. */
export type Ask = () => Promise<string[] | null>;

type Late = { name: string; ask: Ask; settled: string[] };

/** Limits how many unanswered requests are reported, as each takes all its tries. */
const MOST_TOLD = 5;

/** Waits for an answer, and returns null when it has not come in time, or said that the service was busy. */
const within = async (limitMs: number, answer: ReturnType<Ask>): Promise<string[] | null> => {
  const timer = new AbortController();
  const { signal } = timer;
  const never = setTimeout(limitMs, null, { signal }).catch(() => null);
  try {
    return await Promise.race([answer, never]);
  } finally {
    timer.abort();
  }
};

/**
 * Makes a function that asks many things at once and finds those that are not answered in time, however busy the
 * machine is. A request that is late, or refused because the service is busy, is sent again when nothing else is under
 * way: only one that fails so at every try counts as unanswered.
 */
export const inTime = ({ limitMs, pausesMs }: Patience) => {
  const late: Late[] = [];

  /** Asks once, and lists what is wrong with the answer: nothing yet if there is none. */
  const ask = async (name: string, first: Ask): Promise<string[]> => {
    const answer = first();
    const problems = await within(limitMs, answer);
    if (problems !== null) return problems;
    const entry: Late = { name, ask: first, settled: [] };
    late.push(entry);
    // A late answer is judged all the same, so that a slow failure is not lost.
    answer.then(
      (found) => entry.settled.push(...(found ?? [])),
      (error: unknown) => entry.settled.push(`${name}: ${String(error)}`),
    );
    return [];
  };

  const again = async (entry: Late): Promise<string[]> => {
    for (const pause of pausesMs) {
      await setTimeout(pause);
      const problems = await within(limitMs, entry.ask());
      if (problems !== null) return problems;
    }
    return [`${entry.name}: no answer within ${limitMs} ms, asked ${pausesMs.length + 1} times`];
  };

  /** Repeats late requests one after the other, and lists what is wrong with the new answers or the late ones. */
  const askAgain = async (): Promise<string[]> => {
    const asked = late.splice(0);
    const problems: string[] = [];
    for (const [i, entry] of asked.entries()) {
      problems.push(...(await again(entry)));
      if (problems.length < MOST_TOLD) continue;
      if (i + 1 < asked.length) problems.push(`${asked.length - i - 1} more were late`);
      break;
    }
    return [...problems, ...asked.flatMap(({ settled }) => settled)];
  };

  return { ask, askAgain };
};
