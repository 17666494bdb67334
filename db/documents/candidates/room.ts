/** Limits how many offers an answer has. */
export const MOST_OFFERS = 20;

/** Counts the offers in an answer when the request does not say how many it wants. */
export const USUAL_OFFERS = 4;

/**
 * Counts the offers that a list has beyond the most that an answer has, in case some are stopped or changed meanwhile.
 */
export const SPARE_OFFERS = 8;

/** Counts the offers that a list has of each kind, if there are that many. */
export const LISTED_OFFERS = MOST_OFFERS + SPARE_OFFERS;
