import { describe, expect, it } from "vitest";
import type { ExplainedOffer } from "../../db/demand/explain.ts";
import type { Candidate } from "../../db/documents/types.ts";
import type { Situation } from "../../functions/decision/decide.ts";
import type { DecisionRequest } from "../../functions/decision/eligibility.ts";
import { explain, withoutGross } from "../../functions/decision/explain.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";
import { candidatesDocument, networkDocument, placementDocument } from "../support/documents/documents.ts";

const candidate = (id: string, overrides: Partial<Candidate> = {}): Candidate => ({
  ...(SAMPLE_OFFERS[0] as Candidate),
  id,
  title: `Title of ${id}`,
  ...overrides,
});
const known = (id: string, reason: ExplainedOffer["reason"] = null): ExplainedOffer => ({
  id,
  name: `N ${id}`,
  reason,
  pacing: "ASAP",
});

const NOW = 1_000_000;
const request: DecisionRequest = { count: 4, session: "s", arm: "0", now: NOW };
const situation = (offers: Candidate[], overrides: Partial<Situation> = {}): Situation => ({
  publisher: { status: "active", adsEnabled: true },
  placement: placementDocument(),
  candidates: candidatesDocument(offers),
  network: networkDocument(),
  ...overrides,
});
/** Stands for what is believed of an offer, where a test is about something else. */
const ANY: unknown = expect.toBeOneOf([null, expect.anything()]);
const served = (id: string, rank: number, name = `N ${id}`) => ({
  offerId: id,
  name,
  served: true,
  rank,
  reason: null,
  pace: null,
  expectation: ANY,
  creatives: null,
});
const excluded = (id: string, reason: string) => ({
  offerId: id,
  name: `N ${id}`,
  served: false,
  rank: null,
  reason,
  pace: null,
  expectation: ANY,
  creatives: null,
});

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
    const paced = networkDocument({ paced: [[8, 7]] });
    const tables = ["a", "c"].map((id): ExplainedOffer => Object.assign(known(id), { pacing: "EVEN" }));
    const told = explain(situation(offers, { network: paced }), request, [...tables, known("b")]).offers;
    expect(Object.fromEntries(told.map(({ offerId, pace }) => [offerId, pace]))).toEqual({ a: 0.5, b: null, c: null });
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

describe("what is believed of a candidate", () => {
  const learned = {
    places: [20, 20],
    strengths: [10, 20],
    rates: [[0.02, 30, 1_000, 25, 900], [], [0.02, 0, 0, 0, 0]],
  };
  const offers = [
    candidate("a", { pricing: "CPC", valueMicros: 500_000 }),
    candidate("b", { pricing: "CPM", valueMicros: 2_000_000, advertiserSerial: 2 }),
    candidate("c", { pricing: "CPC", valueMicros: 500_000, endsAt: NOW }),
  ];
  const told = (asked: Partial<DecisionRequest> = {}) => {
    const all = situation(offers, { candidates: candidatesDocument(offers, { learned }) });
    const verdicts = explain(all, { ...request, ...asked }, [known("a"), known("b"), known("c"), known("d")]).offers;
    return new Map(verdicts.map(({ offerId, expectation }) => [offerId, expectation]));
  };

  it("is its rate with an interval, exposure, value and drawn score", () => {
    const a = told().get("a");
    expect(a?.exposure).toBe(900);
    expect(a?.rate?.expected).toBeGreaterThan(0.024);
    expect(a?.rate?.expected).toBeLessThan(0.029);
    expect(a?.rate?.low).toBeLessThan(0.02);
    expect(a?.rate?.high).toBeGreaterThan(0.035);
    expect(a?.valueMicros).toBeCloseTo(500_000 * (a?.rate?.expected ?? 0), -2);
    expect(a?.score).toBeGreaterThan(0);
  });

  it("is certain of what each impression pays for", () => {
    expect(told().get("b")).toEqual({ rate: null, exposure: 0, valueMicros: 2_000, score: 2_000 });
  });

  it("has no score where the offer is not for the request, or the session is served at random", () => {
    expect(told().get("c")).toMatchObject({ exposure: 0, score: null });
    expect(told({ arm: "1" }).get("a")).toMatchObject({ exposure: 900, score: null });
  });

  it("has nothing that tells what advertisers bid for whoever may not see that", () => {
    const verdict = { ...served("a", 1), expectation: told().get("a") ?? null, creatives: null };
    const { expectation, ...rest } = withoutGross(verdict);
    expect(expectation).toEqual({ ...verdict.expectation, valueMicros: null, score: null });
    expect({ ...rest, expectation: verdict.expectation }).toEqual(verdict);
    expect(withoutGross({ ...verdict, expectation: null }).expectation).toBeNull();
  });

  it("is not told of what is no candidate", () => {
    expect(told().get("d")).toBeNull();
  });
});
