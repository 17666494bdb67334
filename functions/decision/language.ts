import { remembering } from "../core/calls/remember.ts";

/** Limits how many codes are remembered. */
const REMEMBERED = 500;

/**
 * Returns the one code of a language that a code of two or three letters stands for: `he` for the older `iw`, `de` for
 * `deu`, `no` for `nb`.
 */
export const languageCode = remembering(REMEMBERED, (code) => {
  const { language } = new Intl.Locale(code);
  // Browsers name the way in which Norwegian is written, and never the language.
  return language === "nb" || language === "nn" ? "no" : (language ?? code);
});
