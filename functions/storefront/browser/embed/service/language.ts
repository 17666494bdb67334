/** Returns the code of a language tag's language; nothing if the text is not a tag. */
export const languageOf = (locale: string): string | undefined => /^[a-z]{2,3}(?![a-z])/i.exec(locale)?.[0];

/** Returns the code in lower case; English if the text is not a tag. */
export const codeOf = (locale: string): string => (languageOf(locale) ?? "en").toLowerCase();

/**
 * Returns the tag to mark texts with as being in that language. Pages may pass what is not a text, such as an
 * `Intl.Locale`.
 */
export const tagOf = (locale: unknown): string =>
  (languageOf(locale as string) ? String(locale) : "en").replace(/_/g, "-");

/** Returns the direction in which the language of a tag is written. */
export const directionOf = (locale: string): "rtl" | "ltr" =>
  /^(?:ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)$/.test(codeOf(locale)) ? "rtl" : "ltr";
