import { newId } from "../../../db/core/ids.ts";
import { sealDecision, tokenOf, type ShownOffer } from "../../../functions/answer/tracking-token.ts";
import { parseKeyRing } from "../../../db/core/secrets/secrets.ts";
import { SECRETS } from "../../support/secrets.ts";
import type { Bench } from "../context.ts";
import { cpuMicros } from "../servers/processes.ts";
import { ids } from "../servers/fill.ts";
import { median } from "./rounds.ts";
import { measure, type Requests } from "./wrk.ts";

const BATCH = 100;
const CONCURRENCY = 10;
/** Delivers every tenth batch twice, as a queue may. */
const REPEAT = 10;
const SETTLE_MS = 500;
/** Shifts each round by fewer hits than it has, so that later rounds repeat some hits that were counted before. */
const AGAIN = 1_000;

/** Names how hits are delivered, for tables. */
export const DELIVERY = `batches of ${BATCH}, ${CONCURRENCY} at once, every tenth twice`;

/**
 * Makes the tokens of decisions, as answers carry them, each for a session of its own.
 *
 * @param shown returns what the decision with a number shows
 */
export const makeTokens = (decisions: number, placements: number, shown: (i: number) => ShownOffer[]): string[] => {
  const ring = parseKeyRing(SECRETS.TRACKING_KEYS);
  return Array.from({ length: decisions }, (_, i) => {
    const offers = shown(i);
    const decision = {
      decisionId: newId("decision"),
      placementId: ids.placement(1 + (i % placements)),
      country: "US",
      isTest: false,
      arm: "0",
      sessionHash: `session_${i}`.padEnd(22, "_"),
      emailHash: null,
    };
    const seal = sealDecision(ring, decision, offers);
    return offers.map((offer) => tokenOf(seal, offer));
  }).flat();
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

type Worker = Awaited<ReturnType<Bench["service"]>>;
type Rate = { http: number; cpu: number; consumed: number; consumerCpu: number; errors: number };

/** Holds the medians of rounds, hits a second and processor microseconds a hit, and how many messages there were. */
export type Played = Rate & { rates: Rate[]; sent: number; refused: number; lost: number };

/** Sends hits through HTTP into the queue, and has the Worker's own consumer take them from there, in rounds. */
export const playHits = async (worker: Worker, tokens: readonly string[], quick: boolean): Promise<Played> => {
  const [rounds, seconds] = quick ? [2, 1] : [5, 2];
  const rates: Rate[] = [];
  const total = { sent: 0, refused: 0, lost: 0 };
  for (let round = 0; round < rounds; round++) {
    await worker.stub.reset();
    const load = await measure(worker, requestsOf(tokens, round * AGAIN), seconds);
    // The load generator leaves without the answers to its last requests, which are counted all the same.
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    const cpu = cpuMicros(worker.pid);
    const startedAt = performance.now();
    const { messages, refused } = await worker.stub.deliver(BATCH, CONCURRENCY, REPEAT);
    const took = (performance.now() - startedAt) / 1_000;
    total.lost += Math.max(0, load.requests - messages);
    total.sent += messages;
    total.refused += refused;
    rates.push({
      http: load.rate,
      cpu: load.cpu,
      consumed: messages / took,
      consumerCpu: (cpuMicros(worker.pid) - cpu) / messages,
      errors: load.errors,
    });
  }
  const middle = (figure: keyof Rate) => median(rates.map((rate) => rate[figure]));
  return {
    http: middle("http"),
    cpu: middle("cpu"),
    consumed: middle("consumed"),
    consumerCpu: middle("consumerCpu"),
    errors: rates.reduce((sum, rate) => sum + rate.errors, 0),
    rates,
    ...total,
  };
};
