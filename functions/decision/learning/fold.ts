import {
  advertiserRate,
  meanOf,
  networkRate,
  offerBelief,
  placeFactor,
  USUAL_STRENGTHS,
  type Belief,
  type Evidence,
  type Strengths,
} from "./belief.ts";

/** Says how days weigh: the day `origin`, counted from 1970, weighs 1, and twice as much after `halfLife` days. */
export type Fading = { halfLife: number; origin: number };

/**
 * Returns the weight of what happened on a day. Newer days weigh more, which fades older ones without touching them
 * (forward decay): whoever reads sums divides them by the weight of today.
 *
 * @param day days since 1970
 */
export const weightOf = (day: number, { halfLife, origin }: Fading): number => 2 ** ((day - origin) / halfLife);

/** Changes the half-life of sums that are there already: what they weigh today stays as it is. */
export const refaded = ({ halfLife, origin }: Fading, wanted: number, today: number): Fading => ({
  halfLife: wanted,
  origin: today - ((today - origin) / halfLife) * wanted,
});

/** Assumes how many impressions are clicked and how many clicks convert, where nothing is known. */
export const ASSUMED_RATES = [0.02, 0.05] as const;

/** Holds sums about impressions that led to clicks, and clicks that led to conversions. */
export type Sums = { clicks: number; exposure: number; conversions: number; clicked: number };

/** Stands for sums of nothing. */
export const NO_SUMS: Readonly<Sums> = { clicks: 0, exposure: 0, conversions: 0, clicked: 0 };

/** Names a stage on the way to money: clicks by impressions, conversions by clicks. */
export type Stage = 0 | 1;

/** Reads the evidence of a stage. */
export const evidenceOf = ({ clicks, exposure, conversions, clicked }: Sums, stage: Stage): Evidence =>
  stage === 0 ? { count: clicks, exposure } : { count: conversions, exposure: clicked };

/** Holds what was added to a counter since it was last folded. `day` counts from 1970. */
export type Increase = {
  day: number;
  placementId: string;
  country: string;
  offerId: string;
  advertiserId: string;
  isRandom: boolean;
  place: number;
  impressions: number;
  clicks: number;
  conversions: number;
};

/**
 * Tells what is known so far, as faded sums. `place` tells what was expected in its exposures. `slots` has clicks by place
 * in an answer, of sessions that were served at random, and how many were expected there of the offers.
 */
export type Known = {
  offer: (id: string) => Sums;
  /** Tells of all offers of an advertiser but one. */
  others: (advertiserId: string, offerId: string) => Sums;
  place: (placementId: string, country: string) => Sums;
  network: Sums;
  slots: readonly Evidence[];
  strengths: readonly [Strengths, Strengths];
};

/** Holds sums to be added to what is known, by what they are about. `cells` are offers in a placement and country. */
export type Folded = {
  cells: (Sums & { placementId: string; country: string; offerId: string })[];
  offers: (Sums & { offerId: string; advertiserId: string })[];
  places: (Sums & { placementId: string; country: string })[];
  network: Sums;
  slots: (Evidence & { place: number })[];
};

const SLOT_EVENTS = 20;

/** Returns how much more often than expected offers were clicked in a place, drawn towards 1. */
const slotRate = (slots: readonly Evidence[], place: number): number => {
  const { count, exposure } = slots[place] ?? { count: 0, exposure: 0 };
  return (count + SLOT_EVENTS) / (exposure + SLOT_EVENTS);
};

/**
 * Returns by which factor a place in an answer is clicked more than the first. It is measured where offers stood at random,
 * against what was expected of those that stood there: those of a lower priority are not what makes a place worse.
 */
export const slotEffect = (slots: readonly Evidence[], place: number): number =>
  slotRate(slots, place) / slotRate(slots, 0);

/** Returns what is believed of an offer's rate at a stage, wherever it is shown. */
export const offerRate = (known: Known, offerId: string, advertiserId: string, stage: Stage): Belief => {
  const network = networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]);
  const own = evidenceOf(known.offer(offerId), stage);
  const others = evidenceOf(known.others(advertiserId, offerId), stage);
  return offerBelief(own, advertiserRate(others, network), known.strengths[stage].offer);
};

/** Takes sums from others that they are a part of. */
export const minus = (sums: Readonly<Sums>, part: Readonly<Sums>): Sums => ({
  clicks: sums.clicks - part.clicks,
  exposure: sums.exposure - part.exposure,
  conversions: sums.conversions - part.conversions,
  clicked: sums.clicked - part.clicked,
});

/** Counts those clicks only whose conversions have come, by the share of them that have. */
export const ripe = (sums: Readonly<Sums>, maturity: number): Sums => ({ ...sums, clicked: sums.clicked * maturity });

const add = (to: Sums, sums: Sums): void => {
  to.clicks += sums.clicks;
  to.exposure += sums.exposure;
  to.conversions += sums.conversions;
  to.clicked += sums.clicked;
};

/** Collects sums by name. */
const collecting = <Name extends object>() => {
  const sums = new Map<string, Sums & Name>();
  return {
    add: (key: string, name: Name, part: Sums) => {
      const known = sums.get(key);
      if (known) add(known, part);
      else sums.set(key, { ...name, ...part });
    },
    all: () => [...sums.values()],
  };
};

/**
 * Folds what was counted into sums that beliefs are made of. An impression counts by the effect of its place in the
 * answer; for an offer anywhere also by the factor of its placement and country.
 *
 * @param known what is known so far; sums of one day's weight, see {@link weightOf}
 * @param fading how days weigh
 * @returns what to add to what is known, with the weights of the days on which it happened
 */
export const fold = (increases: readonly Increase[], known: Known, fading: Fading): Folded => {
  const cells = collecting<{ placementId: string; country: string; offerId: string }>();
  const offers = collecting<{ offerId: string; advertiserId: string }>();
  const places = collecting<{ placementId: string; country: string }>();
  const network: Sums = { ...NO_SUMS };
  const slots = new Map<number, Evidence>();
  for (const { placementId, country, offerId, advertiserId, ...counted } of increases) {
    const weight = weightOf(counted.day, fading);
    const clicks = weight * counted.clicks;
    const conversions = weight * counted.conversions;
    const exposure = weight * counted.impressions * slotEffect(known.slots, counted.place);
    const place = known.place(placementId, country);
    const [clickFactor, conversionFactor] = [placeFactor(evidenceOf(place, 0)), placeFactor(evidenceOf(place, 1))];
    const [clickRate, conversionRate] = [
      meanOf(offerRate(known, offerId, advertiserId, 0)),
      meanOf(offerRate(known, offerId, advertiserId, 1)),
    ];
    const cell: Sums = { clicks, exposure, conversions, clicked: clicks };
    const anywhere: Sums = {
      clicks,
      exposure: exposure * clickFactor,
      conversions,
      clicked: clicks * conversionFactor,
    };
    const expected: Sums = {
      clicks,
      exposure: exposure * clickRate,
      conversions,
      clicked: clicks * conversionRate,
    };
    cells.add(`${placementId} ${country} ${offerId}`, { placementId, country, offerId }, cell);
    offers.add(offerId, { offerId, advertiserId }, anywhere);
    places.add(`${placementId} ${country}`, { placementId, country }, expected);
    add(network, anywhere);
    if (counted.isRandom) {
      const slot = slots.get(counted.place) ?? { count: 0, exposure: 0 };
      slots.set(counted.place, {
        count: slot.count + clicks,
        exposure: slot.exposure + weight * counted.impressions * clickRate * clickFactor,
      });
    }
  }
  return {
    cells: cells.all(),
    offers: offers.all(),
    places: places.all(),
    network,
    slots: [...slots].map(([place, { count, exposure }]) => ({ place, count, exposure })),
  };
};

/** Divides sums by a weight: what is left of them on the day of that weight. */
export const faded = ({ clicks, exposure, conversions, clicked }: Sums, weight: number): Sums => ({
  clicks: clicks / weight,
  exposure: exposure / weight,
  conversions: conversions / weight,
  clicked: clicked / weight,
});

/** Stands for the strengths of both stages while there is nothing to estimate them from. */
export const USUAL: readonly [Strengths, Strengths] = [USUAL_STRENGTHS, USUAL_STRENGTHS];
