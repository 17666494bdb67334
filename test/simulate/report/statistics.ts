import type { Random } from "../core/random.ts";

const RESAMPLES = 2_000;

/** Returns the mean of numbers. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the value below which a share of the numbers lies. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

/** Returns a 95 % confidence interval of the mean, by resampling the numbers (bootstrap). */
export const intervalOf = (values: readonly number[], random: Random): [number, number] => {
  const means = Array.from({ length: RESAMPLES }, () =>
    mean(values.map(() => values[random.below(values.length)] ?? Number.NaN)),
  );
  return [quantile(means, 0.025), quantile(means, 0.975)];
};
