import { describe, expect, it } from "vitest";
import { codeOf, directionOf, languageOf } from "../../functions/storefront/browser/embed/service/language.ts";

describe("the language of a tag", () => {
  it.each([
    ["de", "de", "ltr"],
    ["DE-at", "de", "ltr"],
    ["de_AT", "de", "ltr"],
    ["ar-EG", "ar", "rtl"],
    ["ar_EG", "ar", "rtl"],
    ["AR", "ar", "rtl"],
    ["he-IL", "he", "rtl"],
    ["ckb", "ckb", "rtl"],
    // Estonian and Mapudungun begin as Spanish and Arabic do.
    ["est", "est", "ltr"],
    ["arn", "arn", "ltr"],
  ])("%s is %s, written %s", (locale, code, direction) => {
    expect([codeOf(locale), directionOf(locale)]).toEqual([code, direction]);
    expect(languageOf(locale)?.toLowerCase()).toBe(code);
  });

  it.each(["", "x", "german", "123"])("is English where %j is no tag", (locale) => {
    expect([languageOf(locale), codeOf(locale), directionOf(locale)]).toEqual([undefined, "en", "ltr"]);
  });
});
