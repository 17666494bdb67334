import { typeidUnboxed } from "typeid-js";

const PREFIXES = {
  platform: "plat",
  publisher: "pub",
  site: "site",
  placement: "plc",
  advertiser: "adv",
  offer: "ofr",
  token: "tok",
  event: "evt",
  decision: "dec",
} as const;

export type Entity = keyof typeof PREFIXES;

const SUFFIX_LENGTH = 26;
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new TypeID (UUIDv7, so ids sort by time of making), such as `plc_01h2xcejqtf2nbrexx3vqjhp41`. */
export const newId = (entity: Entity): string => typeidUnboxed(PREFIXES[entity]);

/** Random digits of an id: 80 bits behind its time. */
const RANDOM_LENGTH = 16;

/**
 * A new decision's id. Every answer needs one, so it is made as a ULID, at a tenth of a UUIDv7's cost: time, then
 * random bits, in the same 26 digits.
 */
export const newDecisionId = (now: number): string => {
  let suffix = "";
  for (let rest = now, i = 0; i < SUFFIX_LENGTH - RANDOM_LENGTH; i++) {
    suffix = BASE32.charAt(rest % 32) + suffix;
    rest = Math.floor(rest / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) suffix += BASE32.charAt(byte & 31);
  return withPrefix("decision", suffix);
};

/** Whether a text has the form of an entity's id. A malformed id is an unknown id: nothing needs to look it up. */
export const isId = (entity: Entity, value: string): boolean =>
  value.startsWith(`${PREFIXES[entity]}_`) && SUFFIX.test(value.slice(PREFIXES[entity].length + 1));

/** The 26 characters behind the prefix, which are unique on their own. */
export const idSuffix = (id: string): string => id.slice(-SUFFIX_LENGTH);

/** The id of an entity with this {@link idSuffix}. */
export const withPrefix = (entity: Entity, suffix: string): string => `${PREFIXES[entity]}_${suffix}`;

/** When an id was made, in milliseconds since 1970: the 48 leading bits of its UUIDv7. */
export const idTime = (id: string): number => {
  let time = 0;
  for (const digit of idSuffix(id).slice(0, 10)) time = time * 32 + BASE32.indexOf(digit);
  return time;
};
