import { toBase64Url, toHex } from "../../db/encoding.ts";

const encoder = new TextEncoder();
const imported = new Map<string, CryptoKey>();

/** An HMAC-SHA-256 key of a secret, imported once an isolate: importing costs more than signing. */
export const hmacKey = async (secret: string): Promise<CryptoKey> => {
  const known = imported.get(secret);
  if (known) return known;
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  imported.set(secret, key);
  return key;
};

/** HMAC-SHA-256 of a text, its first 128 bits in base64url: 22 characters. */
export const keyedHash = async (key: CryptoKey, text: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)), 0, 16));

/** What is kept of a session id: its hash under `SESSION_KEY`. */
export const sessionHash = async (sessionKey: string, sessionId: string): Promise<string> =>
  keyedHash(await hmacKey(sessionKey), `session:${sessionId}`);

/**
 * What is kept of an e-mail address: the hash under `SESSION_KEY` of its SHA-256, so that address and SHA-256 agree.
 *
 * @param email lower-case address, or 64 lower-case hex digits
 */
export const emailHash = async (sessionKey: string, email: string): Promise<string> => {
  const digest = email.includes("@")
    ? toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(email))))
    : email;
  return keyedHash(await hmacKey(sessionKey), `email:${digest}`);
};
