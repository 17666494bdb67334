/** Counts the millionths of a unit of money: amounts and bids are kept in these. */
export const MICROS = 1_000_000;
