/** Counts the millionths in a unit of money: amounts and bids are kept in them. */
export const MICROS = 1_000_000;
