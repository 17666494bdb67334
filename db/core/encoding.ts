const HEX = "0123456789abcdef";

/** Returns bytes as lower-case hex, two digits per byte. */
export const toHex = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += HEX.charAt(byte >> 4) + HEX.charAt(byte & 15);
  return text;
};

const BASE64_URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * Returns bytes as base64url without padding (RFC 4648, section 5). Every answer has several such texts, and `btoa` is
 * slower.
 */
export const toBase64Url = (bytes: Uint8Array): string => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digits = Math.min(bytes.length - i, 3) + 1;
    for (let digit = 0; digit < digits; digit++) text += BASE64_URL.charAt((group >> (18 - 6 * digit)) & 63);
  }
  return text;
};

const DIGITS = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, BASE64_URL.indexOf(String.fromCharCode(code))),
);

/** Returns the exclusive or, in base64url, of two base64url texts of the same number of bytes. */
export const xorBase64Url = (a: string, b: string): string => {
  let text = "";
  for (let i = 0; i < a.length; i++) {
    text += BASE64_URL.charAt((DIGITS[a.charCodeAt(i)] ?? 0) ^ (DIGITS[b.charCodeAt(i)] ?? 0));
  }
  return text;
};

/**
 * Decodes base64url, with or without padding.
 *
 * @throws {DOMException} when the text is not base64url
 */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
