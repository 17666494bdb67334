import type { Bench } from "../context.ts";
import { hasWrk, measure } from "../traffic/wrk.ts";
import { odataRequests } from "../traffic/odata.ts";
import { residentMegabytes } from "../servers/processes.ts";
import { fixed, type PartResult, whole } from "../report.ts";
import { NO_WRK } from "./serving.ts";

const PLACEMENTS = 100_000;
const HOT_PLACEMENTS = 64;
/** Says how many requests come for each one to a rarely requested placement. */
const TAIL = 100;
const SAMPLE_MS = 500;
/** Limits the memory of an isolate, in MB, as the platform does. Beyond it the process ends, and requests fail. */
const LIMIT_MB = 128;

/**
 * Measures memory under a steady load of hot placements and a long tail of others, and checks that every request is
 * answered.
 */
export const soak = async (bench: Bench): Promise<PartResult> => {
  if (!(await hasWrk())) return { tables: [], bars: [], skipped: NO_WRK };
  const database = await bench.database({ placements: PLACEMENTS, offers: 40, sites: 100 });
  // The stub forgets, so that the measured memory is the Worker's, not that of KV beside it.
  const worker = await bench.service(database, { kv: "forget", heapMegabytes: LIMIT_MB });
  const hot = odataRequests(HOT_PLACEMENTS).path;
  const tail = odataRequests(PLACEMENTS).path;
  const path = `(n % ${TAIL} == 0 and ${tail} or ${hot})`;
  await measure(worker, { path }, bench.quick ? 1 : 3);
  const start = residentMegabytes(worker.pid);
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentMegabytes(worker.pid)), SAMPLE_MS);
  try {
    const load = await measure(worker, { path, first: 1_000_000 }, bench.soakSeconds);
    const end = residentMegabytes(worker.pid);
    const half = samples.slice(samples.length / 2);
    const settled = Math.max(...half) - Math.min(...half);
    return {
      tables: [
        {
          title: `Soak, ${bench.soakSeconds} s`,
          columns: ["requests", "errors", "memory at start", "highest", "at end", "range in the second half"],
          rows: [
            [
              whole(load.requests),
              String(load.errors),
              ...[start, Math.max(start, ...samples), end, settled].map((megabytes) => `${fixed(megabytes, 0)} MB`),
            ],
          ],
        },
      ],
      bars: [{ what: "soak: errors", bar: "0", measured: String(load.errors), met: load.errors === 0 }],
      data: { load, start, end, samples, limitOfAnIsolate: LIMIT_MB },
      ...(load.errors > 0 && { failure: `${load.errors} requests failed` }),
    };
  } finally {
    clearInterval(sampling);
  }
};
