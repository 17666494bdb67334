import type { Bench } from "../context.ts";
import type { Database } from "../servers/database.ts";
import { odataPath } from "../traffic/odata.ts";
import { fixed, type PartResult, whole } from "../report.ts";
import { settle } from "../traffic/settle.ts";
import type { Workerd } from "../servers/workerd.ts";

const REQUESTS = 50;

/** Holds averages of a request. `trips` are SQL round trips for its answer; those of `publishing` run behind it. */
type Reads = {
  kvReads: number;
  kvKeys: number;
  kvBytes: number;
  trips: number;
  sqlBytes: number;
  publishing: number;
  kvWrites: number;
  answer: number;
};

const ask = async (worker: Workerd, path: string): Promise<number> => {
  const answer = await fetch(worker.url + path);
  const body = await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`odata answered ${answer.status}`);
  return body.byteLength;
};

const count = async (database: Database, worker: Workerd, placementOf: (i: number) => number): Promise<Reads> => {
  await worker.stub.reset();
  const before = { ...database.asked };
  let bytes = 0;
  for (let i = 0; i < REQUESTS; i++) bytes += await ask(worker, odataPath(placementOf(i), i));
  const { serving, bytes: sqlBytes } = database.asked;
  const kv = await worker.stub.counts();
  await settle();
  const { writes } = await worker.stub.counts();
  return {
    kvReads: kv.reads / REQUESTS,
    kvKeys: kv.keys / REQUESTS,
    kvBytes: kv.bytesRead / REQUESTS,
    trips: (serving - before.serving) / REQUESTS,
    sqlBytes: (sqlBytes - before.bytes) / REQUESTS,
    publishing: (database.asked.publishing - before.publishing) / REQUESTS,
    kvWrites: writes / REQUESTS,
    answer: bytes / REQUESTS,
  };
};

/** Counts what a request for offers reads on each tier, by the stub of KV and the SQL endpoint. */
export const reads = async (bench: Bench): Promise<PartResult> => {
  const database = await bench.database({ placements: 1_000, offers: 40, sites: 10 });
  const [memory, kv] = await Promise.all([
    bench.service(database, { freshMs: 600_000 }),
    bench.service(database, { freshMs: 0 }),
  ]);
  const cold = await count(database, kv, (i) => i + 2);
  await ask(memory, odataPath(1, 0));
  await settle();
  // Neither may ask the database for anything. If one did, both rows would show it.
  const [inKv, inMemory] = await Promise.all([count(database, kv, (i) => i + 2), count(database, memory, () => 1)]);
  const rows = { "in memory": inMemory, "in KV": inKv, cold };
  return {
    tables: [
      {
        title: "Reads of one request, counted",
        columns: [
          "documents",
          "KV reads",
          "keys",
          "KV bytes",
          "SQL round trips",
          "SQL bytes",
          "answer bytes",
          "behind it",
        ],
        rows: Object.entries(rows).map(([name, of]) => [
          name,
          fixed(of.kvReads, 2),
          fixed(of.kvKeys, 2),
          whole(of.kvBytes),
          fixed(of.trips, 2),
          whole(of.sqlBytes),
          whole(of.answer),
          `${fixed(of.publishing, 2)} SQL, ${fixed(of.kvWrites, 2)} KV puts`,
        ]),
      },
    ],
    bars: [
      {
        what: "reads of a warm request",
        bar: "0 SQL; 0 KV in memory, else 1 bulk KV read",
        measured: `${inMemory.trips + inKv.trips} SQL; ${inMemory.kvReads} KV, ${inKv.kvReads} KV`,
        met: inMemory.trips + inKv.trips + inMemory.kvReads === 0 && inKv.kvReads === 1,
      },
      {
        what: "reads of a cold request",
        bar: "1 SQL round trip",
        measured: `${cold.trips} SQL`,
        met: cold.trips === 1,
      },
    ],
    data: rows,
  };
};
