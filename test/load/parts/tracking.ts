import { newId } from "../../../db/core/ids.ts";
import { parseKeyRing } from "../../../db/core/secrets.ts";
import { sealDecision, tokenOf } from "../../../functions/answer/tracking-token.ts";
import { SECRETS } from "../../support/secrets.ts";
import type { Bench } from "../context.ts";
import type { Database } from "../servers/database.ts";
import { ids } from "../servers/fill.ts";
import { hasWrk, measure, type Requests } from "../traffic/wrk.ts";
import { cpuMicros } from "../servers/processes.ts";
import { fixed, type PartResult, whole } from "../report.ts";
import { median } from "../traffic/rounds.ts";
import { NO_WRK } from "./serving.ts";

const OFFERS_OF_A_DECISION = 4;
const DECISIONS = 2_000;
const PLACEMENTS = 500;
const BATCH = 100;
const CONCURRENCY = 10;
const SETTLE_MS = 500;
/** Shifts each round by fewer hits than it has, so that later rounds repeat hits that were counted before. */
const AGAIN = 1_000;
/** Delivers every tenth batch twice, as a queue may. */
const REPEAT = 10;

/** Makes the tokens of decisions, four offers each, as answers carry them. */
const makeTokens = async (): Promise<string[]> => {
  const tokens: string[] = [];
  for (let i = 0; i < DECISIONS; i++) {
    const offers = Array.from({ length: OFFERS_OF_A_DECISION }, (_, offer) => ids.offer(1 + ((i + offer) % 40)));
    const decision = {
      decisionId: newId("decision"),
      placementId: ids.placement(1 + (i % PLACEMENTS)),
      country: "US",
      isTest: false,
      sessionHash: `session_${i}`.padEnd(22, "_"),
      emailHash: null,
    };
    const seal = sealDecision(parseKeyRing(SECRETS.TRACKING_KEYS), decision, offers);
    tokens.push(...offers.map((offerId) => tokenOf(seal, offerId)));
  }
  return tokens;
};

/** Returns requests that take the tokens in turn: first as impressions, then as viewable ones. */
const requestsOf = (tokens: readonly string[], first: number): Requests => ({
  setup: `
local tokens = { ${tokens.map((token) => `"${token}"`).join(",")} }
local function path(n)
  local viewable = math.floor((n - 1) / #tokens) % 2 == 1
  return "/vdata?t=" .. tokens[(n - 1) % #tokens + 1] .. (viewable and "&v=1" or "")
end`,
  path: "path(n)",
  first,
});

type Counted = { stored: number; counted: number; duplicates: number; daily: number; bytes: number };

const countStored = async (database: Database): Promise<Counted> => {
  const { rows } = await database.pool.query<Record<keyof Counted, string>>(`
    select count(*) as stored, count(*) filter (where outcome = 'counted') as counted,
      count(*) filter (where outcome = 'duplicate') as duplicates,
      (select coalesce(sum(impressions + viewables), 0) from daily_counters) as daily,
      pg_total_relation_size('events') as bytes
    from events`);
  const of = (name: keyof Counted) => Number(rows[0]?.[name]);
  return {
    stored: of("stored"),
    counted: of("counted"),
    duplicates: of("duplicates"),
    daily: of("daily"),
    bytes: of("bytes"),
  };
};

/**
 * Sends hits by HTTP into the queue, and delivers them through the Worker's own consumer to Postgres. In the end every
 * message must be stored once. Each distinct hit, which the stub counts for itself, must be counted once, whatever came
 * twice.
 */
export const tracking = async (bench: Bench): Promise<PartResult> => {
  if (!(await hasWrk())) return { tables: [], bars: [], skipped: NO_WRK };
  const database = await bench.database({ placements: PLACEMENTS, offers: 40, sites: 10 });
  const worker = await bench.service(database, { consumes: true });
  const tokens = await makeTokens();
  const [rounds, seconds] = bench.quick ? [2, 1] : [5, 2];

  const rates: { http: number; cpu: number; consumed: number; consumerCpu: number; errors: number }[] = [];
  let sent = 0;
  let refused = 0;
  let lost = 0;
  for (let round = 0; round < rounds; round++) {
    await worker.stub.reset();
    const load = await measure(worker, requestsOf(tokens, round * AGAIN), seconds);
    // The load generator does not wait for the answers to its last requests, which are counted all the same.
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    const cpu = cpuMicros(worker.pid);
    const startedAt = performance.now();
    const delivered = await worker.stub.deliver(BATCH, CONCURRENCY, REPEAT);
    const took = (performance.now() - startedAt) / 1_000;
    const { messages } = delivered;
    if (messages < load.requests) lost += load.requests - messages;
    sent += messages;
    refused += delivered.refused;
    rates.push({
      http: load.rate,
      cpu: load.cpu,
      consumed: messages / took,
      consumerCpu: (cpuMicros(worker.pid) - cpu) / messages,
      errors: load.errors,
    });
  }
  const { hits: distinct } = await worker.stub.counts();
  const found = await countStored(database);
  const exact =
    found.stored === sent &&
    found.counted + found.duplicates === sent &&
    found.daily === found.counted &&
    found.counted === distinct &&
    lost + refused === 0;
  const errors = rates.reduce((sum, rate) => sum + rate.errors, 0);
  const middle = (figure: keyof (typeof rates)[number]) => median(rates.map((rate) => rate[figure]));
  const verdict = `${whole(sent)} sent, ${whole(found.stored)} stored, ${whole(found.counted)} counted, ${whole(found.duplicates)} duplicates`;
  return {
    tables: [
      {
        title: "Tracking, hits a second",
        columns: ["step", "hits/s", "CPU µs"],
        rows: [
          ["/vdata into the queue, one core", whole(middle("http")), whole(middle("cpu"))],
          [
            `queue to Postgres, batches of ${BATCH}, ${CONCURRENCY} at once, every tenth twice`,
            whole(middle("consumed")),
            whole(middle("consumerCpu")),
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
    ],
    data: { rates, ...found, sent, distinct, refused, lost, bytesPerEvent: found.bytes / found.stored },
    ...(!exact && { failure: `counts are wrong: ${verdict}, ${found.daily} in the daily counters, ${lost} lost` }),
    ...(errors > 0 && { failure: `${errors} requests failed` }),
  };
};
