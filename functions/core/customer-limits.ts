/** Limits the id of a session, in characters. */
export const MAX_SESSION = 500;

/** Limits a customer's e-mail, in characters: 64 before the at, and 255 after it. */
export const MAX_EMAIL = 320;
