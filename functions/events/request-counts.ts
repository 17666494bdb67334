import { HOUR_MS } from "../../db/core/time.ts";
import { newId } from "../../db/core/ids.ts";
import type { RequestCount, RequestFact } from "../../db/tracking/requests.ts";
import { describeError } from "../core/log.ts";
import type { DecisionRequest } from "../decision/eligibility.ts";
import type { NoFillReason } from "../decision/decide.ts";
import type { Message } from "./messages.ts";

const FLUSH_AFTER_MS = 1_000;
/** Sets when a flush that has not run counts as lost, together with the request that was to run it, in milliseconds. */
const LOST_AFTER_MS = 10_000;
/** Keeps messages at about 75 KB: a queue takes at most 128 KB. A row has 150 bytes, and 7 more for each part. */
const MESSAGE_BYTES = 75_000;
const ROW_BYTES = 150;
const PART_BYTES = 7;
/** Samples the facts of one in so many requests. */
const SAMPLE = 1_000;
/** Says how many digits a sampled amount keeps: enough for a band, too few to identify an order. */
const AMOUNT_DIGITS = 2;

type Counting = RequestCount & { parts: Record<string, number> };

/** Holds what was counted by placement, and sampled, since the last flush. */
let rows = new Map<string, Counting[]>();
let facts: RequestFact[] = [];
let flushStartedAt = 0;

/** Counts down to the next sample. The first request draws it, since a Worker has no random numbers while it starts. */
let untilSample = 0;

/** Draws how many requests pass until the next sample, so that each request has the same chance. */
const drawGap = (): number => Math.max(1, Math.ceil(Math.log(1 - Math.random()) / Math.log(1 - 1 / SAMPLE)));

/** Finds a row among the few of its placement: joining what names it into one key would cost every answer more. */
const rowOf = (hour: number, placementId: string, country: string, arm: string): Counting => {
  let ofPlacement = rows.get(placementId);
  if (!ofPlacement) rows.set(placementId, (ofPlacement = []));
  const at = hour * HOUR_MS;
  let row = ofPlacement.find((one) => one.hour === at && one.country === country && one.arm === arm);
  if (!row) {
    row = { hour: at, placementId, country, arm, requests: 0, fills: 0, parts: {}, reasons: {} };
    ofPlacement.push(row);
  }
  return row;
};

const factOf = (request: DecisionRequest, hour: number, placementId: string, country: string): RequestFact => ({
  hour: hour * HOUR_MS,
  placementId,
  country,
  language: request.language ?? null,
  currency: request.currency ?? null,
  amount: request.amount === undefined ? null : Number(request.amount.toPrecision(AMOUNT_DIGITS)),
  paymentType: request.paymentType ?? null,
  count: request.count,
});

const send = async (env: Env, counted: RequestCount[], sampled: RequestFact[]): Promise<void> => {
  try {
    const message: Message = { type: "requests", flush: { id: newId("event"), rows: counted, facts: sampled } };
    await env.EVENTS.send(message, { contentType: "json" });
  } catch (error) {
    console.warn(`counts of ${counted.length} ad request groups are lost: ${describeError(error)}`);
  }
};

const flush = async (env: Env): Promise<void> => {
  const counted = [...rows.values()].flat();
  const sampled = facts;
  rows = new Map();
  facts = [];
  flushStartedAt = 0;
  let first = 0;
  let bytes = 0;
  for (const [i, { parts }] of counted.entries()) {
    bytes += ROW_BYTES + PART_BYTES * Object.keys(parts).length;
    if (bytes < MESSAGE_BYTES && i < counted.length - 1) continue;
    await send(env, counted.slice(first, i + 1), first === 0 ? sampled : []);
    first = i + 1;
    bytes = 0;
  }
};

/**
 * Counts an ad request in the isolate's memory, and notes the facts of one in a thousand. The first one since the last
 * flush sends all that a second gathers. What an isolate holds when it is stopped is lost, so these counts are a best
 * effort.
 *
 * @param part the session's part, from arms.ts
 * @param reason tells why the answer was empty; null when it has offers
 */
export const countRequest = (
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  request: DecisionRequest,
  placementId: string,
  country: string,
  part: number,
  reason: NoFillReason | null,
): void => {
  const { now, arm } = request;
  const hour = Math.floor(now / HOUR_MS);
  const row = rowOf(hour, placementId, country, arm);
  row.requests += 1;
  row.parts[part] = (row.parts[part] ?? 0) + 1;
  if (reason === null) row.fills += 1;
  else row.reasons[reason] = (row.reasons[reason] ?? 0) + 1;
  untilSample -= 1;
  if (untilSample <= 0) {
    // A number below zero means that nothing was drawn yet.
    if (untilSample === 0) facts.push(factOf(request, hour, placementId, country));
    untilSample = drawGap();
  }
  if (now - flushStartedAt < LOST_AFTER_MS) return;
  flushStartedAt = now;
  context.waitUntil(scheduler.wait(FLUSH_AFTER_MS).then(() => flush(env)));
};
