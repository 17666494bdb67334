import type * as z from "zod";

/** Returns a text with its ASCII letters in lower case; `toLowerCase` would make a k of the Kelvin sign. */
export const lowerAscii = (value: string): string => value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Checks a code of ASCII letters in either case, and returns it in upper case; `toUpperCase` alone would make codes of other
 * letters, such as SS of ß.
 *
 * @param of checks what else the text has to be
 * @param isKnown judges a code in upper case
 */
export const code = (of: z.ZodString, isKnown: (value: string) => boolean, message: string) =>
  of.refine((value) => /^[A-Za-z]+$/.test(value) && isKnown(value.toUpperCase()), message).toUpperCase();
