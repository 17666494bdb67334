import { ASSUMED_RATES } from "../../../db/demand/pricing.ts";
import type { CellSums, Fading, OfferDay, OfferSums, RateSums } from "../../../db/learning/sums.ts";
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
import { collectingDays } from "./days.ts";
import { anywhereSums, type Places } from "./places.ts";
import { evidenceOf, NO_SUMS, plus, plusCell, plusOffer, weightOf, type Stage } from "./sums.ts";

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
  /** Counts clicks that tell how often clicks convert, while `clicks` tell how often the offer is clicked. */
  clicked: number;
  conversions: number;
  /** Tells that no impression that teaches was counted that day where the clicks were. */
  isUnseen?: boolean;
};

/**
 * Holds what is known so far, as faded sums. `slots` has, for each place in an answer, the clicks of sessions that were
 * served at random, and how many were expected of the offers that stood there.
 */
export type Known = {
  offer: (id: string) => RateSums;
  /** Returns the sums of all offers of an advertiser except one. */
  others: (advertiserId: string, offerId: string) => RateSums;
  place: Places;
  network: RateSums;
  slots: readonly Evidence[];
  strengths: readonly [Strengths, Strengths];
};

/** Holds what is known so far, including offers in a placement and country, and their lines: see {@link Folded}. */
export type KnownCells = Known & { cell: (placementId: string, country: string, offerId: string) => CellSums };

/**
 * Holds sums to be added to what is known, by what they are about. `cells` are offers in a placement and country, and
 * also their lines: an entry without a country is about a placement as a whole, one without a placement about a
 * country. Exposures of lines count as they do over all places. `places` also has lines, and one entry for everything:
 * see places.ts. `days` are not weighted.
 */
export type Folded = {
  cells: (CellSums & { placementId: string; country: string; offerId: string })[];
  offers: (OfferSums & { offerId: string })[];
  days: OfferDay[];
  advertisers: (RateSums & { advertiserId: string })[];
  places: (RateSums & { placementId: string; country: string })[];
  network: RateSums;
  slots: (Evidence & { place: number })[];
};

/** Sets how many expected clicks the assumption is worth that a place in an answer is clicked like any other. */
const SLOT_EVENTS = 20;

/** Returns the factor by which offers in a place were clicked more often than expected, drawn towards 1. */
const slotRate = (slots: readonly Evidence[], place: number): number => {
  const { count, exposure } = slots[place] ?? { count: 0, exposure: 0 };
  return (count + SLOT_EVENTS) / (exposure + SLOT_EVENTS);
};

/**
 * Returns the factor by which a place in an answer is clicked more than the first. It is measured where offers stood at
 * random, against what was expected of those that stood there: so offers of a low priority do not make a place look
 * worse.
 */
export const slotEffect = (slots: readonly Evidence[], place: number): number =>
  slotRate(slots, place) / slotRate(slots, 0);

/**
 * Bounds how many expected events one offer's evidence about its placement and country is worth. Otherwise, the offer
 * that is shown most there would speak for all: where it is liked less than elsewhere, others would seem to be liked
 * less, too, and never get their turn.
 */
const MOST_OFFER_EVENTS = 5;

/**
 * Returns the part of what was counted for an offer that counts as evidence about its placement and country. It
 * shrinks, so that all of it together stays below the bound. But each of the counters that are learned from at once may
 * use all that is left: bounding them together earned no more (test/simulate/README.md).
 *
 * @param before how many events were expected of it there
 * @param more how many more are expected now
 */
const toldPart = (before: number, more: number): number =>
  MOST_OFFER_EVENTS ** 2 / ((MOST_OFFER_EVENTS + before) * (MOST_OFFER_EVENTS + before + more));

/** Returns what is believed of an offer's rate at a stage, over all places. */
export const offerRate = (known: Known, offerId: string, advertiserId: string, stage: Stage): Belief => {
  const network = networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]);
  const own = evidenceOf(known.offer(offerId), stage);
  const others = evidenceOf(known.others(advertiserId, offerId), stage);
  return offerBelief(own, advertiserRate(others, network), known.strengths[stage].offer);
};

/** Collects sums by name. */
const collecting = <Name extends object, Sums extends RateSums = RateSums>(add: (a: Sums, b: Sums) => Sums) => {
  const collected = new Map<string, { name: Name; sums: Sums }>();
  return {
    add: (key: string, name: Name, part: Sums) => {
      const known = collected.get(key);
      if (known) known.sums = add(known.sums, part);
      else collected.set(key, { name, sums: part });
    },
    all: () => Array.from(collected.values(), ({ name, sums }) => ({ ...name, ...sums })),
  };
};

/**
 * Returns what was counted as sums, with the weight of its day. Impressions are multiplied by the effect of their place
 * in the answer.
 */
export const hereSums = (
  { day, place, impressions, clicks, clicked, conversions }: Omit<Increase, "offerId" | "advertiserId" | "isRandom">,
  slots: readonly Evidence[],
  fading: Fading,
): RateSums => {
  const weight = weightOf(day, fading);
  return {
    clicks: weight * clicks,
    exposure: weight * impressions * slotEffect(slots, place),
    conversions: weight * conversions,
    clicked: weight * clicked,
  };
};

/**
 * Folds what was counted into the sums that beliefs are made from. Impressions are multiplied by the effect of their
 * place in the answer and, in sums over all places, by the factor of their placement and country.
 *
 * @param known what is known so far; as sums that were divided by today's weight, see {@link weightOf}
 * @param fading sets the weights of days
 * @returns what to add to what is known, with the weights of the days on which it happened
 */
export const fold = (increases: readonly Increase[], known: KnownCells, fading: Fading): Folded => {
  const cells = collecting<{ placementId: string; country: string; offerId: string }, CellSums>(plusCell);
  const offers = collecting<{ offerId: string }, OfferSums>(plusOffer);
  const days = collectingDays();
  const advertisers = collecting<{ advertiserId: string }>(plus);
  const places = collecting<{ placementId: string; country: string }>(plus);
  let network: RateSums = NO_SUMS;
  const slots = new Map<number, Evidence>();
  const rates = new Map<string, readonly [number, number]>();
  const ratesOf = (offerId: string, advertiserId: string): readonly [number, number] => {
    const rateOf = (stage: Stage): number => meanOf(offerRate(known, offerId, advertiserId, stage));
    const found = rates.get(offerId) ?? [rateOf(0), rateOf(1)];
    rates.set(offerId, found);
    return found;
  };
  for (const increase of increases) {
    const { placementId, country, offerId, advertiserId, ...counted } = increase;
    const here = hereSums({ placementId, country, ...counted }, known.slots, fading);
    const place = known.place(placementId, country);
    const anywhere = anywhereSums(here, place);
    const [clickRate, conversionRate] = ratesOf(offerId, advertiserId);
    const cell = known.cell(placementId, country, offerId);
    const weight = weightOf(counted.day, fading);
    const told = toldPart(cell.exposure * clickRate, (here.exposure / weight) * clickRate);
    const toldOfClicks = toldPart(cell.clicked * conversionRate, (here.clicked / weight) * conversionRate);
    const expected: RateSums = {
      clicks: told * here.clicks,
      exposure: told * here.exposure * clickRate,
      conversions: toldOfClicks * here.conversions,
      clicked: toldOfClicks * here.clicked * conversionRate,
    };
    const line = { ...anywhere, anywhere: anywhere.exposure };
    cells.add(
      `${placementId} ${country} ${offerId}`,
      { placementId, country, offerId },
      { ...here, anywhere: anywhere.exposure },
    );
    cells.add(`${placementId}  ${offerId}`, { placementId, country: "", offerId }, line);
    cells.add(` ${country} ${offerId}`, { placementId: "", country, offerId }, line);
    offers.add(offerId, { offerId }, { ...anywhere, counted: here.clicked });
    days.add(increase, cell, here.exposure / weight);
    advertisers.add(advertiserId, { advertiserId }, anywhere);
    places.add(`${placementId} ${country}`, { placementId, country }, expected);
    places.add(`${placementId} `, { placementId, country: "" }, anywhereSums(expected, known.place("", country)));
    places.add(` ${country}`, { placementId: "", country }, anywhereSums(expected, known.place(placementId, "")));
    places.add(" ", { placementId: "", country: "" }, expected);
    network = plus(network, anywhere);
    if (counted.isRandom) {
      const slot = slots.get(counted.place) ?? { count: 0, exposure: 0 };
      const seen = weightOf(counted.day, fading) * counted.impressions * placeFactor(evidenceOf(place, 0));
      slots.set(counted.place, { count: slot.count + here.clicks, exposure: slot.exposure + seen * clickRate });
    }
  }
  return {
    cells: cells.all(),
    offers: offers.all(),
    days: days.all(),
    advertisers: advertisers.all(),
    places: places.all(),
    network,
    slots: [...slots].map(([place, { count, exposure }]) => ({ place, count, exposure })),
  };
};

/** Stands for the strengths of both stages while there is nothing to estimate them from. */
export const USUAL: readonly [Strengths, Strengths] = [USUAL_STRENGTHS, USUAL_STRENGTHS];
