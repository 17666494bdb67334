import type { RatedCell, RatedOffer } from "../../../db/learning/estimates.ts";
import type { Strengths } from "../../../functions/decision/learning/belief.ts";
import { ownersRate } from "../../../functions/decision/learning/bounds.ts";
import type { KnownCells } from "../../../functions/decision/learning/fold.ts";
import type { Rates } from "../../../functions/decision/learning/known.ts";
import { strengthsOf } from "../../../functions/decision/learning/strength.ts";

/**
 * Estimates strengths by the service's own code, of all that its maps hold.
 *
 * @param owners maps offers to their advertisers
 */
export const estimateStrengths = (
  rates: Rates,
  owners: ReadonlyMap<string, string>,
  known: KnownCells,
  weight: number,
): readonly [Strengths, Strengths] => {
  const offers = new Map<string, RatedOffer>();
  for (const [offerId, sums] of rates.offers) {
    const subject = { offerId, advertiserId: owners.get(offerId) ?? "" };
    offers.set(offerId, {
      ...sums,
      clickRate: ownersRate(known, subject, 0),
      conversionRate: ownersRate(known, subject, 1),
      maturity: rates.maturities.get(offerId) ?? 1,
    });
  }
  const cells: RatedCell[] = [];
  for (const [placementId, countries] of rates.cells) {
    for (const [country, sums] of countries) {
      if (placementId === "" || country === "") continue;
      for (const [offerId, cell] of sums) {
        const offer = offers.get(offerId);
        if (offer) cells.push({ ...cell, offer, placementId, country });
      }
    }
  }
  const { places, maturity } = rates;
  return strengthsOf({ offers: [...offers.values()], cells, places, maturity }, weight);
};
