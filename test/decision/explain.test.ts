import { describe, expect, it } from "vitest";
import type { ExplainedOffer } from "../../db/demand/explain.ts";
import type { Candidate } from "../../db/documents/types.ts";
import type { Situation } from "../../functions/decision/decide.ts";
import type { DecisionRequest } from "../../functions/decision/eligibility.ts";
import { explain } from "../../functions/decision/explain.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import { networkDocument } from "../support/documents/documents.ts";
import { candidate, excluded, known, NOW, request, served, situation } from "../support/documents/explained.ts";

describe("an offer", () => {
  it("of the broad list alone has what the request says against it, or else is no candidate", () => {
    const broad = [candidate("a"), candidate("b", { languages: ["fr"] }), candidate("c"), candidate("d")];
    const tables = [known("a"), known("b"), known("c"), known("d", "offer_paused")];
    expect(explain(situation([candidate("a")]), request, tables, broad).offers).toEqual([
      served("a", 1),
      excluded("b", "language"),
      excluded("c", "not_a_candidate"),
      excluded("d", "offer_paused"),
    ]);
  });

  it("is served, others outranked", () => {
    const offers = [candidate("a", { priority: 2 }), candidate("b"), candidate("c", { priority: 3 })];
    expect(explain(situation(offers), { ...request, count: 2 }, [known("c"), known("a"), known("b")])).toEqual({
      isTestMode: false,
      noFillReason: null,
      offers: [served("b", 1), served("a", 2), excluded("c", "outranked")],
    });
  });

  it.each<[string, Partial<Candidate>, Partial<DecisionRequest>]>([
    ["not_started", { startsAt: NOW + 1 }, {}],
    ["ended", { endsAt: NOW }, {}],
    ["language", { languages: ["en"] }, { language: "de" }],
    ["currency", { currencies: ["USD"] }, { currency: "EUR" }],
    ["amount", { amountMin: 5 }, { amount: 4 }],
    ["payment_type", { paymentTypes: ["paypal"] }, {}],
  ])("that the request does not fit: %s", (reason, overrides, asked) => {
    const offers = [candidate("a", overrides)];
    expect(explain(situation(offers), { ...request, ...asked }, [known("a")])).toEqual({
      isTestMode: false,
      noFillReason: "no_eligible_offer",
      offers: [excluded("a", reason)],
    });
  });

  it.each([
    ["that the tables know the reason of", "offer_paused", "offer_paused"],
    ["that the tables say nothing against", null, "changed"],
  ] as const)("that changed since, and %s", (_, reason, told) => {
    const network = networkDocument({ since: NOW, offers: [[1, 7]] });
    const changed = candidate("a", { serial: 7, changedAt: NOW });
    const [verdict] = explain(situation([changed], { network }), request, [known("a", reason)]).offers;
    expect(verdict?.reason).toBe(told);
  });

  it.each([
    ["daily_cap", "daily_cap"],
    [null, "not_started"],
  ] as const)("that opens later because of %s says so", (reason, told) => {
    const later = candidate("a", { startsAt: NOW + 1 });
    expect(explain(situation([later]), request, [known("a", reason)]).offers).toEqual([excluded("a", told)]);
  });

  it("that the request does not fit has that reason, whatever the tables say", () => {
    const french = candidate("a", { languages: ["fr"] });
    expect(explain(situation([french]), request, [known("a", "country")]).offers).toEqual([excluded("a", "language")]);
  });

  it("tells which share of sessions sees it where it is paced and a candidate", () => {
    const offers = [candidate("a", { serial: 7 }), candidate("b", { serial: 7 })];
    const paced = networkDocument({ paced: [[8, 4, 3]] });
    const tables = ["a", "c"].map((id): ExplainedOffer => Object.assign(known(id), { pacing: "EVEN" }));
    const told = explain(situation(offers, { network: paced }), request, [...tables, known("b")]).offers;
    expect(Object.fromEntries(told.map(({ offerId, pace }) => [offerId, pace]))).toEqual({ a: 0.5, b: null, c: null });
  });

  it("that its pacing leaves out of a session tells the share of the others", () => {
    const paced = networkDocument({ paced: [[8, 7]] });
    const all = situation([candidate("a", { serial: 7 })], { network: paced });
    const tables = [{ ...known("a"), pacing: "EVEN" as const }];
    const verdicts = Array.from(
      { length: 40 },
      (_, i) => explain(all, { ...request, session: `s${i}` }, tables).offers,
    );
    expect(verdicts).toContainEqual([{ ...served("a", 1), pace: 0.5 }]);
    expect(verdicts).toContainEqual([{ ...excluded("a", "paced"), pace: 0.5 }]);
  });

  it("of a placement that has no list of candidates has the tables' reason, and nothing is believed of it", () => {
    const all = situation([], { candidates: null });
    expect(explain(all, request, [known("a", "country"), known("b")]).offers).toEqual([
      { ...excluded("a", "country"), expectation: null },
      { ...excluded("b", "not_a_candidate"), expectation: null },
    ]);
  });

  it("that is no candidate has the tables' reason, or none that they know", () => {
    expect(explain(situation([]), request, [known("a", "country"), known("b")]).offers).toEqual([
      excluded("a", "country"),
      excluded("b", "not_a_candidate"),
    ]);
  });

  it("that is still served although the tables say otherwise is said to be served", () => {
    expect(explain(situation([candidate("a")]), request, [known("a", "offer_paused")]).offers).toEqual([
      served("a", 1),
    ]);
  });

  it("that the caller may not know of takes its rank, and is not named", () => {
    const offers = [candidate("secret"), candidate("a", { priority: 2 })];
    expect(explain(situation(offers), request, [known("a")]).offers).toEqual([served("a", 2)]);
  });

  it("of a name such as __proto__ is nothing special", () => {
    expect(explain(situation([]), request, [known("__proto__")]).offers).toEqual([
      excluded("__proto__", "not_a_candidate"),
    ]);
  });
});

describe("the creatives of an offer", () => {
  const creative = { status: "active", weight: 1, clicks: 0, exposure: 0, conversions: 0, clicked: 0 } as const;
  const creatives = [
    { ...creative, id: null, number: 1, name: "Own" },
    { ...creative, id: "crv_2", number: 2, name: "Other" },
  ];
  const tables: ExplainedOffer[] = ["a", "b"].map((id) =>
    Object.assign(known(id), { creatives: { pricing: "CPC", rates: [0.02, 0.1], creatives } }),
  );
  const namesOf = (all: Situation) =>
    explain(all, request, tables).offers.map((offer) => [
      offer.offerId,
      offer.creatives?.map(({ name, share }) => [name, share]),
    ]);

  it("are told of one that is served, and of one that is not", () => {
    const others = [{ ...candidate("a"), number: 2, weight: 3 }];
    const untold = [
      ["Own", null],
      ["Other", null],
    ];
    expect(namesOf(situation([candidate("a", { creatives: { weight: 1, others } })]))).toEqual([
      [
        "a",
        [
          ["Own", 0.25],
          ["Other", 0.75],
        ],
      ],
      ["b", untold],
    ]);
  });

  it("are not told of in test mode, which shows samples", () => {
    const all = situation([candidate("a")]);
    const test = { ...all, placement: { ...all.placement, isLiveMode: false } };
    const told = explain(test, { ...request, count: 1 }, tables).offers.map((offer) => offer.creatives);
    expect(told).toEqual([null, null, null]);
  });
});

describe("a switch", () => {
  it.each<[string, Partial<Situation["publisher"]>, Partial<Situation["placement"]>]>([
    ["publisher_inactive", { status: "inactive", adsEnabled: false }, { siteStatus: "pending" }],
    ["publisher_ads_disabled", { adsEnabled: false }, { siteStatus: "inactive" }],
    ["site_not_active", {}, { siteStatus: "pending", siteAdsEnabled: false }],
    ["site_ads_disabled", {}, { siteAdsEnabled: false, status: "inactive" }],
    ["placement_inactive", {}, { status: "inactive", isLiveMode: false }],
  ])("keeps every offer off: %s", (reason, publisher, placement) => {
    const all = situation([candidate("a")]);
    const off = {
      ...all,
      publisher: { ...all.publisher, ...publisher },
      placement: { ...all.placement, ...placement },
    };
    expect(explain(off, request, [known("a"), known("b", "country")])).toEqual({
      isTestMode: !off.placement.isLiveMode,
      noFillReason: reason,
      offers: [excluded("a", reason), excluded("b", reason)],
    });
  });
});

it("test mode serves the samples instead", () => {
  const all = situation([candidate("a")]);
  const test = { ...all, placement: { ...all.placement, isLiveMode: false } };
  const samples = SAMPLE_OFFERS.slice(0, 2).map((offer, i) => served(offer.id, i + 1, offer.title));
  expect(explain(test, { ...request, count: 2 }, [known("a")])).toEqual({
    isTestMode: true,
    noFillReason: null,
    offers: [...samples, { ...excluded("a", "test_mode"), expectation: null }],
  });
});
