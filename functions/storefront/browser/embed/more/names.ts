/** Lists the names of attributes that an element may have, without `data-`, but for those of the order. */
const OPTIONS = ["lanyap", "public-key", "placement-id", "container", "session-id", "locale", "count"];

/** Lists what may be told of an order and its customer. */
const ORDER =
  "orderid order_id email country language amount ordervalue currency paymenttype payment_type firstname fname lastname lname phone mobile address zipcode billingaddress1 billingzipcode"
    .split(" ")
    .map((name) => `at-${name}`);

const KNOWN = [...OPTIONS, ...ORDER];

/** Recognizes attributes that other tools leave on elements: they are nobody's mistake. */
const FOREIGN =
  /^(?:cfasync|cf-|rocket|no-|nowprocket|pagespeed|wp-|turbo|turbolinks|react|v-|s-|n-|astro|svelte|testid|test-|cy$|qa$|gtm|hj-|cookie|category|consent|usercentrics|type$|src$|nscript|rh$|loaded$|ready$)/;

/** Counts the letters by which two texts differ. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
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

const nearest = (name: string): string | undefined =>
  KNOWN.map((known) => ({ known, far: distance(plain(name), plain(known)) }))
    .filter(({ far }) => far <= 2)
    .sort((one, other) => one.far - other.far)[0]?.known;

/** Lists an element's attributes that nobody knows, each with what to say of it. */
export const unknownNames = (source: HTMLElement): [name: string, text: string][] =>
  source
    .getAttributeNames()
    .filter((name) => name.startsWith("data-"))
    .map((name) => name.slice(5))
    .filter((name) => name.length < 50 && !KNOWN.includes(name) && !FOREIGN.test(name))
    .map((name) => {
      const meant = nearest(name);
      return [`data-${name}`, `is not known${meant ? `: data-${meant} may be meant` : ""}`];
    });
