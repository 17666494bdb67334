import { once } from "../../core/calls/once.ts";

const STEPS = 4_096;

// Coefficients of Acklam's rational approximation (2003), whose relative error is below 1.2e-9.
const CENTER = [
  [-3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.38357751867269e2, -3.066479806614716e1],
  [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1],
] as const;
const CENTER_LAST = 2.506628277459239;
const TAIL = [
  [-7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968],
  [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416],
] as const;
const TAIL_LAST = 2.938163982698783;
const TAIL_BELOW = 0.02425;

/** Evaluates a polynomial of coefficients, the highest power first. */
const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);

/** Returns the value below which a standard normal variable lies with a probability between 0 and 1. */
export const normalQuantile = (probability: number): number => {
  if (probability > 0.5) return -normalQuantile(1 - probability);
  if (probability < TAIL_BELOW) {
    const x = Math.sqrt(-2 * Math.log(probability));
    return polynomial([...TAIL[0], TAIL_LAST], x) / polynomial([...TAIL[1], 1], x);
  }
  const x = probability - 0.5;
  return (polynomial([...CENTER[0], CENTER_LAST], x * x) * x) / polynomial([...CENTER[1], 1], x * x);
};

// Coefficients of Abramowitz and Stegun (1964), 26.2.17, whose error is below 7.5e-8; the highest power first.
const BELOW = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153, 0] as const;
const BELOW_RATE = 0.2316419;

/** Returns the probability that a standard normal variable is below a value. */
export const normalShare = (z: number): number => {
  if (z < 0) return 1 - normalShare(-z);
  const tail = polynomial(BELOW, 1 / (1 + BELOW_RATE * z));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
};

/** Divides values below 0. */
const HAIR = 1_000;

/**
 * Returns the quantiles of 4,096 equal steps of probability, so that a random step gives a normal variable, but with
 * values below 0 made almost 0: doubt about an offer does not cost it its place (optimistic Thompson sampling; May and
 * others, 2012), and chance still decides between equal offers.
 */
export const doubtTable = once(() =>
  Float64Array.from({ length: STEPS }, (_, step) => {
    const z = normalQuantile((step + 0.5) / STEPS);
    return Math.max(z, z / HAIR);
  }),
);

/** Turns a hash of 32 bits into a step of {@link doubtTable}: its highest twelve bits. */
export const stepOf = (hash: number): number => hash >>> 20;
