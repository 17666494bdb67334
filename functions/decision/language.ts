import { remembering } from "../core/calls/remember.ts";

/** Limits how many codes are remembered. */
const REMEMBERED = 500;

/**
 * Returns the usual code of the language that a code of two or three letters stands for: `he` for the older `iw`, `de`
 * for `deu`, `no` for `nb`.
 */
export const languageCode = remembering(REMEMBERED, (code) => {
  const { language } = new Intl.Locale(code);
  // Browsers name a written form of Norwegian, never the language itself.
  return language === "nb" || language === "nn" ? "no" : (language ?? code);
});
