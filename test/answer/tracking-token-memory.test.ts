import { describe, expect, it } from "vitest";
import { openToken, sealDecision, tokenOf, type ShownOffer } from "../../functions/answer/tracking-token.ts";
import { SEALED_DECISION } from "../support/tracking/decision.ts";

/** Makes keys for which nothing is remembered, as in another isolate. */
const newRing = () => [{ id: "t1", secret: "one secret" }];

/** Holds an offer as each of its creatives shows it, and as it is with one only. */
const shown = [0, 1, 2, 100].map((creative): ShownOffer => ({
  id: "ofr_01m7yg6bwmfzxr09ym9c6dq9qv",
  revision: 7,
  creative,
}));

/** Tells which of an offer's creatives a seal of one of them opens for. */
const opened = (sealed: ShownOffer, sealing = newRing(), opening = sealing) => {
  const seal = sealDecision(sealing, SEALED_DECISION, [sealed]);
  return shown.filter((offer) => openToken(opening, tokenOf(seal, offer))).map(({ creative }) => creative);
};

describe("a token of an offer that has several creatives", () => {
  it.each(shown)("opens for the one that was shown alone: $creative", (offer) => {
    expect(opened(offer)).toEqual([offer.creative]);
    expect(opened(offer, newRing(), newRing())).toEqual([offer.creative]);
  });

  it("opens where the key remembers another creative, and in another isolate", () => {
    const ring = newRing();
    const each = [...shown, ...shown.toReversed()];
    expect(each.map((offer) => opened(offer, ring))).toEqual(each.map(({ creative }) => [creative]));
    expect(each.map((offer) => opened(offer, ring, newRing()))).toEqual(each.map(({ creative }) => [creative]));
  });
});
