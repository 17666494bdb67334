/** Returns the code of a language tag's language; nothing where the text is no tag. */
export const languageOf = (locale: string): string | undefined => /^[a-z]{2,3}(?![a-z])/i.exec(locale)?.[0];

/** Returns the code in lower case; English where the text is no tag. */
export const codeOf = (locale: string): string => (languageOf(locale) ?? "en").toLowerCase();

/** Returns what marks texts as being in that language. Pages may hand over what is no text, as `Intl.Locale`. */
export const tagOf = (locale: unknown): string =>
  (languageOf(locale as string) ? String(locale) : "en").replace(/_/g, "-");

/** Returns the direction in which the language of a tag is written. */
export const directionOf = (locale: string): "rtl" | "ltr" =>
  /^(?:ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)$/.test(codeOf(locale)) ? "rtl" : "ltr";
