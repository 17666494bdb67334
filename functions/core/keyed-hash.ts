import { HMAC } from "@stablelib/hmac";
import { SHA256 } from "@stablelib/sha256";
import { toBase64Url, toHex } from "../../db/core/encoding.ts";

const encoder = new TextEncoder();
const buffer = new Uint8Array(1024);

/** Encodes a text as UTF-8. The bytes are valid until the next call. A short ASCII text needs no call into the runtime. */
const utf8 = (text: string): Uint8Array => {
  if (text.length > buffer.length) return encoder.encode(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return encoder.encode(text);
    buffer[i] = code;
  }
  return buffer.subarray(0, text.length);
};

/** Keeps an HMAC for each secret, because setting one up costs as much as a hash. */
const keyed = new Map<string, HMAC>();

// Every hash reuses these, because allocating them costs as much as a hash.
const sha256 = new SHA256();
const digest = new Uint8Array(32);
const kept = digest.subarray(0, 16);
const rest = digest.subarray(16);

/** Puts the HMAC-SHA-256 of a text into {@link digest}. */
const sign = (secret: string, text: string): void => {
  let hmac = keyed.get(secret);
  if (!hmac) keyed.set(secret, (hmac = new HMAC(SHA256, utf8(secret))));
  hmac.reset().update(utf8(text)).finish(digest);
};

/**
 * Returns the first 128 bits of a text's HMAC-SHA-256 as 22 characters of base64url.
 *
 * Every answer needs several hashes of short texts. Calling `crypto.subtle` costs several times as much as the hash
 * itself, and so does a library that keeps 32-bit words in object fields: V8's small integers have 31 bits in workerd.
 */
export const keyedHash = (secret: string, text: string): string => {
  sign(secret, text);
  return toBase64Url(kept);
};

/** Returns both halves of a text's HMAC-SHA-256, in the form in which {@link keyedHash} returns the first. */
export const keyedHashes = (secret: string, text: string): [string, string] => {
  sign(secret, text);
  return [toBase64Url(kept), toBase64Url(rest)];
};

/** Returns the form in which a session id is stored: its hash under `SESSION_KEY`. */
export const sessionHash = (sessionKey: string, sessionId: string): string =>
  keyedHash(sessionKey, `session:${sessionId}`);

const sha256Hex = (text: string): string => {
  sha256.reset().update(utf8(text)).finish(digest);
  return toHex(digest);
};

/**
 * Returns the form in which an e-mail address is stored: the hash of its SHA-256 under `SESSION_KEY`. An address and its
 * SHA-256 therefore give the same result.
 *
 * @param email an address in lower case, or its SHA-256 as 64 lower-case hex digits
 */
export const emailHash = (sessionKey: string, email: string): string => {
  const hashed = email.includes("@") ? sha256Hex(email) : email;
  return keyedHash(sessionKey, `email:${hashed}`);
};
