import type { Bench } from "../context.ts";
import type { Database } from "../servers/database.ts";
import { ids } from "../servers/fill.ts";
import { fixed, type PartResult, whole } from "../report.ts";
import { DELIVERY, makeTokens, playHits } from "../traffic/hits.ts";
import { hasWrk } from "../traffic/wrk.ts";
import { NO_WRK } from "./serving.ts";

const OFFERS_OF_A_DECISION = 4;
const DECISIONS = 2_000;
const PLACEMENTS = 500;
const SIZE = { placements: PLACEMENTS, offers: 40, sites: 10 };

/** Caps the hot offer well below what it gets, so that consumers both fill the cap and go on past it. */
const HOT_OFFER = ids.offer(40);
const HOT_CAP = 500;

type Counted = { stored: number; counted: number; repeats: number; daily: number; bytes: number };

const countStored = async (database: Database): Promise<Counted> => {
  const { rows } = await database.pool.query<Record<keyof Counted, string>>(`
    select count(*) as stored, count(*) filter (where outcome = 'counted') as counted,
      (select count(*) from counted_repeats) as repeats,
      (select coalesce(sum(impressions + viewables), 0) from daily_counters) as daily,
      pg_total_relation_size('events') as bytes
    from events`);
  const of = (name: keyof Counted) => Number(rows[0]?.[name]);
  return {
    stored: of("stored"),
    counted: of("counted"),
    repeats: of("repeats"),
    daily: of("daily"),
    bytes: of("bytes"),
  };
};

const billedOf = async (database: Database): Promise<{ billed: number; over: number }> => {
  const { rows } = await database.pool.query<{ billed: string; over: string }>(
    `select count(*) filter (where gross_micros > 0) as billed, count(*) filter (where outcome = 'over_cap') as over
    from events where offer_id = $1`,
    [HOT_OFFER],
  );
  return { billed: Number(rows[0]?.billed), over: Number(rows[0]?.over) };
};

/** Plays hits on one offer only, whose cap all consumers count towards at once. */
const playHotCap = async (bench: Bench) => {
  const database = await bench.database({ ...SIZE, sites: SIZE.sites + 1 });
  await database.pool.query(
    "update offers set pricing = 'CPM', bid_micros = 1000000, daily_cap = null, lifetime_cap = $2 where id = $1",
    [HOT_OFFER, HOT_CAP],
  );
  const worker = await bench.service(database, { consumes: true });
  const offer = { id: HOT_OFFER, revision: 2 };
  const played = await playHits(
    worker,
    makeTokens(DECISIONS * OFFERS_OF_A_DECISION, PLACEMENTS, () => [offer]),
    bench.quick,
  );
  await worker.stop();
  return { played, ...(await billedOf(database)) };
};

/**
 * Sends hits through HTTP into the queue, and from the queue through the Worker's own consumer into Postgres. In the end every
 * message is stored or counted as a repeat once, and each distinct hit, which the stub counts for itself, is counted once,
 * whatever came twice. Then the same with one offer that reaches its cap.
 */
export const tracking = async (bench: Bench): Promise<PartResult> => {
  if (!(await hasWrk())) return { tables: [], bars: [], skipped: NO_WRK };
  const database = await bench.database(SIZE);
  const worker = await bench.service(database, { consumes: true });
  const tokens = makeTokens(DECISIONS, PLACEMENTS, (i) =>
    Array.from({ length: OFFERS_OF_A_DECISION }, (_, offer) => ({
      id: ids.offer(1 + ((i + offer) % 40)),
      revision: 1,
    })),
  );
  const played = await playHits(worker, tokens, bench.quick);
  const { sent, refused, lost } = played;
  const { hits: distinct } = await worker.stub.counts();
  await worker.stop();
  const found = await countStored(database);
  const exact =
    found.stored + found.repeats === sent &&
    found.daily === found.counted &&
    found.counted === distinct &&
    lost + refused === 0;
  const hot = await playHotCap(bench);
  const capHolds = hot.billed <= HOT_CAP && (hot.billed === HOT_CAP || hot.over === 0);
  const errors = played.errors + hot.played.errors;
  const verdict = `${whole(sent)} sent, ${whole(found.stored)} stored, ${whole(found.counted)} counted, ${whole(found.repeats)} repeats`;
  const capped = `${whole(hot.billed)} billed, ${whole(hot.over)} past the cap`;
  return {
    tables: [
      {
        title: "Tracking, hits a second",
        columns: ["step", "hits/s", "CPU µs"],
        rows: [
          ["/vdata into the queue, one core", whole(played.http), whole(played.cpu)],
          [`queue to Postgres, ${DELIVERY}`, whole(played.consumed), whole(played.consumerCpu)],
          [
            `the same, all on one offer with a cap of ${HOT_CAP}`,
            whole(hot.played.consumed),
            whole(hot.played.consumerCpu),
          ],
          ["room of a stored event with its indexes", `${fixed(found.bytes / found.stored, 0)} bytes`, ""],
        ],
      },
    ],
    bars: [
      {
        what: "tracking under duplicates and redelivery",
        bar: "counts exact, nothing lost",
        measured: verdict,
        met: exact,
      },
      {
        what: `one hot offer with a cap of ${HOT_CAP}`,
        bar: `never more than ${HOT_CAP} billed`,
        measured: capped,
        met: capHolds,
      },
    ],
    data: { ...played, ...found, hot, distinct, bytesPerEvent: found.bytes / found.stored },
    ...(!exact && { failure: `counts are wrong: ${verdict}, ${found.daily} in the daily counters, ${lost} lost` }),
    ...(!capHolds && { failure: `a cap does not hold: ${capped}` }),
    ...(errors > 0 && { failure: `${errors} requests failed` }),
  };
};
