import type { CellSums, OfferDay } from "../../../db/learning/sums.ts";

/** Says how many clicks of an offer in a placement and country are enough to know what to expect of it there. */
const KNOWN_CLICKS = 10;

type Counted = Pick<OfferDay, "offerId" | "day" | "clicks"> & { clicked: number; isUnseen?: boolean };

/** Collects what was counted for offers by day. */
export const collectingDays = () => {
  const days = new Map<string, OfferDay>();
  return {
    /**
     * Adds what was counted in a placement and country. It is compared with what was expected only where enough was
     * known of the offer there: elsewhere a new placement would look as if the offer had changed. A shop that does not
     * report impressions tells nothing: its clicks would make the day look unusual for all offers.
     *
     * @param cell what was known of the offer there
     * @param exposure the exposure that was counted there, without the weight of its day
     */
    add: ({ offerId, day, clicks, clicked, isUnseen }: Counted, cell: CellSums, exposure: number): void => {
      const key = `${offerId} ${day}`;
      const known = days.get(key) ?? { offerId, day, clicks: 0, taught: 0, expected: 0 };
      days.set(key, known);
      known.clicks += clicked;
      if (isUnseen || cell.clicks < KNOWN_CLICKS || cell.exposure <= cell.clicks) return;
      known.taught += clicks;
      known.expected += (exposure * cell.clicks) / cell.exposure;
    },
    /** Returns the days on which something was clicked or expected. */
    all: (): OfferDay[] =>
      [...days.values()].filter(({ clicks, taught, expected }) => clicks !== 0 || taught !== 0 || expected !== 0),
  };
};
