/** Draws numbers from 0 to below 1; the same seed gives the same numbers (mulberry32). */
export type Random = () => number;

export const seeded = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Returns the shares of `count` things, of which the n-th is taken in proportion to n to the power of −`exponent`. */
export const zipfShares = (count: number, exponent: number): Float64Array => {
  const weights = Float64Array.from({ length: count }, (_, i) => (i + 1) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

/** Draws indexes by their shares, in logarithmic time. */
export const drawer = (shares: Float64Array, random: Random): (() => number) => {
  let sum = 0;
  const bounds = shares.map((share) => (sum += share));
  return () => {
    const drawn = random() * sum;
    let low = 0;
    let high = bounds.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bounds[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};

/** Draws the time to the next of events that come at random with a mean distance. */
export const exponential = (mean: number, random: Random): number => -Math.log(1 - random()) * mean;

/** Returns the value below which a share of sorted values lies. */
export const quantile = (sorted: readonly number[] | Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
