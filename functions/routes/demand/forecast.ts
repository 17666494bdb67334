import type * as z from "zod";
import { MICROS } from "../../../db/core/money.ts";
import { placeKey, readCompetition, readTraffic } from "../../../db/demand/forecast.ts";
import { priorEcpm } from "../../../db/demand/pricing.ts";
import { USUAL_PRIORITY } from "../../../db/schema/values.ts";
import type { Range } from "../../decision/forecast/draws.ts";
import { forecastOf } from "../../decision/forecast/forecast.ts";
import { admits, admittedShare, candidateOf, seenRates, type Planned } from "../../decision/forecast/requests.ts";
import type { Surroundings } from "../../decision/forecast/week.ts";
import { giveWay } from "../../core/calls/give-way.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { text } from "../../http/input/fields.ts";
import { jsonBody } from "../../http/input/validate.ts";
import { offerBody, offerChange, READ_ONLY } from "./offer-body.ts";

const forecastBody = () => {
  const { pricing, bidMicros } = offerBody().shape;
  return offerChange().extend({ advertiserId: text(), pricing, bidMicros });
};

const times = ({ expected, low, high }: Range, factor: number): Range => ({
  expected: Math.round(expected * factor),
  low: Math.round(low * factor),
  high: Math.round(high * factor),
});

const usd = ({ expected, low, high }: Range): Range => ({
  expected: Math.round(expected) / MICROS,
  low: Math.round(low) / MICROS,
  high: Math.round(high) / MICROS,
});

const count = (number: number): string => Math.round(number).toLocaleString("en-US");

const percent = (part: number): string => `${Number((100 * part).toPrecision(3))} %`;

type Body = Omit<z.output<ReturnType<typeof forecastBody>>, "advertiserId">;

/** Returns the offer that a body describes, with defaults for what it leaves out. */
const plannedOf = ({ targeting = {}, ...body }: Body, advertiserSerial: number): Planned => ({
  languages: targeting.languages ?? [],
  currencies: targeting.currencies ?? [],
  amountMin: targeting.amountMin ?? null,
  amountMax: targeting.amountMax ?? null,
  paymentTypes: targeting.paymentTypes ?? [],
  pricing: body.pricing,
  priority: body.priority ?? USUAL_PRIORITY,
  bidMicros: body.bidMicros,
  valueMicros: body.bidMicros,
  ecpmMicros: priorEcpm(body.pricing, body.bidMicros),
  advertiserSerial,
  dailyCap: body.dailyCap ?? null,
  lifetimeCap: body.lifetimeCap ?? null,
});

/** Lists values of rows by their place, with `none` for a place without a row. */
const inPlaces = <Row extends { place: number }, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value,
  none: Value,
): Value[] => {
  const values = new Map(rows.map((row) => [row.place, valueOf(row)]));
  const length = Math.max(-1, ...values.keys()) + 1;
  return Array.from({ length }, (_, place) => values.get(place) ?? none);
};

type Told = { share: Range | null; requests: number; shown: Range | null; cost: Range | null };

/** Puts a forecast into words. */
const wordsOf = ({ share, requests, shown, cost }: Told): string => {
  if (!share)
    return "No request of the last seven days was sampled where this offer may serve, so nothing can be told.";
  const admitted = `Of ${count(requests)} requests of the last seven days it would have been for ${percent(share.expected)} (${percent(share.low)} to ${percent(share.high)}).`;
  if (!shown || !cost) return `${admitted} Too few of them were sampled to tell how often it would have been shown.`;
  return (
    `${admitted} It would likely have been shown ${count(shown.expected)} times (${count(shown.low)} to ${count(shown.high)}), ` +
    `for ${cost.expected.toFixed(2)} USD (${cost.low.toFixed(2)} to ${cost.high.toFixed(2)}).`
  );
};

/**
 * Answers `POST /api/v1/offers/forecast`: which of last week's requests an offer would have been for, how often it would
 * likely have been shown, and what that would have cost. Counts and keeps nothing.
 */
export const forecast = factory
  .createApp()
  .post("/", allow("manager"), ...jsonBody(forecastBody, { readOnly: READ_ONLY }), async (c) => {
    const { advertiserId, ...body } = c.req.valid("json");
    const traffic = await readTraffic(c.var.db, c.var.actor, advertiserId, body.targeting ?? {});
    const { facts, days } = traffic;
    const requests = days.reduce((total, of) => total + of, 0);
    const planned = plannedOf(body, traffic.advertiserSerial);
    const candidate = candidateOf(planned);
    const admitted = facts.filter((fact) => admits(candidate, fact));
    const { candidates, seen } = await readCompetition(c.var.db, admitted);
    const plays = admitted.flatMap((fact) => {
      const found = candidates.get(placeKey(fact));
      return found ? [{ fact, candidates: found }] : [];
    });
    const around: Surroundings = {
      days,
      rates: traffic.rates,
      slots: inPlaces(traffic.slots, ({ clicks, exposure }) => ({ count: clicks, exposure }), {
        count: 0,
        exposure: 0,
      }),
      seen: seenRates(
        seen.fills,
        inPlaces(seen.impressions, ({ impressions }) => impressions, 0),
        plays.map(({ fact }) => fact.count),
      ),
    };
    const sampled = { admitted: admitted.length, sampled: facts.length };
    const told = await forecastOf(planned, sampled, plays, around, giveWay);
    const share = admittedShare(admitted.length, facts.length);
    const shown = told && times(told.shown, 1);
    const cost = told && usd(told.cost);
    const data = {
      since: traffic.since,
      requests,
      sampled: traffic.sampled,
      share,
      admitted: share && times(share, requests),
      placements: new Set(admitted.map(({ placementId }) => placementId)).size,
      shown,
      cost,
      summary:
        wordsOf({ share, requests, shown, cost }) + (body.startsAt || body.endsAt ? " Its dates are left out." : ""),
    };
    return c.json({ success: true, data });
  });
