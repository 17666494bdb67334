import { LINE_EVENTS, MOST_LIFT, MOST_PLACE, PLACE_EVENTS } from "../../../db/learning/sums.ts";

/**
 * Holds how often something happened, and how often it could have: clicks of impressions, or conversions of clicks. Both
 * fade with age, so they are no whole numbers.
 */
export type Evidence = { count: number; exposure: number };

/** Describes what is believed of a rate: a gamma distribution, whose mean is `shape` by `exposure`. */
export type Belief = { shape: number; exposure: number };

/**
 * Says how many events a rate outweighs that it is drawn towards: an offer's the rate of its advertiser, a cell's (an offer
 * in a placement and country) the offer's own. Estimated by strength.ts.
 */
export type Strengths = { offer: number; cell: number };

/** Stands for strengths while there is nothing to estimate them from. */
export const USUAL_STRENGTHS: Strengths = { offer: 10, cell: 20 };

/** Takes what is below 0 for 0: conversions that are taken back may outnumber those that are still known. */
const positive = (number: number): number => Math.max(0, number);

/** Holds a factor within `most` and one by it. */
const within = (most: number, factor: number): number => Math.min(most, Math.max(1 / most, factor));

/**
 * Bounds strengths that are estimated. Those of offers come out too high, since counts come mostly from what is shown most,
 * which is much alike; and an offer that begins badly should not be held to its advertiser's rate for long.
 */
export const MOST_STRENGTHS: Strengths = { offer: 4, cell: 50 };

const NETWORK_EVENTS = 20;

/** Sets how many events the network's rate outweighs that an advertiser's others are drawn towards. */
const ADVERTISER_EVENTS = 20;

/**
 * Bounds how many events an advertiser's other offers tell as much as: however often these were shown, they are a few offers
 * only, and another one differs from them as they do from each other.
 */
const MOST_ADVERTISER_EVENTS = 10;

/** Returns the rate of the whole network, drawn towards what is assumed where nothing is known. */
export const networkRate = ({ count, exposure }: Evidence, assumed: number): number =>
  (positive(count) + NETWORK_EVENTS) / (positive(exposure) + NETWORK_EVENTS / assumed);

/**
 * Returns the rate of an advertiser's other offers, drawn towards the network's. An offer's own evidence would count twice:
 * one that began badly would be believed to be bad at once, and never shown again.
 *
 * @param others the evidence of all its offers but the one in question
 */
export const advertiserRate = (others: Evidence, network: number): number => {
  const exposure = positive(others.exposure);
  const told = Math.min(1, MOST_ADVERTISER_EVENTS / Math.max(exposure * network, Number.MIN_VALUE));
  return (told * positive(others.count) + ADVERTISER_EVENTS) / (told * exposure + ADVERTISER_EVENTS / network);
};

/**
 * Returns by which factor rates in a placement and country differ from elsewhere.
 *
 * @param place what happened there, over what was expected there of its offers; see {@link drawnTo}
 */
export const placeFactor = ({ count, exposure }: Evidence): number =>
  within(MOST_PLACE, (positive(count) + PLACE_EVENTS) / (exposure + PLACE_EVENTS));

/**
 * Returns what to add to an exposure so that {@link placeFactor} draws towards the usual factor in place of 1. It may be below
 * 0, but never takes all of what that adds.
 */
export const drawnTo = (usual: number): number => PLACE_EVENTS / usual - PLACE_EVENTS;

/**
 * Returns by which factor an offer's rate in a placement, or in a country, differs from its rate anywhere.
 *
 * @param line its evidence there, without that of the cell in question; each exposure counts by the factor of its place
 * @param rate its rate anywhere
 */
export const lineFactor = ({ count, exposure }: Evidence, rate: number): number => {
  if (exposure <= 0) return 1;
  return within(MOST_LIFT, (positive(count) + LINE_EVENTS) / (exposure * rate + LINE_EVENTS));
};

/**
 * Returns what is believed of an offer's rate anywhere.
 *
 * @param own its evidence; each exposure counts by the factor of its place
 * @param advertiser the rate of its advertiser
 * @param strength how many events the advertiser's rate outweighs
 */
export const offerBelief = (own: Evidence, advertiser: number, strength: number): Belief => ({
  shape: strength + positive(own.count),
  exposure: strength / advertiser + positive(own.exposure),
});

/**
 * Returns what is believed of an offer's rate in a placement and country: its own evidence there, drawn towards its rate
 * elsewhere as that does in this place. The less is known elsewhere, the less it draws.
 *
 * @param own the offer's evidence everywhere, this cell's included
 * @param factor the factor of this place
 * @param lift the factors of the offer in this placement and in this country
 */
export const cellBelief = (
  own: Evidence,
  cell: Evidence,
  factor: number,
  advertiser: number,
  strengths: Strengths,
  lift = 1,
): Belief => {
  const others = {
    count: own.count - cell.count,
    exposure: own.exposure - cell.exposure * factor,
  };
  const elsewhere = offerBelief(others, advertiser, strengths.offer);
  const shape = 1 / (1 / elsewhere.shape + 1 / strengths.cell);
  const rate = (factor * lift * elsewhere.shape) / elsewhere.exposure;
  return { shape: shape + positive(cell.count), exposure: shape / rate + positive(cell.exposure) };
};

/** Returns the mean of a belief. */
export const meanOf = ({ shape, exposure }: Belief): number => shape / exposure;

/**
 * Returns the belief about a product of independent rates, as of clicks by impressions and conversions by clicks. Relative
 * variances add up.
 */
export const productOf = (beliefs: readonly Belief[]): Belief => {
  const shape = 1 / beliefs.reduce((sum, belief) => sum + 1 / belief.shape, 0);
  return { shape, exposure: shape / beliefs.reduce((product, belief) => product * meanOf(belief), 1) };
};
