import { expect, it } from "vitest";
import { endingOf } from "../../functions/console/core/ending.ts";

it.each([
  [115, 115, 0, "115 of 115: all done."],
  [115, 115, 2, "115 of 115: 2 refused."],
  [50, 115, 0, "50 of 115: stopped."],
  [50, 115, 1, "50 of 115: stopped, 1 refused."],
])("says of %d of %d, %d of them refused: %s", (done, all, refused, text) => {
  expect(endingOf(done, all, refused)).toBe(text);
});
