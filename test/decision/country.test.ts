import { describe, expect, it } from "vitest";
import { isCountry, UNKNOWN_COUNTRY } from "../../functions/decision/country.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");

describe("isCountry", () => {
  it("knows the 249 codes of ISO 3166-1, and Kosovo's", () => {
    const known = LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter(isCountry);
    expect(known).toHaveLength(250);
    // The regions that the runtime can name are a superset: they include unions and outlying islands.
    const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    expect(known.filter((code) => names.of(code) === undefined)).toEqual([]);
  });

  it.each(["US", "GB", "DE", "SS", "SX", "AX", "UM", "XK"])("knows %s", (code) => {
    expect(isCountry(code)).toBe(true);
  });

  it.each([UNKNOWN_COUNTRY, "", "us", "Us", "USA", "U", "UK", "EU", "AN", "T1", "XX", "US ", " US", "constructor"])(
    "does not know %j",
    (code) => {
      expect(isCountry(code)).toBe(false);
    },
  );
});
