import { sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { PRICINGS, type Pricing } from "../schema/values.ts";

// What an offer without a history is assumed to get, so that prices of every kind can be ranked together: of a hundred
// impressions on a thank-you page two are clicked, of twenty clicks one converts.
const CLICKS_PER_THOUSAND_IMPRESSIONS = 20;
const CONVERSIONS_PER_THOUSAND_IMPRESSIONS = CLICKS_PER_THOUSAND_IMPRESSIONS / 20;

const EVENTS_PER_THOUSAND_IMPRESSIONS: Record<Pricing, number> = {
  CPM: 1, // The bid is for the thousand already.
  CPC: CLICKS_PER_THOUSAND_IMPRESSIONS,
  CPA: CONVERSIONS_PER_THOUSAND_IMPRESSIONS,
};

/**
 * Returns what a thousand impressions of an offer are expected to earn before anything is known of its clicks.
 *
 * @param bidMicros micro-USD for what `pricing` names
 * @returns whole micro-USD for a thousand impressions
 */
export const priorEcpm = (pricing: Pricing, bidMicros: number): number =>
  Math.round(bidMicros * EVENTS_PER_THOUSAND_IMPRESSIONS[pricing]);

/** Computes {@link priorEcpm} of values that only the database knows. */
export const priorEcpmOf = (pricing: SQLWrapper, bidMicros: SQLWrapper): SQL<number> => {
  const cases = PRICINGS.map(
    (name) => sql`when ${name} then ${bidMicros} * ${sql.raw(String(EVENTS_PER_THOUSAND_IMPRESSIONS[name]))}`,
  );
  return sql`case ${pricing} ${sql.join(cases, sql` `)} end`;
};
