import { expect, it } from "vitest";
import { isSame, isSameText } from "../../functions/console/core/same.ts";

it.each([
  ["Oak  and\u00A0Ash", "Oak and Ash", true],
  [" Oak\n", "Oak", true],
  ["Oak", "oak", false],
  ["Oak Ash", "OakAsh", false],
])("compares %j with %j as a page shows them: %s", (one, other, expected) => {
  expect(isSameText(one, other)).toBe(expected);
});

it.each([
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [[null, "1"], [null, "1"], true],
  [[1], ["1"], false],
  [[1], { 0: 1 }, false],
  [null, {}, false],
  [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
  [{ a: [1, 2] }, { a: [2, 1] }, false],
  [{ a: 1 }, { b: 1 }, false],
])("compares %j with %j as JSON: %s", (one, other, expected) => {
  expect(isSame(one, other)).toBe(expected);
});
