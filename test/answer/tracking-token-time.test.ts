import { describe, expect, it } from "vitest";
import { isExpired } from "../../functions/answer/tracking-token.ts";

describe("isExpired", () => {
  const day = 86_400_000;
  it.each([
    ["impression", day],
    ["viewable", day],
    ["close", day],
    ["click", 30 * day],
  ] as const)("ends an %s after %d ms", (kind, lifetime) => {
    const issuedAt = Date.UTC(2026, 10, 20);
    expect(isExpired(kind, issuedAt, issuedAt)).toBe(false);
    expect(isExpired(kind, issuedAt, issuedAt + lifetime)).toBe(false);
    expect(isExpired(kind, issuedAt, issuedAt + lifetime + 1)).toBe(true);
  });
});
