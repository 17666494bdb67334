import { lineFactor, meanOf } from "./belief.ts";
import { offerRate, type Known } from "./fold.ts";
import type { KnownCells } from "./known.ts";
import { evidenceOf } from "./sums.ts";

/** Names an offer, and says how often an impression of it is clicked anywhere. */
export type Clicked = { offerId: string; rate: number };

/** Returns what is known of how often an offer is clicked anywhere. */
export const clickedOf = (known: Known, offerId: string, advertiserId: string): Clicked => ({
  offerId,
  rate: meanOf(offerRate(known, offerId, advertiserId, 0)),
});

/**
 * Returns by which factor an offer is clicked more in a placement, or in a country, than anywhere.
 *
 * @param placementId names the placement, empty for a country
 * @param country names the country, empty for a placement
 */
export const lineLift = (known: KnownCells, { offerId, rate }: Clicked, placementId: string, country: string): number =>
  lineFactor(evidenceOf(known.cell(placementId, country, offerId), 0), rate);

/**
 * Returns by which factor an offer is likely to be clicked more in a placement and country than anywhere, as it is in the
 * placement for other countries, and in the country at other placements. What happened in both would count twice.
 */
export const liftElsewhere = (
  known: KnownCells,
  { offerId, rate }: Clicked,
  placementId: string,
  country: string,
): number => {
  const here = known.cell(placementId, country, offerId);
  const elsewhere = (placement: string, nation: string): number => {
    const line = known.cell(placement, nation, offerId);
    return lineFactor({ count: line.clicks - here.clicks, exposure: line.anywhere - here.anywhere }, rate);
  };
  return elsewhere(placementId, "") * elsewhere("", country);
};
