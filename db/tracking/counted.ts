/** Lists the columns of counts and money that daily counters and counters by creative have of hits. */
export const COUNTED = [
  "impressions",
  "viewables",
  "clicks",
  "closes",
  "declines",
  "endings",
  "conversions",
  "transactions",
  "gross_micros",
  "revenue_micros",
] as const;
