import { HMAC } from "@stablelib/hmac";
import { SHA256 } from "@stablelib/sha256";
import { toBase64Url, toHex } from "../../db/core/encoding.ts";

const encoder = new TextEncoder();
const buffer = new Uint8Array(1024);

/** A text in UTF-8, good until the next call. Hashed texts are short and mostly ASCII, which needs no call into the runtime. */
const utf8 = (text: string): Uint8Array => {
  if (text.length > buffer.length) return encoder.encode(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return encoder.encode(text);
    buffer[i] = code;
  }
  return buffer.subarray(0, text.length);
};

/** HMACs by secret, which each takes in once: to do so anew would cost as much as a hash. */
const keyed = new Map<string, HMAC>();

/** Where every hash is made and kept until the next: to make a place for each would cost as much as a hash. */
const sha256 = new SHA256();
const digest = new Uint8Array(32);
const kept = digest.subarray(0, 16);

/**
 * HMAC-SHA-256 of a text, its first 128 bits in base64url: 22 characters. Every answer needs some, of short texts: the
 * way to `crypto.subtle` and back costs several times as much as the hash itself. So does a library that keeps words of
 * 32 bits in an object's fields, since the integers of V8 in workerd have 31.
 */
export const keyedHash = (secret: string, text: string): string => {
  let hmac = keyed.get(secret);
  if (!hmac) keyed.set(secret, (hmac = new HMAC(SHA256, utf8(secret))));
  hmac.reset().update(utf8(text)).finish(digest);
  return toBase64Url(kept);
};

/** What is kept of a session id: its hash under `SESSION_KEY`. */
export const sessionHash = (sessionKey: string, sessionId: string): string =>
  keyedHash(sessionKey, `session:${sessionId}`);

const sha256Hex = (text: string): string => {
  sha256.reset().update(utf8(text)).finish(digest);
  return toHex(digest);
};

/**
 * What is kept of an e-mail address: the hash under `SESSION_KEY` of its SHA-256, so that address and SHA-256 agree.
 *
 * @param email lower-case address, or 64 lower-case hex digits
 */
export const emailHash = (sessionKey: string, email: string): string => {
  const hashed = email.includes("@") ? sha256Hex(email) : email;
  return keyedHash(sessionKey, `email:${hashed}`);
};
