import { toBase64Url, toHex } from "../../db/encoding.ts";

const encoder = new TextEncoder();
const imported = new Map<string, CryptoKey>();

const importKey = async (secret: string): Promise<CryptoKey> => {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  imported.set(secret, key);
  return key;
};

/**
 * HMAC-SHA-256 of a text, its first 128 bits in base64url: 22 characters. A secret is imported once an isolate, because
 * that costs more than signing.
 */
export const keyedHash = async (secret: string, text: string): Promise<string> => {
  const key = imported.get(secret) ?? (await importKey(secret));
  return toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)), 0, 16));
};

/** What is kept of a session id: its hash under `SESSION_KEY`. */
export const sessionHash = (sessionKey: string, sessionId: string): Promise<string> =>
  keyedHash(sessionKey, `session:${sessionId}`);

/**
 * What is kept of an e-mail address: the hash under `SESSION_KEY` of its SHA-256, so that address and SHA-256 agree.
 *
 * @param email lower-case address, or 64 lower-case hex digits
 */
export const emailHash = async (sessionKey: string, email: string): Promise<string> => {
  const digest = email.includes("@")
    ? toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(email))))
    : email;
  return keyedHash(sessionKey, `email:${digest}`);
};
