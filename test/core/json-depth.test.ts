import fc from "fast-check";
import { expect, it } from "vitest";
import { isDeeper } from "../../functions/core/json-depth.ts";

/** Tells how deep a value is nested. */
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it("tells of any JSON whether it is nested deeper than so many levels", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), fc.constantFrom(0, 2), (value, levels, indent) => {
      expect(isDeeper(JSON.stringify(value, null, indent), levels)).toBe(depthOf(value) > levels);
    }),
  );
});

it.each([
  ['"[[[["', false],
  [String.raw`{"a\"[[[[":"\\\""}`, false],
  [String.raw`["\\",[["`, true],
  ["[],[],[],[]", false],
  ["]]]]", false],
  ["[[[", true],
])("of %s says %j for two levels", (text, deeper) => {
  expect(isDeeper(text, 2)).toBe(deeper);
});
