import * as z from "zod";
import { expect, it } from "vitest";
import { code, lowerAscii } from "../../../functions/http/input/codes.ts";

const COUNTRIES = new Set(["SS", "IT", "DE"]);
const country = code(z.string(), (value) => COUNTRIES.has(value), "is none");

it.each(["DE", "de", "dE", "it", "ss"])("%s is a code in either case", (text) => {
  expect(country.parse(text)).toBe(text.toUpperCase());
});

it.each(["ß", "ıt", "\u017Fs", "XX", "", " de", "de\n", "ＤＥ"])("%j is none", (text) => {
  expect(country.safeParse(text).error?.issues.map(({ message }) => message)).toEqual(["is none"]);
});

it.each([
  ["EN", "en"],
  ["\u212Ak", "\u212Ak"],
  ["İt", "İt"],
])("%j in lower case is %j", (text, lower) => {
  expect(lowerAscii(text)).toBe(lower);
});
