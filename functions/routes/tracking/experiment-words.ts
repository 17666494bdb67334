/** Holds a difference of money in USD, and the bounds of its interval. */
type Range = { difference: number; low: number; high: number };

/** Holds what was compared: its first day, and the numbers of learned and held-out requests. */
export type Compared = { since: string | null; learned: number; heldOut: number };

/** Writes an amount without its sign, to the cent, and below a dollar to three digits. */
const usd = (amount: number): string => {
  const size = Math.abs(amount);
  return size === 0 || size >= 1 ? size.toFixed(2) : String(Number(size.toPrecision(3)));
};

const signed = (amount: number): string => `${amount < 0 ? "−" : ""}${usd(amount)}`;

const counted = (requests: number): string => `${requests.toLocaleString("en-US")} request${requests === 1 ? "" : "s"}`;

/**
 * Says in words what learning earned, and since when.
 *
 * @param kind the kind of money
 * @param thousand the difference per thousand requests; null where too little was paid for, or too few sessions were held out, to tell
 * @param all the same for all requests that were served by what was learned
 */
export const gainWords = (
  kind: "revenue" | "gross",
  { since, learned, heldOut }: Compared,
  thousand: Range | null,
  all: Range | null,
): string => {
  if (since === null) return "No session was held out on these days, so nothing tells what learning earned.";
  if (!thousand || !all)
    return `Since ${since} too few sessions were held out, or too little was paid for, in ${counted(heldOut)} to tell what learning earned.`;
  const interval = `95 % interval ${signed(thousand.low)} to ${signed(thousand.high)}`;
  if (thousand.low <= 0 && thousand.high >= 0)
    return `Since ${since} it cannot be told yet whether learning earns more ${kind} or less: ${signed(thousand.difference)} USD for a thousand requests (${interval}).`;
  const more = thousand.difference > 0 ? "more" : "less";
  return (
    `Since ${since} learning earned ${usd(thousand.difference)} USD ${more} ${kind} for a thousand requests than the order before learning ` +
    `(${interval}): ${usd(all.difference)} USD on ${counted(learned)}, between ${signed(all.low)} and ${signed(all.high)}.`
  );
};
