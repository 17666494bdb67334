import { describe, expect, it } from "vitest";
import { parameterNames } from "../../functions/routes/public/odata-query.ts";
import { unknownNames } from "../../functions/storefront/browser/embed/more/names.ts";

/** Lists what other tools leave on elements. */
const FOREIGN =
  "aos aos-delay id state name page zone mode elementor-type elementor-id section-id module mount counter cfasync no-minify turbo-track v-7ba5bd90 n-head testid cy qa cookieconsent category type src settings handle order container-id";

describe("unknownNames", () => {
  it.each([
    ["public-key", undefined],
    ["at-zipcode", undefined],
    ["at-payment_type", undefined],
    ["publickey", "public-key"],
    ["sesion-id", "session-id"],
    ["contry", "at-country"],
    ["email", "at-email"],
    ["placementid", "placement-id"],
    ["contaner", "container"],
    ["locales", "locale"],
    ["counts", "count"],
    ["lanyaps", "lanyap"],
    ["at-contri", "at-country"],
    ["at-kountri", "at-country"],
    ["at-kountrii", ""],
    ["at-lnam", "at-lname"],
    ["at-anything", ""],
  ])("says of data-%s that it may be %j", (name, meant) => {
    const text = `is not known${meant ? `: data-${meant} may be meant` : ""}`;
    expect(unknownNames([`data-${name}`])).toEqual(meant === undefined ? [] : [[`data-${name}`, text]]);
  });

  it.each(parameterNames().filter((name) => name.startsWith("at.")))("knows what the API takes as %s", (name) => {
    expect(unknownNames([`data-${name.replace(".", "-")}`])).toEqual([]);
  });

  it("says nothing of what is no data, nor of a name that is longer than any that is meant", () => {
    expect(unknownNames(["aria-email", "atat-contry", `data-at-${"x".repeat(60)}`])).toEqual([]);
  });

  it.each(FOREIGN.split(" "))("says nothing of data-%s, which others may have put there", (name) => {
    expect(unknownNames([`data-${name}`, "class", "id"])).toEqual([]);
  });
});
