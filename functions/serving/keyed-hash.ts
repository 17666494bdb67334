import { hmac, type _HMAC as Hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { toBase64Url, toHex } from "../../db/encoding.ts";

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

type State = Hmac<ReturnType<typeof sha256.create>>;

const begin = (secret: string): State => hmac.create(sha256, utf8(secret));

/** The state of an HMAC that has taken in its key and nothing else, by key. */
const begun = new Map<string, State>();

/** Where every hash is made, so that none allocates. */
let scratch: State | undefined;
const digest = new Uint8Array(32);
const kept = digest.subarray(0, 16);

/**
 * HMAC-SHA-256 of a text, its first 128 bits in base64url: 22 characters. Every answer needs some, of short texts: the
 * way to `crypto.subtle` and back costs several times as much as the hash itself. A secret is taken in once an isolate.
 */
export const keyedHash = (secret: string, text: string): string => {
  let state = begun.get(secret);
  if (!state) begun.set(secret, (state = begin(secret)));
  // oxlint-disable-next-line no-underscore-dangle -- the library's name for a copy that allocates nothing
  scratch = state._cloneInto(scratch);
  scratch.update(utf8(text)).digestInto(digest);
  return toBase64Url(kept);
};

/** What is kept of a session id: its hash under `SESSION_KEY`. */
export const sessionHash = (sessionKey: string, sessionId: string): string =>
  keyedHash(sessionKey, `session:${sessionId}`);

/**
 * What is kept of an e-mail address: the hash under `SESSION_KEY` of its SHA-256, so that address and SHA-256 agree.
 *
 * @param email lower-case address, or 64 lower-case hex digits
 */
export const emailHash = (sessionKey: string, email: string): string => {
  const hashed = email.includes("@") ? toHex(sha256(utf8(email))) : email;
  return keyedHash(sessionKey, `email:${hashed}`);
};
