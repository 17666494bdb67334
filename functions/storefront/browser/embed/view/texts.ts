import { codeOf, directionOf, tagOf } from "../service/language.ts";

// The order is: region, partner label, count, close, terms, disclaimer, its text, privacy, footer, new tab, end, test.
const ENGLISH =
  "Offers for you|Partner offer|{n} of {m}|Close offers|Terms|Disclaimer|From a partner of {brand}. Whatever you choose, your order stays as it is.|Privacy policy|Offers by Lanyap|opens in a new tab|No more offers|Test mode";

/** Holds the words in that order. The browser has checked the hash of those of other languages, so none is missing. */
type Words = [string, string, string, string, string, string, string, string, string, string, string, string];

/** Holds the script's own texts in one language, and the direction of writing. */
export type Texts = ReturnType<typeof textsOf>;

/** Returns the texts for a language tag. Without foreign words they are English. */
export const textsOf = (locale: string, brand = "", foreign?: string | void) => {
  const [region, partner, count, close, terms, disclaimer, why, privacy, by, newTab, end, test] = (
    foreign ?? ENGLISH
  ).split("|") as Words;
  return {
    region,
    partner,
    close,
    terms,
    disclaimer,
    newTab,
    end,
    test,
    why: why.replace("{brand}", () => brand),
    by,
    locale: tagOf(locale),
    language: foreign ? codeOf(locale) : "en",
    direction: directionOf(locale),
    count: (n: number, m: number) => count.replace("{n}", `${n}`).replace("{m}", `${m}`),
    /** Returns the privacy link's label: the placement's, unless that is the service's English default. */
    privacy: (label?: string) => (label && label !== "Privacy policy" ? label : privacy),
  };
};
