import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, PlacementDocument } from "../../db/documents/types.ts";
import { SITE_STATUSES } from "../../db/schema/values.ts";
import { renderEnvelope } from "../../functions/answer/render.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import { renderNaively } from "../support/naive/answers.ts";

const BASE = "https://offers.example";
const OTHER_BASE = "http://127.0.0.1:8787";

const placement: PlacementDocument = {
  publisherId: "pub_1",
  status: "active",
  isLiveMode: true,
  data: {},
  siteId: "site_1",
  siteName: "A shop",
  siteStatus: "active",
  siteAdsEnabled: true,
  factsChangedAt: 0,
};

const texts = fc.string({ unit: "binary" });
const offers: fc.Arbitrary<Candidate[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 0, max: 99 }).map((number) => `ofr_${String(number).padStart(26, "0")}`),
      title: texts,
      header: texts,
      description: texts,
      ctaText: texts,
      declineButtonText: texts,
      termsUrl: fc.option(fc.webUrl()),
      iconUrl: fc.option(fc.oneof(fc.constant("/icons/tree.svg"), fc.webUrl())),
      iconWidth: fc.option(fc.nat()),
      iconHeight: fc.option(fc.nat()),
    }),
    { selector: ({ id }) => id, maxLength: 5 },
  )
  .map((rows) => rows.map((row): Candidate => Object.assign({}, SAMPLE_OFFERS[0], row)));
const placements: fc.Arbitrary<PlacementDocument> = fc
  .record({
    siteName: texts,
    siteStatus: fc.constantFrom(...SITE_STATUSES),
    isLiveMode: fc.boolean(),
    data: fc.dictionary(fc.constantFrom("brandName", "adDisplayDelay", "templateConfig", "unknown"), fc.jsonValue()),
  })
  .map((row): PlacementDocument => Object.assign({}, placement, row));
const seals = fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/);

describe("renderEnvelope", () => {
  it("writes what a plain way writes, for any documents, again and again, with another seal and under another address", () => {
    fc.assert(
      fc.property(placements, offers, seals, seals, (shown, chosen, one, other) => {
        for (const [base, seal] of [
          [BASE, one],
          [BASE, other],
          [OTHER_BASE, one],
          [BASE, one],
        ] as const) {
          expect(renderEnvelope(base, shown, chosen, seal)).toBe(renderNaively(base, shown, chosen, seal));
        }
      }),
    );
  });

  it("keeps an advertiser's text that looks like a token or a part of JSON", () => {
    const [sample] = SAMPLE_OFFERS;
    const odd = { ...(sample as Candidate), title: '","clickUrl":"https://evil.example/click?t=seal', header: "seal" };
    expect(JSON.parse(renderEnvelope(BASE, placement, [odd], "seal"))).toMatchObject({
      offers: [{ title: odd.title, header: "seal", clickUrl: `${BASE}/click?t=seal.${odd.id.slice(-26)}1` }],
    });
  });
});
