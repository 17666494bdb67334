import { expect, it } from "vitest";
import { nearestCap } from "../../../functions/console/core/offers/caps.ts";

const usage = { today: 5, lifetime: 5, reached: null };
const daily = { isDaily: true, used: 5, cap: 10 };

it.each([
  ["the lifetime cap, of which more is used", 1_000, 6, { isDaily: false, used: 5, cap: 6 }],
  ["the daily cap, of which more is used", 10, 100, daily],
  ["the daily cap of two alike", 10, 10, daily],
  ["the only one", null, 6, { isDaily: false, used: 5, cap: 6 }],
  ["the only one, a day's", 10, null, daily],
  ["none", null, null, null],
])("the nearest cap is %s", (_, dailyCap, lifetimeCap, nearest) => {
  expect(nearestCap({ dailyCap, lifetimeCap, usage })).toEqual(nearest);
});

it("no cap is near of an offer of which it is not told what was used", () => {
  expect(nearestCap({ dailyCap: 10, lifetimeCap: 100, usage: null })).toBe(null);
});
