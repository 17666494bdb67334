const PREFIXES = {
  platform: "plat",
  publisher: "pub",
  site: "site",
  placement: "plc",
  advertiser: "adv",
  offer: "ofr",
  creative: "crv",
  token: "tok",
  event: "evt",
  decision: "dec",
  request: "req",
} as const;

/** Names a kind of thing that has ids. */
export type Entity = keyof typeof PREFIXES;

const SUFFIX_LENGTH = 26;
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Counts the digits that hold an id's time: 48 bits after two zero bits. */
const TIME_LENGTH = 10;

/** Holds the two digits of every value of ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => BASE32.charAt(bits >> 5) + BASE32.charAt(bits & 31));

let latest = { time: -1, digits: "" };

const timeDigits = (time: number): string => {
  if (time === latest.time) return latest.digits;
  let digits = "";
  for (let rest = time; digits.length < TIME_LENGTH; rest = Math.floor(rest / 32)) {
    digits = BASE32.charAt(rest % 32) + digits;
  }
  latest = { time, digits };
  return digits;
};

const pair = (bits: number): string => PAIRS[bits & 1023] ?? "";

/** Encodes five bytes as eight digits. */
const encode = (bytes: Uint8Array, at: number): string => {
  const byte = (i: number): number => bytes[at + i] ?? 0;
  return (
    pair((byte(0) << 2) | (byte(1) >> 6)) +
    pair((byte(1) << 4) | (byte(2) >> 4)) +
    pair((byte(2) << 6) | (byte(3) >> 2)) +
    pair((byte(3) << 8) | byte(4))
  );
};

const RANDOM_BYTES = 10;
const HALF = RANDOM_BYTES / 2;

/**
 * Returns the TypeID of a UUIDv7 (RFC 9562).
 *
 * @param time milliseconds since 1970
 * @param random bytes of which ten, from `at` on, go into the id; six of their bits are overwritten by version and variant
 */
export const makeId = (entity: Entity, time: number, random: Uint8Array, at = 0): string => {
  random[at] = 0x70 | ((random[at] ?? 0) & 0x0f);
  random[at + 2] = 0x80 | ((random[at + 2] ?? 0) & 0x3f);
  return withPrefix(entity, timeDigits(time) + encode(random, at) + encode(random, at + HALF));
};

/** Holds random bytes for many ids, since a call into the runtime costs more than the rest of making an id. */
const random = new Uint8Array(100 * RANDOM_BYTES);
let used = random.length;

/**
 * Returns a new TypeID, such as `plc_01h2xcejqtf2nbrexx3vqjhp41`. Ids sort by the millisecond in which they were made,
 * and at random within it.
 *
 * @param now milliseconds since 1970
 */
export const newId = (entity: Entity, now = Date.now()): string => {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  const id = makeId(entity, now, random, used);
  used += RANDOM_BYTES;
  return id;
};

/** Tells whether a text has the form of an entity's id. A malformed id cannot exist, so it need not be looked up. */
export const isId = (entity: Entity, value: string): boolean =>
  value.startsWith(`${PREFIXES[entity]}_`) && SUFFIX.test(value.slice(PREFIXES[entity].length + 1));

/** Returns the 26 characters after the prefix, which are unique on their own. */
export const idSuffix = (id: string): string => id.slice(-SUFFIX_LENGTH);

/** Returns the id that has this {@link idSuffix}. */
export const withPrefix = (entity: Entity, suffix: string): string => `${PREFIXES[entity]}_${suffix}`;

/** Returns when an id was made, in milliseconds since 1970: the first 48 bits of its UUIDv7. */
export const idTime = (id: string): number => {
  let time = 0;
  for (const digit of idSuffix(id).slice(0, TIME_LENGTH)) time = time * 32 + BASE32.indexOf(digit);
  return time;
};
