/** Lists the names of attributes that an element may have, without `data-`, except those of the order. */
const OPTIONS = ["lanyap", "public-key", "placement-id", "container", "session-id", "locale", "count"];

/** Lists the attributes of an order and its customer. */
const ORDER =
  "orderid order_id email country language amount ordervalue currency paymenttype payment_type firstname fname lastname lname phone mobile address zipcode billingaddress1 billingzipcode"
    .split(" ")
    .map((name) => `at-${name}`);

const KNOWN = [...OPTIONS, ...ORDER];

/** Counts the letters by which two texts differ. */
const distance = (a: string, b: string): number => {
  // Old libraries replace `Array.from`.
  let row = `${b} `.split("").map((_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

const plain = (name: string): string => name.replace(/[-_]/g, "").replace(/^at/, "");

/** Returns how many letters a name may differ from the known one that is meant: few where it may be another tool's. */
const toleranceOf = (name: string): number => {
  if (name.startsWith("at-")) return 2;
  return name.length > 5 ? 1 : 0;
};

const nearest = (name: string): string | undefined =>
  KNOWN.map((known) => ({ known, far: distance(plain(name), plain(known)) }))
    .filter(({ far }) => far <= toleranceOf(name))
    .sort((one, other) => one.far - other.far)[0]?.known;

/**
 * Lists the unknown attributes that seem meant for the script, each with what to say about it. Others are not mistakes:
 * page builders and other tools leave them on elements.
 */
export const unknownNames = (attributes: string[]): [name: string, text: string][] =>
  attributes
    .filter((name) => name.startsWith("data-") && name.length < 55)
    .map((name) => name.slice(5))
    .filter((name) => !KNOWN.includes(name))
    .map((name) => ({ name, meant: nearest(name) }))
    .filter(({ name, meant }) => meant || name.startsWith("at-"))
    .map(({ name, meant }) => [`data-${name}`, `is not known${meant ? `: data-${meant} may be meant` : ""}`]);
