import { describe, expect, it } from "vitest";
import { isId } from "../../db/core/ids.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import { openToken, sealDecision, tokenOf } from "../../functions/answer/tracking-token.ts";
import { renderIcon } from "../../functions/storefront/icons.ts";

describe("sample offers", () => {
  it("have ids of their own that a tracking token can carry", () => {
    const ids = SAMPLE_OFFERS.map((offer) => offer.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isId("offer", id))).toBe(true);
    const ring = [{ id: "t1", secret: "secret" }];
    const decision = {
      decisionId: "dec_01m7yfxddresnrhs278v6axnnm",
      placementId: "plc_01m7yfxddsesnrhs3551vjgzr1",
      country: "US",
      isTest: true,
      arm: "0",
      sessionHash: null,
      emailHash: null,
    };
    const seal = sealDecision(ring, decision, SAMPLE_OFFERS);
    for (const offer of SAMPLE_OFFERS) {
      expect(openToken(ring, tokenOf(seal, offer))).toMatchObject({ offerId: offer.id, isTest: true });
    }
  });

  it("are more than a page asks for by default, and show what a page must bear", () => {
    expect(SAMPLE_OFFERS.length).toBeGreaterThan(4);
    expect(SAMPLE_OFFERS.some((offer) => offer.description.includes("\n"))).toBe(true);
    expect(SAMPLE_OFFERS.some((offer) => /[<&"]/.test(offer.title))).toBe(true);
  });

  it("refer to nothing but the service's own icons and reserved hosts", () => {
    for (const offer of SAMPLE_OFFERS) {
      expect(renderIcon(/^\/icons\/([a-z-]+)\.svg$/.exec(offer.iconUrl ?? "")?.[1] ?? "")).not.toBeNull();
      expect(new URL(offer.destinationUrl).host).toBe("example.com");
    }
  });
});
