import { toHex } from "../encoding.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 43; // 32 bytes in base62
const CHECKSUM_LENGTH = 6; // 32 bits in base62

const KEY_PREFIXES = {
  public: "lan_pk_",
  private: "lan_sk_",
  platform: "lan_plat_",
  conversion: "lan_cs_",
  pixel: "lan_px_",
} as const;

/** Names a kind of key. */
export type KeyKind = keyof typeof KEY_PREFIXES;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

const crc32 = (text: string): number => {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
};

const base62 = (value: bigint, length: number): string => {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
};

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/**
 * Makes a key: its kind's prefix, 32 bytes in base62, and a checksum over both.
 *
 * @param bytes 32 bytes, random by default; the demo network passes fixed ones
 */
export const makeKey = (kind: KeyKind, bytes = crypto.getRandomValues(new Uint8Array(32))): string => {
  const number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const body = KEY_PREFIXES[kind] + base62(number, SECRET_LENGTH);
  return body + checksum(body);
};

/** Tells whether a text has the form of a key of this kind, checksum included. Such a key may still be unknown. */
export const isKey = (kind: KeyKind, text: string): boolean => {
  const prefix = KEY_PREFIXES[kind];
  return (
    text.length === prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH &&
    text.startsWith(prefix) &&
    /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) &&
    text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)))
  );
};

const encoder = new TextEncoder();
/** Returns the SHA-256 of a text. */
export const sha256 = (text: string): Promise<ArrayBuffer> => crypto.subtle.digest("SHA-256", encoder.encode(text));

/** Returns the SHA-256 of a text as 64 lower-case hex digits, by which tables find secrets. */
export const hashSecret = async (text: string): Promise<string> => toHex(new Uint8Array(await sha256(text)));

/** Returns the 32 bytes that a key was made of, as 64 lower-case hex digits. */
export const keyBytes = (kind: KeyKind, key: string): string => {
  const digits = key.slice(KEY_PREFIXES[kind].length, -CHECKSUM_LENGTH);
  const number = Array.from(digits).reduce((sum, digit) => sum * 62n + BigInt(BASE62.indexOf(digit)), 0n);
  return BigInt.asUintN(256, number).toString(16).padStart(64, "0");
};

/**
 * Returns the pixel key that goes with a conversion secret: a hash of the secret's hash, so that it reveals nothing of
 * the secret and ends with it.
 *
 * @param secretHash what {@link hashSecret} returns for the secret
 */
export const pixelKeyOf = async (secretHash: string): Promise<string> =>
  makeKey("pixel", new Uint8Array(await sha256(secretHash)));

/** Describes one key of a setting. Whatever the key signs or encrypts carries its `id`. */
export type RingKey = { id: string; secret: string };

/**
 * Parses a setting of the form `id:secret,id:secret`. The first key signs or encrypts; every key verifies or decrypts.
 *
 * @throws {Error} when an entry lacks its secret, lacks an id of 1 to 16 letters, digits, `-` or `_`, or repeats an id
 */
export const parseKeyRing = (setting: string): [RingKey, ...RingKey[]] => {
  const ring = setting.split(",").map((entry): RingKey => {
    const [, id, secret] = /^([A-Za-z0-9_-]{1,16}):(.+)$/.exec(entry.trim()) ?? [];
    if (!id || !secret) throw new Error("write it as id:secret,id:secret; an id has 1 to 16 letters, digits, - or _");
    return { id, secret };
  });
  if (new Set(ring.map((key) => key.id)).size < ring.length)
    throw new Error("two of its keys have the same id; give each key an id of its own");
  const [first, ...rest] = ring;
  if (!first) throw new Error("it is empty; write it as id:secret");
  return [first, ...rest];
};
