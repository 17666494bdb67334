import { describe, expect, it } from "vitest";
import type { ExplainedCreative, ExplainedCreatives } from "../../db/demand/explained-creatives.ts";
import { hash32 } from "../../functions/core/hash.ts";
import { shownTo } from "../../functions/decision/creatives.ts";
import { explainCreatives } from "../../functions/decision/explain-creatives.ts";
import { OPEN_OFFER } from "../support/documents/arbitrary-decisions.ts";
import { splitOffer } from "../support/documents/split.ts";

const creative = (number: number, changes: Partial<ExplainedCreative> = {}): ExplainedCreative => ({
  id: number === 1 ? null : `crv_${number}`,
  number,
  name: `Creative ${number}`,
  status: "active",
  weight: 10 * number,
  clicks: 0,
  exposure: 0,
  conversions: 0,
  clicked: 0,
  ...changes,
});
const told = (...creatives: ExplainedCreative[]): ExplainedCreatives => ({
  pricing: "CPC",
  rates: [0.02, 0.1],
  creatives,
});
/** Shows the first creative to one of three sessions, and the third to two. */
const candidate = splitOffer(10, [3, 20]);
const SESSIONS = Array.from({ length: 50 }, (_, i) => `session ${i}`);

describe("a creative of an offer", () => {
  const three = told(creative(1), creative(2, { status: "paused" }), creative(3));

  it("is told of by its number, with which part of the sessions sees it: of one that is paused, none", () => {
    expect(explainCreatives(three, candidate, "s")).toMatchObject([
      { creativeId: null, number: 1, name: "Creative 1", status: "active", weight: 10, share: 0.3333 },
      { creativeId: "crv_2", number: 2, name: "Creative 2", status: "paused", weight: 20, share: 0 },
      { creativeId: "crv_3", number: 3, name: "Creative 3", status: "active", weight: 30, share: 0.6667 },
    ]);
  });

  it("is said to be shown where the session sees it, and no other", () => {
    const shown = SESSIONS.map((session) =>
      explainCreatives(three, candidate, session).flatMap((each) => (each.shown ? [each.number] : [])),
    );
    expect(shown).toEqual(SESSIONS.map((session) => [shownTo(candidate, hash32(session)).creative]));
    expect(new Set(shown.flat())).toEqual(new Set([1, 3]));
  });

  it.each([
    ["is no candidate", undefined],
    ["was listed before it had another", OPEN_OFFER],
  ])("has no share and is not shown, where the offer %s", (_, listed) => {
    const shares = explainCreatives(three, listed, "s").map(({ share, shown }) => ({ share, shown }));
    expect(shares).toEqual(three.creatives.map(() => ({ share: null, shown: false })));
  });
});

describe("what is believed of a creative", () => {
  it("is its rate, drawn towards that of all of the offer's, and how much was seen of it in few digits", () => {
    const seen = told(creative(1, { clicks: 100, exposure: 10_000.4 }), creative(2, { clicks: 300, exposure: 10_000 }));
    const [own, better] = explainCreatives(seen, undefined, "s");
    expect(own?.exposure).toBe(10_000);
    expect(own?.rate.expected).toBeGreaterThan(0.01);
    expect(own?.rate.expected).toBeLessThan(0.011);
    expect(better?.rate.low).toBeGreaterThan(own?.rate.high ?? 1);
  });

  it.each([
    ["CPM", 0.02],
    ["CPC", 0.02],
    ["CPA", 0.002],
  ] as const)(
    "of an offer that is paid for by %s is as the offer's rates say, where nothing is known",
    (pricing, rate) => {
      const [own] = explainCreatives({ ...told(creative(1)), pricing }, undefined, "s");
      expect(own?.rate.expected).toBeCloseTo(rate, 5);
    },
  );
});
