import { LINE_EVENTS, MOST_LIFT, MOST_PLACE, PLACE_EVENTS } from "../../../db/learning/sums.ts";

/**
 * Holds how often something happened, and how often it could have: clicks out of impressions, or conversions out of
 * clicks. Both fade with age, so they are not whole numbers.
 */
export type Evidence = { count: number; exposure: number };

/** Describes what is believed of a rate: a gamma distribution with the mean `shape / exposure`. */
export type Belief = { shape: number; exposure: number };

/**
 * Says how many events a prior rate is worth: `offer` for the rate of its advertiser, towards which an offer's rate is
 * drawn, and `cell` for the offer's own rate, towards which its rate in a placement and country (a cell) is drawn. Both
 * are estimated by strength.ts.
 */
export type Strengths = { offer: number; cell: number };

/** Stands for strengths while there is nothing to estimate them from. */
export const USUAL_STRENGTHS: Strengths = { offer: 10, cell: 20 };

/** Replaces negative numbers by 0: conversions that are taken back may outnumber those still known. */
const positive = (number: number): number => Math.max(0, number);

/** Keeps a factor between `1 / most` and `most`. */
const within = (most: number, factor: number): number => Math.min(most, Math.max(1 / most, factor));

/**
 * Bounds estimated strengths. Estimates for offers come out too high, since most counts come from the offers shown
 * most, which are much alike. Besides, what an offer does itself should soon weigh more than what its advertiser's
 * others do.
 */
export const MOST_STRENGTHS: Strengths = { offer: 4, cell: 50 };

const NETWORK_EVENTS = 20;

/** Sets how many events the network's rate is worth, towards which that of an advertiser's other offers is drawn. */
const ADVERTISER_EVENTS = 20;

/**
 * Bounds how many events the rate of an advertiser's other offers is worth: however often these were shown, they are
 * few, and another offer differs from them as they do from each other.
 */
const MOST_ADVERTISER_EVENTS = 10;

/** Returns the rate of the whole network, drawn towards the rate that is assumed where nothing is known. */
export const networkRate = ({ count, exposure }: Evidence, assumed: number): number =>
  (positive(count) + NETWORK_EVENTS) / (positive(exposure) + NETWORK_EVENTS / assumed);

/**
 * Returns the rate of an advertiser's other offers, drawn towards the network's. The offer's own evidence is left out,
 * since it would count twice: an offer that began badly would be believed to be bad at once, and never be shown again.
 *
 * @param others the evidence of all its offers except the one in question
 */
export const advertiserRate = (others: Evidence, network: number): number => {
  const exposure = positive(others.exposure);
  const told = Math.min(1, MOST_ADVERTISER_EVENTS / Math.max(exposure * network, Number.MIN_VALUE));
  return (told * positive(others.count) + ADVERTISER_EVENTS) / (told * exposure + ADVERTISER_EVENTS / network);
};

/**
 * Returns the factor by which rates in a placement and country differ from those elsewhere.
 *
 * @param place what happened there, and as its exposure what was expected of the offers shown there; see {@link
 *   drawnTo}
 */
export const placeFactor = ({ count, exposure }: Evidence): number =>
  within(MOST_PLACE, (positive(count) + PLACE_EVENTS) / (exposure + PLACE_EVENTS));

/**
 * Returns what to add to an exposure so that {@link placeFactor} draws towards the usual factor rather than 1. It may
 * be negative, but never cancels all that {@link placeFactor} adds.
 */
export const drawnTo = (usual: number): number => PLACE_EVENTS / usual - PLACE_EVENTS;

/**
 * Returns the factor by which an offer's rate in a placement, or in a country, differs from its rate over all places.
 *
 * @param line its evidence there, without that of the cell in question; each exposure is multiplied by the factor of
 *   its place
 * @param rate its rate over all places
 */
export const lineFactor = ({ count, exposure }: Evidence, rate: number): number => {
  if (exposure <= 0) return 1;
  return within(MOST_LIFT, (positive(count) + LINE_EVENTS) / (exposure * rate + LINE_EVENTS));
};

/**
 * Returns what is believed of an offer's rate over all places.
 *
 * @param own its evidence; each exposure is multiplied by the factor of its place
 * @param advertiser the rate of its advertiser
 * @param strength how many events the advertiser's rate is worth
 */
export const offerBelief = (own: Evidence, advertiser: number, strength: number): Belief => ({
  shape: strength + positive(own.count),
  exposure: strength / advertiser + positive(own.exposure),
});

/**
 * Returns what is believed of an offer's rate in a placement and country: its own evidence there, drawn towards its
 * rate elsewhere times the factors of this place. The less is known elsewhere, the weaker the pull.
 *
 * @param own the offer's evidence over all places, this cell's included
 * @param factor the factor of this place
 * @param lift the product of the offer's own factors in this placement and in this country
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
 * Returns the belief about a product of independent rates, such as clicks per impression and conversions per click.
 * Relative variances add up.
 */
export const productOf = (beliefs: readonly Belief[]): Belief => {
  const shape = 1 / beliefs.reduce((sum, belief) => sum + 1 / belief.shape, 0);
  return { shape, exposure: shape / beliefs.reduce((product, belief) => product * meanOf(belief), 1) };
};
