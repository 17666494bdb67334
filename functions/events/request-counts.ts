import type { RequestCount } from "../../db/tracking/events.ts";
import { newId } from "../../db/core/ids.ts";
import { describeError } from "../core/log.ts";
import type { Message } from "./messages.ts";
import { DAY_MS } from "../core/time.ts";

const FLUSH_AFTER_MS = 1_000;
/** A flush that has not run by then was lost with the request that was to run it. */
const LOST_AFTER_MS = 10_000;
/** About 50 KB: a queue takes messages of at most 128 KB. */
const ROWS_PER_MESSAGE = 500;

/** What was counted since the last flush. */
let rows: RequestCount[] = [];

type Index = { day: number; countries: Map<string, Map<string, RequestCount>> };

const emptyIndex = (day: number): Index => ({ day, countries: new Map() });

/** The rows of one day by country and placement; to look for a text made of all three would cost more than counting. */
let index = emptyIndex(0);
let flushStartedAt = 0;

const rowOf = (now: number, placementId: string, country: string): RequestCount => {
  const day = Math.floor(now / DAY_MS);
  if (index.day !== day) index = emptyIndex(day);
  let placements = index.countries.get(country);
  if (!placements) index.countries.set(country, (placements = new Map()));
  let row = placements.get(placementId);
  if (!row) {
    row = { day: new Date(now).toISOString().slice(0, 10), placementId, country, requests: 0, fills: 0 };
    placements.set(placementId, row);
    rows.push(row);
  }
  return row;
};

const send = async (env: Env, counted: RequestCount[]): Promise<void> => {
  try {
    const message: Message = { type: "requests", flush: { id: newId("event"), rows: counted } };
    await env.EVENTS.send(message, { contentType: "json" });
  } catch (error) {
    console.warn(`counts of ${counted.length} ad request groups are lost: ${describeError(error)}`);
  }
};

const flush = async (env: Env): Promise<void> => {
  const counted = rows;
  rows = [];
  index = emptyIndex(0);
  flushStartedAt = 0;
  for (let i = 0; i < counted.length; i += ROWS_PER_MESSAGE) await send(env, counted.slice(i, i + ROWS_PER_MESSAGE));
};

/**
 * Counts an ad request in the isolate's memory. The first one since the last flush sends all that a second gathers;
 * what an isolate holds when it is stopped is lost, so these counts are a best effort.
 */
export const countRequest = (
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
  placementId: string,
  country: string,
  filled: boolean,
): void => {
  const now = Date.now();
  const row = rowOf(now, placementId, country);
  row.requests += 1;
  if (filled) row.fills += 1;
  if (now - flushStartedAt < LOST_AFTER_MS) return;
  flushStartedAt = now;
  context.waitUntil(scheduler.wait(FLUSH_AFTER_MS).then(() => flush(env)));
};
