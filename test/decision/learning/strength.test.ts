import { describe, expect, it } from "vitest";
import { strengthOf } from "../../../functions/decision/learning/strength.ts";

const alike = (count: number, each: { count: number; expected: number }) => Array.from({ length: count }, () => each);

describe("strengthOf", () => {
  it("keeps what is usual while little happened, or of few", () => {
    expect(strengthOf(alike(50, { count: 1, expected: 2 }), 10, 50)).toBe(10);
    expect(strengthOf(alike(19, { count: 100, expected: 90 }), 10, 50)).toBe(10);
    expect(strengthOf([], 7, 50)).toBe(7);
  });

  it("is greatest where counts stray no further than by chance", () => {
    expect(strengthOf(alike(30, { count: 10, expected: 10 }), 10, 50)).toBe(50);
  });

  it("is least where rates have nothing in common", () => {
    const outcomes = [...alike(15, { count: 1_000, expected: 100 }), ...alike(15, { count: 0, expected: 100 })];
    expect(strengthOf(outcomes, 10, 50)).toBe(1);
  });

  it("finds by how much rates stray", () => {
    // Half of the rates are 50 % above what is expected, half are 50 % below: a variance of 1/4, so 4 events.
    const outcomes = [...alike(50, { count: 1_500, expected: 1_000 }), ...alike(50, { count: 500, expected: 1_000 })];
    expect(strengthOf(outcomes, 10, 50)).toBeCloseTo(4, 1);
  });
});
