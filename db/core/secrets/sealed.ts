import { fromBase64Url, toBase64Url } from "../encoding.ts";
import { parseKeyRing, sha256 } from "./secrets.ts";
import { ShownOnceError } from "../writing/writing-errors.ts";

/** Begins a ciphertext that is bound to its row. Older ones have no version, and could be moved to another row. */
const VERSION = "v2";

const encoder = new TextEncoder();

const cipherKey = async (secret: string) =>
  crypto.subtle.importKey("raw", await sha256(secret), "AES-GCM", false, ["encrypt", "decrypt"]);

const cipher = (iv: Uint8Array<ArrayBuffer>, rowId: string | null) => ({
  name: "AES-GCM",
  iv,
  ...(rowId === null ? {} : { additionalData: encoder.encode(rowId) }),
});

/**
 * Encrypts a text with the first key of a setting: AES-256-GCM with a fresh nonce, the id of its row as additional data.
 *
 * @param setting the value of `TOKEN_ENCRYPTION_KEY`
 * @returns `v2.keyId.nonce.ciphertext`, the last two in base64url
 */
export const encryptSecret = async (text: string, rowId: string, setting: string): Promise<string> => {
  const [key] = parseKeyRing(setting);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt(cipher(iv, rowId), await cipherKey(key.secret), encoder.encode(text));
  return [VERSION, key.id, toBase64Url(iv), toBase64Url(new Uint8Array(sealed))].join(".");
};

/** Splits a ciphertext into its parts. One without a version, `keyId.nonce.ciphertext`, is not bound to a row. */
const partsOf = (sealed: string) => {
  const parts = sealed.split(".");
  const isBound = parts.length === 4 && parts[0] === VERSION;
  const [keyId, iv, ciphertext] = isBound ? parts.slice(1) : parts;
  return { isBound, keyId, iv, ciphertext };
};

/**
 * Decrypts what {@link encryptSecret} returned for a row, with the key of the setting that the ciphertext names.
 *
 * @param setting the value of `TOKEN_ENCRYPTION_KEY`
 * @throws {Error} when the setting no longer has that key, or the ciphertext was altered or is another row's
 */
export const decryptSecret = async (sealed: string, rowId: string, setting: string): Promise<string> => {
  const { isBound, keyId, iv, ciphertext } = partsOf(sealed);
  const key = parseKeyRing(setting).find((candidate) => candidate.id === keyId);
  if (!key || !iv || !ciphertext)
    throw new Error("TOKEN_ENCRYPTION_KEY has no key for this ciphertext; add the key that encrypted it again");
  const algorithm = cipher(fromBase64Url(iv), isBound ? rowId : null);
  const opened = await crypto.subtle.decrypt(algorithm, await cipherKey(key.secret), fromBase64Url(ciphertext));
  return new TextDecoder().decode(opened);
};

/** Holds a row's ciphertext, and the one that is to replace it. */
export type Resealed = { id: string; old: string; sealed: string };

/** Tells whether a ciphertext is as {@link encryptSecret} makes it today: bound to its row, by the first key. */
const isCurrent = (sealed: string, setting: string): boolean => {
  const { isBound, keyId } = partsOf(sealed);
  return isBound && keyId === parseKeyRing(setting)[0].id;
};

/**
 * Holds a row's secret, null when it is lost. `resealed` is to be stored: the ciphertext was made by an older key, or
 * not bound to its row.
 */
export type Opened = { id: string; secret: string | null; resealed: Resealed | null };

/** Opens a row's ciphertext. A secret that cannot be decrypted is lost, but nothing else of its row. */
export const openSecret = async (id: string, sealed: string, setting: string): Promise<Opened> => {
  try {
    const secret = await decryptSecret(sealed, id, setting);
    if (isCurrent(sealed, setting)) return { id, secret, resealed: null };
    return { id, secret, resealed: { id, old: sealed, sealed: await encryptSecret(secret, id, setting) } };
  } catch {
    return { id, secret: null, resealed: null };
  }
};

/**
 * Opens the secret of what was just created, or is shown again on a retry.
 *
 * @throws {ShownOnceError} when the key that encrypted it is gone by now
 */
export const openMade = async (id: string, sealed: string, setting: string): Promise<string> => {
  const { secret } = await openSecret(id, sealed, setting);
  if (secret === null) throw new ShownOnceError();
  return secret;
};
