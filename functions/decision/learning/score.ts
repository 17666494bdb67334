import type { Candidate, LearnedRates } from "../../../db/documents/types.ts";
import {
  cellBelief,
  meanOf,
  offerBelief,
  placeFactor,
  productOf,
  USUAL_STRENGTHS,
  type Belief,
  type Evidence,
  type Strengths,
} from "./belief.ts";

/** Says how many events a guess is worth, for an offer about which a document has no evidence. */
const GUESS_SHAPE = 1 / (1 / USUAL_STRENGTHS.offer + 1 / USUAL_STRENGTHS.cell);

/**
 * Sets how far scores spread around what is expected, in standard deviations of the belief. At 1, offers would come
 * first as often as they are likely to be the best, which costs more in trials than it gains (test/simulate/README.md).
 */
const SPREAD = 0.5;

const evidenceAt = (numbers: readonly number[], i: number): Evidence => ({
  count: numbers[i] ?? 0,
  exposure: numbers[i + 1] ?? 0,
});

/** Lets chance decide between offers of equal and certain worth. */
const TIE = 1e-6;

/** Says how many numbers a document has for each stage of an offer; one more may follow those of all stages. */
const NUMBERS = 5;

/**
 * Reads the factor by which an offer is clicked more elsewhere in the placement and elsewhere in the country; 1 if
 * unknown.
 */
const liftAt = (numbers: readonly number[]): number =>
  numbers.length % NUMBERS === 1 ? (numbers[numbers.length - 1] ?? 1) : 1;

/**
 * Holds the index of the number that counts impressions over all places, and of the one for the placement and country.
 */
export const OWN_EXPOSURE = 2;
export const CELL_EXPOSURE = 4;

/** Returns the factor by which the placement and country of a list differ from others at a stage. */
export const factorAt = (stage: number, learned: LearnedRates | undefined): number =>
  placeFactor(evidenceAt(learned?.places ?? [], 2 * stage));

/** Reads how many events the rate of an offer's advertiser is worth at a stage: see {@link Strengths}. */
export const offerStrength = (stage: number, learned: LearnedRates | undefined): number =>
  learned?.strengths[2 * stage] ?? USUAL_STRENGTHS.offer;

/** Reads the belief about one stage: 0 for clicks per impression, 1 for conversions per click. */
const beliefAt = (stage: number, numbers: readonly number[], learned: LearnedRates): Belief => {
  const { strengths } = learned;
  const first = stage * NUMBERS;
  const own: Strengths = {
    offer: offerStrength(stage, learned),
    cell: strengths[2 * stage + 1] ?? USUAL_STRENGTHS.cell,
  };
  return cellBelief(
    evidenceAt(numbers, first + 1),
    evidenceAt(numbers, first + 3),
    factorAt(stage, learned),
    numbers[first] ?? 0,
    own,
    stage === 0 ? liftAt(numbers) : 1,
  );
};

/**
 * Returns the factor by which a candidate's rate is believed to differ from its advertiser's, over all places; null
 * where a document has nothing about the stage.
 *
 * @param index the candidate's index in its document
 */
export const ownFactor = (stage: number, index: number, learned: LearnedRates | undefined): number | null => {
  const numbers = learned?.rates[index] ?? [];
  const first = stage * NUMBERS;
  const advertiser = numbers[first];
  if (advertiser === undefined || numbers.length < first + NUMBERS) return null;
  return meanOf(offerBelief(evidenceAt(numbers, first + 1), advertiser, offerStrength(stage, learned))) / advertiser;
};

/** Lists the stages that a document has, by their number. */
const TOLD = [[], [0], [0, 1]];

/** Returns what is believed of the product of the rates of all stages that a document has. */
const overStages = (rates: readonly number[], beliefOf: (stage: number) => Belief): Belief =>
  productOf((TOLD[Math.floor(rates.length / NUMBERS)] ?? []).map(beliefOf));

/**
 * Returns what is believed of how often an impression of a candidate is paid for, in its placement and country; null
 * where every impression is paid for, or nothing is known.
 *
 * @param index the candidate's index in its document
 */
export const paidRate = (index: number, learned: LearnedRates | undefined): Belief | null => {
  const rates = learned?.rates[index];
  if (!learned || !rates || rates.length === 0) return null;
  return overStages(rates, (stage) => beliefAt(stage, rates, learned));
};

/** Describes what an impression of an offer is worth, in micro-USD, and how much is known of that. */
export type Worth = {
  /** Holds the expected value. */
  expected: number;
  /** Holds the shape of the belief; infinite where nothing is uncertain. */
  shape: number;
};

/**
 * Returns what an impression of a candidate is worth in its placement and country.
 *
 * @param index the candidate's index in its document
 */
export const worthOf = (offer: Candidate, index: number, learned: LearnedRates | undefined): Worth => {
  const belief = paidRate(index, learned);
  if (belief) return { expected: offer.valueMicros * meanOf(belief), shape: belief.shape };
  if (offer.pricing === "CPM") return { expected: offer.valueMicros / 1_000, shape: Infinity };
  return { expected: offer.ecpmMicros / 1_000, shape: GUESS_SHAPE };
};

/** Says how far little evidence may mislead, in standard deviations of the belief. */
const DOUBT = 2;

/** Sets for how many impressions an offer counts as possibly the best, whatever is believed of it. */
const FLOOR = 20;

/** Says how many events the rate of an offer's advertiser is worth for the most that the offer might be worth. */
const HOPED_EVENTS = 2;

/**
 * Returns the most that an impression of a candidate might be worth in its placement and country, going by what
 * happened to it over all places, and very little by its advertiser's other offers. It is infinite for the first 20
 * impressions.
 *
 * @param index the candidate's index in its document
 */
export const hopeOf = (offer: Candidate, index: number, learned: LearnedRates | undefined): number => {
  const rates = learned?.rates[index] ?? [];
  if ((rates[OWN_EXPOSURE] ?? 0) < FLOOR) return Infinity;
  const belief = overStages(rates, (stage) => {
    const first = stage * NUMBERS;
    const own = offerBelief(evidenceAt(rates, first + 1), rates[first] ?? 0, HOPED_EVENTS);
    return { ...own, exposure: own.exposure / factorAt(stage, learned) };
  });
  return boundOf({ expected: offer.valueMicros * meanOf(belief), shape: belief.shape }, DOUBT);
};

/** Holds the terms of a score: `center + spread · z`, where z is a standard normal variable. */
export type Terms = { center: number; spread: number };

/**
 * Returns the terms of a score that orders offers by draws from what is believed of their worth (Thompson sampling). The
 * cube root of a gamma variable is nearly normal (Wilson and Hilferty, 1931), and cube roots order as values do.
 *
 * @param narrowing narrows the spread, in standard deviations of the belief
 */
export const termsOf = ({ expected, shape }: Worth, narrowing = SPREAD): Terms => {
  const root = Math.cbrt(expected);
  if (shape === Infinity) return { center: root, spread: TIE };
  return { center: root * (1 - 1 / (9 * shape)), spread: (narrowing * root) / (3 * Math.sqrt(shape)) + TIE };
};

/** Returns the worth that the belief puts at a quantile, given as that of the normal distribution. */
export const boundOf = ({ expected, shape }: Worth, z: number): number =>
  shape === Infinity ? expected : expected * Math.max(0, 1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape))) ** 3;
