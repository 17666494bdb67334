import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { PRICINGS, type Pricing } from "../schema/values.ts";

/**
 * Assumes how many impressions on a thank-you page are clicked, and how many clicks convert, where nothing is known. So
 * prices of every kind can be ranked together.
 */
export const ASSUMED_RATES = [0.02, 0.05] as const;

const [CLICK_RATE, CONVERSION_RATE] = ASSUMED_RATES;

/** Assumes how many of the events that a pricing pays for come of an impression, where nothing is known. */
export const ASSUMED_EVENTS: Record<Pricing, number> = {
  CPM: 1,
  CPC: CLICK_RATE,
  CPA: CLICK_RATE * CONVERSION_RATE,
};

/** Returns how many bids a thousand impressions are expected to earn; a bid by CPM is for the thousand already. */
const bidsPerThousand = (pricing: Pricing): number => (pricing === "CPM" ? 1 : 1_000 * ASSUMED_EVENTS[pricing]);

/**
 * Returns what a thousand impressions of an offer are expected to earn before anything is known of its clicks.
 *
 * @param bidMicros micro-USD for what `pricing` names
 * @returns whole micro-USD for a thousand impressions
 */
export const priorEcpm = (pricing: Pricing, bidMicros: number): number =>
  Math.round(bidMicros * bidsPerThousand(pricing));

/** Computes {@link priorEcpm} in SQL, from values that only the database knows. */
export const priorEcpmOf = (pricing: SQLWrapper, bidMicros: SQLWrapper): SQL<number> => {
  const cases = PRICINGS.map((name) => sql`when ${name} then ${bidMicros} * ${sql.raw(String(bidsPerThousand(name)))}`);
  return sql`case ${pricing} ${sql.join(cases, sql` `)} end`;
};
