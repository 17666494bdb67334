/** Limits how many offers an answer has. */
export const MOST_OFFERS = 20;

/** Counts the offers that answer a request which does not say how many it wants. */
export const USUAL_OFFERS = 4;

/** Counts the offers that a list has beyond the most that an answer has: so many may be stopped or changed meanwhile. */
export const SPARE_OFFERS = 8;

/** Counts the offers that a list has of each kind, as far as there are so many. */
export const LISTED_OFFERS = MOST_OFFERS + SPARE_OFFERS;
