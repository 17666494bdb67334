import { USUAL } from "../../../functions/decision/learning/fold.ts";
import type { Rates } from "../../../functions/decision/learning/known.ts";
import { NO_SUMS } from "../../../functions/decision/learning/sums.ts";

/** Makes rates of a network of which nothing but the given is known. */
export const makeRates = (known: Partial<Rates> = {}): Rates => ({
  cells: new Map(),
  offers: new Map(),
  advertisers: new Map(),
  places: new Map(),
  network: NO_SUMS,
  slots: [],
  maturities: new Map(),
  maturity: 1,
  strengths: USUAL,
  ...known,
});
