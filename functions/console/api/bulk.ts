import { asProblem, type Problem } from "./problem.ts";

/** Describes one of many changes. */
export type Item = { id: string; name: string; change: () => Promise<unknown> };

/** Holds the progress of many changes. `waiting` is how many seconds the service asked to wait. */
export type Progress = { done: number; failed: { item: Item; problem: Problem }[]; waiting: number | null };

const USUAL_WAIT_S = 60;

/** Waits so many seconds, or until a signal ends it. */
const wait = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("Stopped", "AbortError"));
    });
  });

/**
 * Makes changes one after the other. If the service refuses more for now, it waits as long as the service says, and
 * goes on. The signal stops it between two changes: if one were cut off, nobody would know whether it was made.
 *
 * @returns how far it came, even if the signal stopped it
 */
export const runBulk = async (
  items: readonly Item[],
  tell: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress> => {
  let progress: Progress = { done: 0, failed: [], waiting: null };
  const say = (change: Partial<Progress>) => {
    progress = { ...progress, ...change };
    tell(progress);
  };
  const change = async (item: Item): Promise<void> => {
    try {
      await item.change();
      say({ done: progress.done + 1, waiting: null });
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 429) {
        say({ done: progress.done + 1, failed: [...progress.failed, { item, problem }], waiting: null });
        return;
      }
      signal.throwIfAborted();
      say({ waiting: problem.retryAfter ?? USUAL_WAIT_S });
      await wait(problem.retryAfter ?? USUAL_WAIT_S, signal);
      say({ waiting: null });
      await change(item);
    }
  };
  try {
    for (const item of items) {
      if (signal.aborted) break;
      await change(item);
    }
  } catch {
    // It was stopped while it waited: what was done is returned.
  }
  return progress;
};
