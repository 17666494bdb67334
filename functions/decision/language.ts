import { remembering } from "../core/calls/remember.ts";

/** Limits how many codes are remembered. */
const REMEMBERED = 500;

/**
 * Returns the one code of a language that a code of two or three letters stands for: `he` for the older `iw`, `de` for
 * `deu`.
 */
export const languageCode = remembering(REMEMBERED, (code) => new Intl.Locale(code).language ?? code);
