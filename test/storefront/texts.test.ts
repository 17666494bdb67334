import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../../functions/storefront/languages.ts";
import { textsOf } from "../../functions/storefront/browser/embed/view/texts.ts";
import { wordsOf } from "../../functions/storefront/browser/webview/texts.ts";

describe("the script's own texts", () => {
  it("are English without foreign words, written as the locale is", () => {
    const texts = textsOf("ar-EG", "Oak & Ash");
    expect(texts).toMatchObject({ region: "Offers for you", test: "Test mode", language: "en", direction: "rtl" });
    expect(texts.why).toBe("From a partner of Oak & Ash. Whatever you choose, your order stays as it is.");
    expect(texts.count(1, 3)).toBe("1 of 3");
  });

  it("are those of another language where its words were loaded", () => {
    const texts = textsOf("de-AT", "Oak", LANGUAGES["de"]);
    expect(texts).toMatchObject({ region: "Angebote für Sie", test: "Testmodus", language: "de", direction: "ltr" });
    expect(texts.count(2, 4)).toBe("2 von 4");
  });

  it.each([
    ["zh_Hant_TW", "zh-Hant-TW"],
    ["pt-BR", "pt-BR"],
    ["german", "en"],
    ["", "en"],
    [new Intl.Locale("de-AT"), "de-AT"],
    [{ isoCode: "DE" }, "en"],
  ])("mark offers as being in the page's language, whatever it hands over: %s", (locale, tag) => {
    expect(textsOf(locale as string).locale).toBe(tag);
  });

  it("have a brand as it is, whatever is in it", () => {
    expect(textsOf("en", "$& {n} $1").why).toContain("a partner of $& {n} $1.");
  });

  it.each([
    ["Your data", "Your data"],
    ["Privacy policy", "Datenschutz"],
    ["", "Datenschutz"],
    [undefined, "Datenschutz"],
  ])("name the privacy link that a placement calls %j: %s", (label, text) => {
    expect(textsOf("de", "", LANGUAGES["de"]).privacy(label)).toBe(text);
  });

  it.each(Object.keys(LANGUAGES))("are all there in %s", (language) => {
    const { count, privacy, why, ...texts } = textsOf(language, "Oak", LANGUAGES[language]);
    expect(Object.values(texts).every(Boolean)).toBe(true);
    expect(why).toContain("Oak");
    expect(count(5, 7)).toMatch(/5.*7/);
    expect(privacy()).not.toBe("");
    expect(texts.language).toBe(language);
  });
});

it.each(Object.keys(LANGUAGES))(
  "the hosted page has words of its own in each of the script's languages: %s",
  (code) => {
    expect(wordsOf(code).lang).toBe(code);
  },
);
