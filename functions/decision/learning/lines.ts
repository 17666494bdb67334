import type { CellSums } from "../../../db/learning/sums.ts";
import { lineFactor, meanOf } from "./belief.ts";
import { STAGES, type Subject } from "./bounds.ts";
import { offerRate, type Known, type KnownCells } from "./fold.ts";
import { evidenceOf } from "./sums.ts";

/** Holds an offer's id, and how often an impression of it is clicked, over all places. */
export type Clicked = { offerId: string; rate: number };

/**
 * Returns how often an offer is believed to be clicked, over all places; null where clicks say nothing about what it is
 * worth.
 */
export const clickedOf = (known: Known, { offerId, advertiserId, pricing }: Subject): Clicked | null =>
  STAGES[pricing].length === 0 ? null : { offerId, rate: meanOf(offerRate(known, offerId, advertiserId, 0)) };

/**
 * Returns the factor by which an offer is clicked more in a placement, or in a country, than over all places.
 *
 * @param placementId names the placement, empty for a country
 * @param country names the country, empty for a placement
 */
export const lineLift = (known: KnownCells, clicked: Clicked | null, placementId: string, country: string): number => {
  if (clicked === null) return 1;
  return lineFactor(evidenceOf(known.cell(placementId, country, clicked.offerId), 0), clicked.rate);
};

/**
 * Returns the factor by which an offer is likely to be clicked more in a placement and country than over all places,
 * going by the placement's other countries and the country's other placements. What happened in both is left out, since
 * it would count twice.
 *
 * @param here what happened to it in this placement and country
 */
export const liftElsewhere = (
  known: KnownCells,
  clicked: Clicked | null,
  placementId: string,
  country: string,
  here: CellSums,
): number => {
  if (clicked === null) return 1;
  const { offerId, rate } = clicked;
  const elsewhere = (placement: string, nation: string): number => {
    const line = known.cell(placement, nation, offerId);
    return lineFactor({ count: line.clicks - here.clicks, exposure: line.anywhere - here.anywhere }, rate);
  };
  return elsewhere(placementId, "") * elsewhere("", country);
};
