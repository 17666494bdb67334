import { expect, it } from "vitest";
import { isSameText } from "../../functions/console/core/same.ts";

it.each([
  ["Oak  and\u00A0Ash", "Oak and Ash", true],
  [" Oak\n", "Oak", true],
  ["Oak", "oak", false],
  ["Oak Ash", "OakAsh", false],
])("compares %j with %j as a page shows them: %s", (one, other, isSame) => {
  expect(isSameText(one, other)).toBe(isSame);
});
