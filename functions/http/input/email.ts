/**
 * Lists what is part of no name in any script, as in a class of characters: controls, spaces, what is seen by nobody, and
 * marks that are no letters. ASCII beyond controls is not in it.
 */
const NO_LETTERS = [
  String.raw`\x00-\x20\x7f-\xa9\xab-\xb4\xb6\xb8\xb9\xbb-\xbf\xd7\xf7\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5`,
  String.raw`\u180b-\u180f\u2000-\u206f\u2800\u3000-\u3004\u3008-\u3020\u3164\ufe00-\ufe0f\ufeff`,
  String.raw`\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffa0\ufff0-\uffff\udb40`,
].join("");

/** Lists what is not atext of RFC 5322, as in a class of characters; letters of any script are (RFC 6531). */
const NO_ATEXT = String.raw`"(),:;<>@[\\\]${NO_LETTERS}`;

/** Matches letters and digits of any script. */
const LETTERS = String.raw`[^!-/:-@[-\x60{-~${NO_LETTERS}]+`;

const LABEL = `${LETTERS}(?:-+${LETTERS})*`;
const DOMAIN = String.raw`${LABEL}(?:\.${LABEL})+`;

/** Tells the form of an e-mail address, in any script. Whether it exists, only a mail to it tells. */
export const EMAIL = new RegExp(String.raw`^[^.${NO_ATEXT}]+(?:\.[^.${NO_ATEXT}]+)*@${DOMAIN}$`);

/** Tells nearly the same in few words, as the description of the API shows it. */
export const ROUGHLY_EMAIL_OR_HASH = /^(?:[0-9a-f]{64}|[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+)$/;

/**
 * Tells how a customer's e-mail comes: the address, or its SHA-256 in lower case. Dots may stand anywhere before the at: some
 * such addresses exist, and to refuse them would cost the customer's page its offers.
 */
export const EMAIL_OR_HASH = new RegExp(`^(?:[0-9a-f]{64}|[^${NO_ATEXT}]+@${DOMAIN})$`);
