/**
 * Lists characters, as in a character class, that no name in any script contains: controls, spaces, invisible
 * characters, and symbols that are not letters. Printable ASCII is not in it.
 */
const NO_LETTERS = [
  String.raw`\x00-\x20\x7f-\xa9\xab-\xb4\xb6\xb8\xb9\xbb-\xbf\xd7\xf7\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5`,
  String.raw`\u180b-\u180f\u2000-\u206f\u2800\u3000-\u3004\u3008-\u3020\u3164\ufe00-\ufe0f\ufeff`,
  String.raw`\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffa0\ufff0-\uffff\udb40`,
].join("");

/** Lists characters, as in a character class, that are not atext of RFC 5322; letters of any script are (RFC 6531). */
const NO_ATEXT = String.raw`"(),:;<>@[\\\]${NO_LETTERS}`;

/** Matches letters and digits of any script. */
const LETTERS = String.raw`[^!-/:-@[-\x60{-~${NO_LETTERS}]+`;

const LABEL = `${LETTERS}(?:-+${LETTERS})*`;
const DOMAIN = String.raw`${LABEL}(?:\.${LABEL})+`;

/** Matches an e-mail address, in any script. Only sending mail to it tells whether it exists. */
export const EMAIL = new RegExp(String.raw`^[^.${NO_ATEXT}]+(?:\.[^.${NO_ATEXT}]+)*@${DOMAIN}$`);

/** Matches nearly the same in a short form, for the description of the API. */
export const ROUGHLY_EMAIL_OR_HASH = /^(?:[0-9a-f]{64}|[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+)$/;

/**
 * Matches a customer's e-mail: the address, or its SHA-256 in lower case. Dots may stand anywhere before the at: some
 * such addresses exist, and refusing them would cost the shop's page its offers.
 */
export const EMAIL_OR_HASH = new RegExp(`^(?:[0-9a-f]{64}|[^${NO_ATEXT}]+@${DOMAIN})$`);
