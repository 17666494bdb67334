import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** Sets how many threads work at once. */
const THREADS = Math.max(1, Math.min(8, availableParallelism()));

/** Sets how much a thread makes before it looks for what is no longer used: what little is kept is copied less often. */
const YOUNG_MB = 384;

/**
 * Does tasks in threads, each by a file that answers every message with a result.
 *
 * @param onDone is told after each task how many are done
 * @returns the results in the order of their tasks
 * @throws {Error} when a task fails
 */
export const inThreads = async <Result>(
  file: string,
  tasks: readonly unknown[],
  onDone: (done: number) => void,
): Promise<Result[]> => {
  const results: Result[] = [];
  let next = 0;
  let done = 0;
  const thread = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(file, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
      let current = 0;
      const give = () => {
        if (next >= tasks.length) {
          void worker.terminate().then(() => resolve(), reject);
          return;
        }
        current = next++;
        worker.postMessage(tasks[current]);
      };
      worker.on("error", reject);
      worker.on("message", (result: Result) => {
        results[current] = result;
        onDone(++done);
        give();
      });
      give();
    });
  await Promise.all(Array.from({ length: Math.min(THREADS, tasks.length) }, thread));
  return results;
};
