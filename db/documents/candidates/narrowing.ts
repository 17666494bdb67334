import type { Narrowing } from "../keys.ts";
import type { Targeted } from "../types.ts";

/** Lists where the bands of amounts begin; the last one has no end. Amounts are in the request's own currency. */
const BAND_STARTS = [0, 10, 20, 35, 50, 75, 100, 150, 200, 350, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 200_000];

/** Stands for a fact that a request does not give, or that no offer asks for. */
export const ANY = "-";

/** Names the band of an amount. */
export const bandOf = (amount: number): string => String(BAND_STARTS.findLastIndex((start) => amount >= start));

/** Returns the least amount of a band, and the least amount beyond it. */
export const boundsOf = (band: string): { from: number; below: number } => {
  const index = Number(band);
  return { from: BAND_STARTS[index] ?? 0, below: BAND_STARTS[index + 1] ?? Infinity };
};

/** Holds the facts of a request that candidates may be narrowed by. */
type Facts = {
  language?: string | undefined;
  currency?: string | undefined;
  paymentType?: string | undefined;
  amount?: number | undefined;
};

const known = (value: string | undefined, targeted: readonly string[]): string =>
  value !== undefined && targeted.includes(value) ? value : ANY;

/**
 * Returns the facts of a request by which its candidates are narrowed. Values that no offer asks for become {@link ANY},
 * so that nobody can make up keys; an amount matters only to offers that name its currency.
 */
export const narrowingOf = (request: Facts, targeted: Targeted): Narrowing => {
  const currency = known(request.currency, targeted.currencies);
  return {
    language: known(request.language, targeted.languages),
    currency,
    paymentType: known(request.paymentType, targeted.paymentTypes),
    band: request.amount !== undefined && currency !== ANY ? bandOf(request.amount) : ANY,
  };
};
