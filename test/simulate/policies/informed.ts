import { hash32, mix32 } from "../../../functions/core/hash.ts";
import type { Increase } from "../../../functions/decision/learning/fold.ts";
import { doubtTable, stepOf } from "../../../functions/decision/learning/normal.ts";
import { bestOf } from "../core/best.ts";
import type { OpenOffer, Place, Policy } from "../core/policy.ts";
import type { Tastes } from "../worlds/tastes.ts";

/**
 * Sets how far scores are drawn upwards, in standard deviations of the belief about an offer's rate over all places.
 */
const SPREAD = 0.8;

/** Bounds how far an effect moves at a time, as a logarithm: far steps overshoot. */
const STEP = 0.5;

/** Names what a rate depends on: an offer, where it is looked at. */
type Look = { offerId: string; advertiserId: string; placementId: string; country: string };

/** Holds effects of one kind, by their names: logarithms of factors, and how well each is known. */
type Effects = {
  nameOf: (look: Look) => string;
  /** Holds how much these effects differ from 0, as a variance. */
  variance: number;
  numbers: Map<string, number>;
  values: number[];
  /** Holds the precision of each: one by its variance. */
  precisions: number[];
};

/** Holds what happened to an offer in a placement and country, and which effects make its rate, one of each kind. */
type Row = { clicks: number; impressions: number; effects: number[] };

const effectsOf = (spread: number, nameOf: Effects["nameOf"]): Effects => ({
  nameOf,
  variance: spread ** 2,
  numbers: new Map(),
  values: [],
  precisions: [],
});

const numberOf = ({ numbers, values, precisions, variance }: Effects, name: string): number => {
  let number = numbers.get(name);
  if (number === undefined) {
    number = values.length;
    numbers.set(name, number);
    values.push(0);
    precisions.push(1 / variance);
  }
  return number;
};

/**
 * Orders by the most likely effects given all counts, as somebody could who knows how a stationary world makes its
 * rates, and with which standard deviation it draws each kind of effect: a Poisson regression, with one Newton step of
 * each kind at each batch. It tells how much of the service's regret a better model could save. It reads only clicks,
 * so all offers have to be paid by the click.
 */
export const informedPolicy = (tastes: Tastes): Policy => {
  const usual = Math.log(tastes.usual / (1 - tastes.usual));
  const offers = effectsOf(tastes.offer, ({ offerId }) => offerId);
  const advertisers = effectsOf(tastes.advertiser, ({ advertiserId }) => advertiserId);
  const inPlacements = effectsOf(tastes.offerInPlacement, ({ offerId, placementId }) => `${offerId} ${placementId}`);
  const inCountries = effectsOf(tastes.offerInCountry, ({ offerId, country }) => `${offerId} ${country}`);
  const kinds = [
    effectsOf(tastes.placement, ({ placementId }) => placementId),
    effectsOf(tastes.country, ({ country }) => country),
    offers,
    advertisers,
    inPlacements,
    inCountries,
  ];
  const rows = new Map<string, Row>();

  const count = ({ clicks, impressions, ...look }: Increase): void => {
    const name = `${look.offerId} ${look.placementId} ${look.country}`;
    let row = rows.get(name);
    if (!row) {
      row = { clicks: 0, impressions: 0, effects: kinds.map((kind) => numberOf(kind, kind.nameOf(look))) };
      rows.set(name, row);
    }
    row.clicks += clicks;
    row.impressions += impressions;
  };

  const expectedOf = ({ impressions, effects }: Row): number => {
    let logarithm = usual;
    for (let k = 0; k < kinds.length; k++) logarithm += kinds[k]?.values[effects[k] ?? 0] ?? 0;
    return impressions * Math.exp(logarithm);
  };

  /** Moves the effects of a kind towards what is most likely, the others as they are. */
  const improve = ({ values, precisions, variance }: Effects, k: number): void => {
    const excess = values.map(() => 0);
    const expected = values.map(() => 0);
    for (const row of rows.values()) {
      const at = row.effects[k] ?? 0;
      const expects = expectedOf(row);
      excess[at] = (excess[at] ?? 0) + row.clicks - expects;
      expected[at] = (expected[at] ?? 0) + expects;
    }
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? 0;
      const precision = (expected[i] ?? 0) + 1 / variance;
      const step = ((excess[i] ?? 0) - value / variance) / precision;
      values[i] = value + Math.max(-STEP, Math.min(STEP, step));
      precisions[i] = precision;
    }
  };

  const told = [offers, advertisers, inPlacements, inCountries];
  const places = new Map<Place, Map<OpenOffer, { hash: number; effects: number[] }>>();

  /** Returns the numbers of the effects that tell an offer apart in a place, kept for the next time it is asked for. */
  const effectsAt = (place: Place, offer: OpenOffer): { hash: number; effects: number[] } => {
    const here = places.get(place) ?? new Map<OpenOffer, { hash: number; effects: number[] }>();
    places.set(place, here);
    let known = here.get(offer);
    if (!known) {
      const look = { offerId: offer.candidate.id, advertiserId: offer.advertiserId, ...place };
      known = { hash: hash32(look.offerId), effects: told.map((kind) => numberOf(kind, kind.nameOf(look))) };
      here.set(offer, known);
    }
    return known;
  };

  return {
    choose: ({ session, place, count: wanted }, open) => {
      const hash = hash32(session);
      const table = doubtTable();
      const chosen = bestOf(open, wanted, (offer) => {
        const known = effectsAt(place, offer);
        const doubt = table[stepOf(mix32(hash, known.hash))] ?? 0;
        const precision = offers.precisions[known.effects[0] ?? 0] ?? 1;
        let score = Math.log(offer.candidate.valueMicros) + (SPREAD * doubt) / Math.sqrt(precision);
        for (let k = 0; k < told.length; k++) score += told[k]?.values[known.effects[k] ?? 0] ?? 0;
        return score;
      });
      return chosen.map(({ candidate }) => candidate.serial);
    },
    learn: (increases) => {
      for (const increase of increases) count(increase);
      for (const [k, kind] of kinds.entries()) improve(kind, k);
    },
  };
};
