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

/** 128 bits in base32, big-endian, behind two zero bits. */
const encode = (bytes: Uint8Array): string => {
  let digits = "";
  let rest = 0;
  let bits = 2;
  for (const byte of bytes) {
    rest = (rest << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) digits += BASE32.charAt((rest >> (bits - 5)) & 31);
    rest &= (1 << bits) - 1;
  }
  return digits;
};

/**
 * A new TypeID, such as `plc_01h2xcejqtf2nbrexx3vqjhp41`: a UUIDv7 (RFC 9562), so ids sort by time of making.
 *
 * @param now milliseconds since 1970
 */
export const newId = (entity: Entity, now = Date.now()): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const uuid = new DataView(bytes.buffer);
  uuid.setUint16(6, (uuid.getUint16(6) & 0x0fff) | 0x7000);
  uuid.setUint8(8, (uuid.getUint8(8) & 0x3f) | 0x80);
  uuid.setUint32(0, now / 2 ** 16);
  uuid.setUint16(4, now);
  return withPrefix(entity, encode(bytes));
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
