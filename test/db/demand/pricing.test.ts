import { describe, expect, it } from "vitest";
import { priorEcpm } from "../../../db/demand/pricing.ts";

describe("priorEcpm", () => {
  it.each([
    ["CPM", 9_000_000, 9_000_000],
    ["CPM", 1000, 1000],
    ["CPC", 450_000, 9_000_000],
    ["CPC", 1, 20],
    ["CPA", 18_000_000, 18_000_000],
    ["CPA", 1, 1],
    ["CPM", 0, 0],
    ["CPC", 0, 0],
    ["CPA", 0, 0],
    // The highest bid that the database takes.
    ["CPM", 1_000_000_000_000, 1_000_000_000_000],
    ["CPC", 1_000_000_000_000, 20_000_000_000_000],
    ["CPA", 1_000_000_000_000, 1_000_000_000_000],
  ] as const)("expects of %s at %d micro-USD %d for a thousand impressions", (pricing, bid, ecpm) => {
    expect(priorEcpm(pricing, bid)).toBe(ecpm);
    expect(Number.isSafeInteger(priorEcpm(pricing, bid))).toBe(true);
  });
});
