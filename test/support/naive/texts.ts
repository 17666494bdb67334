import { withPrefix, type Entity } from "../../../db/core/ids.ts";

// Plain ways to do what the service does in faster ones. Tests compare the fast ways with these, and `npm run bench --
// --only clever` measures what each gains.

/** Returns bytes as lower-case hex. */
export const toHexNaively = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns bytes as base64url without padding. */
export const toBase64UrlNaively = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Hashes a text's UTF-16 units with FNV-1a, with big integers. */
export const hash32Naively = (text: string): number => {
  let hash = 0x811c9dc5n;
  for (const unit of text.split("")) {
    hash = BigInt.asUintN(32, (hash ^ BigInt(unit.charCodeAt(0))) * 0x01000193n);
  }
  return Number(hash);
};

/** Mixes two hashes with MurmurHash3's finaliser, with big integers. */
export const mix32Naively = (a: number, b: number): number => {
  let hash = BigInt.asUintN(32, BigInt(a) ^ (BigInt(b) * 0x9e3779b1n));
  hash = BigInt.asUintN(32, (hash ^ (hash >> 16n)) * 0x85ebca6bn);
  hash = BigInt.asUintN(32, (hash ^ (hash >> 13n)) * 0xc2b2ae35n);
  return Number(hash ^ (hash >> 16n));
};

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Returns the TypeID of a UUIDv7.
 *
 * @param time milliseconds since 1970
 * @param random ten bytes
 */
export const makeIdNaively = (entity: Entity, time: number, random: Uint8Array): string => {
  const bytes = Uint8Array.from(random);
  bytes[0] = 0x70 | ((bytes[0] ?? 0) & 0x0f);
  bytes[2] = 0x80 | ((bytes[2] ?? 0) & 0x3f);
  let rest = BigInt(`0x${time.toString(16).padStart(12, "0")}${toHexNaively(bytes)}`);
  let suffix = "";
  for (; suffix.length < 26; rest /= 32n) suffix = BASE32.charAt(Number(rest % 32n)) + suffix;
  return withPrefix(entity, suffix);
};

/** Returns a new TypeID, with random bytes of its own. */
export const newIdNaively = (entity: Entity, now = Date.now()): string =>
  makeIdNaively(entity, now, crypto.getRandomValues(new Uint8Array(10)));

const encoder = new TextEncoder();

const HMAC = { name: "HMAC", hash: "SHA-256" };
const keys = new Map<string, Promise<CryptoKey>>();

/** Returns the first 128 bits of a text's HMAC-SHA-256 in base64url, by the runtime's own cryptography. */
export const keyedHashNaively = async (secret: string, text: string): Promise<string> => {
  const key = keys.get(secret) ?? crypto.subtle.importKey("raw", encoder.encode(secret), HMAC, false, ["sign"]);
  keys.set(secret, key);
  const signature = await crypto.subtle.sign("HMAC", await key, encoder.encode(text));
  return toBase64UrlNaively(new Uint8Array(signature, 0, 16));
};

/** Returns the parameters of a URL, for a repeated one its first value. */
export const parametersNaively = (url: string): Map<string, string> => {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URL(url).searchParams) if (!parameters.has(name)) parameters.set(name, value);
  return parameters;
};
