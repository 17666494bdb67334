import type * as z from "zod";

/** Returns a text with its ASCII letters in lower case; `toLowerCase` would turn the Kelvin sign into a k. */
export const lowerAscii = (value: string): string => value.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * Checks a code of ASCII letters in either case, and returns it in upper case; `toUpperCase` alone would make codes
 * from other letters, such as SS from ß.
 *
 * @param of makes the further checks of the text
 * @param isKnown tells whether a code in upper case exists
 */
export const code = (of: z.ZodString, isKnown: (value: string) => boolean, message: string) =>
  of.refine((value) => /^[A-Za-z]+$/.test(value) && isKnown(value.toUpperCase()), message).toUpperCase();
