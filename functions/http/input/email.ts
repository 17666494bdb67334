const ADDRESS = String.raw`[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+`;

/** Tells the form of an e-mail address, in any script. Whether it exists, only a mail to it tells. */
export const EMAIL = new RegExp(`^${ADDRESS}$`);

/** Tells how a customer's e-mail comes: the address, or its SHA-256 in lower case. */
export const EMAIL_OR_HASH = new RegExp(`^(?:[0-9a-f]{64}|${ADDRESS})$`);
