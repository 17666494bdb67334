import { expect } from "vitest";
import type { Hit } from "../../../db/tracking/hits.ts";
import { newId } from "../../../db/core/ids.ts";
import type { offers } from "../../../db/schema/demand.ts";
import { clickId } from "../../../functions/answer/destination.ts";
import { makeAdvertiser, makeOffer } from "../factories.ts";
import type { Harness } from "../harness.ts";
import { DAY, idAt, makeHit } from "./hits.ts";

/** Returns the days before today as reports take them: `YYYYMMDD`. */
export const dayText = (daysAgo = 0): string =>
  new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10).replaceAll("-", "");

/** Returns a status and a body, to compare both at once. */
type Said = Promise<readonly [number, unknown]>;

/** Makes an advertiser, with the calls of its server. */
export const makeReporter = async (h: Harness) => {
  const { id, conversionSecret, pixelKey } = await makeAdvertiser(h.db);
  const headers = { authorization: `Bearer ${conversionSecret}`, "content-type": "application/json" };
  const call = async (path: string, body?: object): Said => {
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const response = await h.fetch(path, init);
    return [response.status, await response.json()];
  };
  return {
    id,
    secret: conversionSecret,
    pixelKey,
    report: (body: object) => call("/conversion", body),
    reverse: (body: object) => call("/conversion/reversal", body),
    list: (query: Record<string, string> = {}) => call(`/conversion?${new URLSearchParams(query).toString()}`),
    outcome: (transactionId: string) => call(`/conversion?transactionId=${encodeURIComponent(transactionId)}`),
    /** Makes an offer that pays a dollar a conversion. */
    offer: (columns: Partial<typeof offers.$inferInsert> = {}) =>
      makeOffer(h.db, id, { pricing: "CPA", bidMicros: 1_000_000, ...columns }),
  };
};

export type Reporter = Awaited<ReturnType<typeof makeReporter>>;

/** Returns a click on an offer that was shown a second ago, and a report of its conversion that was not sent yet. */
export const makeReport = (offerId: string, hit: Partial<Hit> = {}) => {
  const click = makeHit({ offerId, decisionId: idAt("decision", Date.now() - 1_000), ...hit });
  return { click, fields: { clickId: clickId(click), transactionId: newId("event"), amount: 20, currency: "EUR" } };
};

/** Describes the answer to a report. */
export const reported = (state: string, counted = state === "counted") => [
  state === "pending" ? 202 : 200,
  { success: true, data: { counted, state }, message: "Conversion received" },
];

/** Describes the answer to a request for the state of a transaction. */
export const stands = (state: string, more: object = {}) => [
  200,
  expect.objectContaining({ data: expect.objectContaining({ state, ...more }) }),
];
