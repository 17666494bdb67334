import fc from "fast-check";
import { expect, it } from "vitest";
import { trimEnd } from "../../functions/core/trim-end.ts";

it("takes a character off the end as often as it stands there, and nowhere else", () => {
  const texts = fc.array(fc.constantFrom("/", ".", "a")).map((letters) => letters.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      expect(trimEnd(text, "/")).toBe(text.replace(/\/+$/, ""));
      expect(trimEnd(text, ".")).toBe(text.replace(/\.+$/, ""));
    }),
  );
});
