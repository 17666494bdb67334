import { describe, expect, it } from "vitest";
import { gainWords } from "../../../functions/routes/tracking/experiment-words.ts";

const rangeOf = (difference: number, low: number, high: number) => ({ difference, low, high });

describe("gainWords", () => {
  const compared = { since: "2026-11-01", learned: 94_000, heldOut: 5_000 };
  it.each([
    [
      rangeOf(9.1, 5.2, 13),
      rangeOf(855.4, 488.8, 1_222),
      /^Since 2026-11-01 learning earned 9\.10 USD more gross .*\(95 % interval 5\.20 to 13\.00\): 855\.40 USD on 94,000 requests, between 488\.80 and 1222\.00\.$/,
    ],
    [
      rangeOf(-0.01234, -0.02, -0.001),
      rangeOf(-1.16, -2, -0.1),
      /learning earned 0\.0123 USD less gross .*\(95 % interval −0\.02 to −0\.001\): 1\.16 USD on/,
    ],
    [
      rangeOf(0.5, -1, 2),
      rangeOf(47, -94, 188),
      /^Since 2026-11-01 it cannot be told yet .*: 0\.5 USD for a thousand requests \(95 % interval −1\.00 to 2\.00\)\.$/,
    ],
  ])("says it of %j", (thousand, all, words) => {
    expect(gainWords("gross", compared, thousand, all)).toMatch(words);
  });

  it("says one request of one", () => {
    const told = gainWords("gross", { ...compared, heldOut: 1 }, null, null);
    expect(told).toContain("too few sessions were held out, or too little was paid for, in 1 request to tell");
  });
});
