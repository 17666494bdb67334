import { expect, it } from "vitest";
import { idleState } from "../../functions/console/core/idle.ts";

it.each([
  [0, "active"],
  [28 * 60_000 + 59_999, "active"],
  [29 * 60_000, "warned"],
  [29 * 60_000 + 59_999, "warned"],
  [30 * 60_000, "over"],
  // A machine that slept notices late.
  [600 * 60_000, "over"],
])("says of %d ms without a sign that the session is %s", (ms, state) => {
  expect(idleState(ms)).toBe(state);
});
