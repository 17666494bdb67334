import type { Bench } from "../context.ts";
import type { Database } from "../servers/database.ts";
import { databaseTime } from "../servers/database-time.ts";
import { ids, RARE_COUNTRY, type Size } from "../servers/fill.ts";
import { hasWrk } from "../traffic/wrk.ts";
import { odataPath, odataRequests } from "../traffic/odata.ts";
import { fixed, percent, type PartResult, whole } from "../report.ts";
import { alternate, figures, median, type Measured, ratios } from "../traffic/rounds.ts";
import { settle } from "../traffic/settle.ts";
import { targetings } from "./targetings.ts";
import { SECRETS } from "../../support/secrets.ts";
import type { Workerd } from "../servers/workerd.ts";

const SMALL: Size = { placements: 100, offers: 10, sites: 1 };
const SIZES: Record<string, Size> = {
  "100 placements, 10 offers, 1 site": SMALL,
  "100,000 placements": { ...SMALL, placements: 100_000 },
  "10,000 offers": { ...SMALL, offers: 10_000 },
  "10,000 sites of one publisher": { ...SMALL, sites: 10_000 },
};

const HOT_PLACEMENTS = 64;
const TIMED = 15;
const FLAT = 0.1;
const COLD_LIMIT_MS = 10;
const DOCUMENTS_LIMIT = 3;

/** Measures the database's processor time for a cold request's one statement, in milliseconds: the median over placements. */
const coldTime = async (database: Database, worker: Workerd, country: string): Promise<number> => {
  await (await fetch(worker.url + odataPath(HOT_PLACEMENTS + 1, 1, 4, country))).arrayBuffer();
  const statement = database.lastServing();
  if (!statement) throw new Error("a cold request asked nothing of the database");
  const placed = (number: number) => (value: string | null) =>
    value?.replace(ids.placement(HOT_PLACEMENTS + 1), ids.placement(number)) ?? null;
  const values = Array.from({ length: TIMED }, (_, i) => statement.params.map(placed(i + 1)));
  return databaseTime(database.pool, statement.query, values);
};

/** Counts the documents that a change by the administrator writes to KV. No writer may be at work when it begins. */
const documentsOf = async (worker: Workerd, path: string, body: object): Promise<number> => {
  await worker.stub.reset();
  const answer = await fetch(worker.url + path, {
    method: "PATCH",
    headers: { authorization: `Bearer ${SECRETS.ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  await settle();
  return (await worker.stub.counts()).writes;
};

type Filled = { name: string; database: Database; worker: Workerd };

/** Counts what two changes write: a publisher's switch, and a stop of an offer that all sites can show. */
const changesOf = async ({ worker }: Filled): Promise<{ switched: number; stopped: number }> => ({
  switched: await documentsOf(worker, `/api/v1/publishers/${ids.publisher}/ads`, { adsEnabled: false }),
  // Offer 4 is open to every country.
  stopped: await documentsOf(worker, `/api/v1/offers/${ids.offer(4)}/status`, { status: "paused" }),
});

/** Measures warm requests at every size side by side. The result is empty without a load generator. */
const measureWarm = async (filled: readonly Filled[], quick: boolean): Promise<Measured> => {
  if (!(await hasWrk())) return new Map();
  const subjects = filled.map(({ name, worker }) => ({
    name,
    target: worker,
    requestsOf: () => odataRequests(HOT_PLACEMENTS),
  }));
  return alternate(subjects, quick ? { rounds: 1, seconds: 1, warmUpAtOnce: true } : { rounds: 7, seconds: 2 });
};

/** Measures what a warm request, a cold one, a publisher's switch and a stopped offer cost as the network grows. */
export const growth = async (bench: Bench): Promise<PartResult> => {
  const filled = await Promise.all(
    Object.entries(SIZES).map(async ([name, size]): Promise<Filled> => {
      const database = await bench.database(size);
      return { name, database, worker: await bench.service(database) };
    }),
  );
  const warm = await measureWarm(filled, bench.quick);
  const times: { cold: number; rare: number }[] = [];
  for (const { database, worker } of filled) {
    const cold = await coldTime(database, worker, "US");
    times.push({ cold, rare: await coldTime(database, worker, RARE_COUNTRY) });
  }
  await settle();
  const changes = await Promise.all(filled.map(changesOf));
  const worst = await targetings(bench);
  const [base] = filled;
  const costs = filled.map(({ name }, i) => ({
    name,
    cold: times[i]?.cold ?? Number.NaN,
    rare: times[i]?.rare ?? Number.NaN,
    switched: changes[i]?.switched ?? Number.NaN,
    stopped: changes[i]?.stopped ?? Number.NaN,
    warm: median(figures(warm, name, "cpu")),
    toBase: median(ratios(warm, name, base?.name ?? "", "cpu")),
  }));
  const most = (figure: "cold" | "rare" | "switched" | "stopped") => Math.max(...costs.map((of) => of[figure]));
  const growths = costs.map((of) => of.toBase).filter((ratio) => Number.isFinite(ratio));
  return {
    tables: [
      {
        title: "Costs as the network grows",
        columns: [
          "network",
          "warm CPU µs",
          "of smallest",
          "cold, DB CPU ms",
          "rare country, DB CPU ms",
          "switch",
          "stopped offer",
        ],
        rows: costs.map((of) => [
          of.name,
          whole(of.warm),
          percent(of.toBase),
          fixed(of.cold),
          fixed(of.rare),
          `${of.switched} document`,
          `${of.stopped} document`,
        ]),
      },
      ...worst.tables,
    ],
    bars: [
      {
        what: "growth: a warm request's CPU time",
        bar: "flat, ± 10 %",
        measured: growths.map((ratio) => percent(ratio)).join(", "),
        met: growths.length > 0 && growths.every((ratio) => Math.abs(ratio - 1) <= FLAT),
      },
      {
        what: "growth: a cold request's database time",
        bar: "≤ 10 ms",
        measured: `${fixed(most("cold"))} ms, ${fixed(most("rare"))} ms where few offers apply`,
        met: Math.max(most("cold"), most("rare")) <= COLD_LIMIT_MS,
      },
      {
        what: "growth: documents of a switch, of an offer",
        bar: "≤ 3",
        measured: `${most("switched")}, ${most("stopped")}`,
        met: Math.max(most("switched"), most("stopped")) <= DOCUMENTS_LIMIT,
      },
      ...worst.bars,
    ],
    data: { costs, worst: worst.data, warm: Object.fromEntries(warm) },
  };
};
