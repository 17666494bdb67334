import { describe, expect, it } from "vitest";
import type { Candidate } from "../../db/documents/types.ts";
import type { DecisionRequest } from "../../functions/decision/eligibility.ts";
import { explain, withoutGross } from "../../functions/decision/explain.ts";
import { candidatesDocument } from "../support/documents/documents.ts";
import { candidate, known, NOW, request, served, situation } from "../support/documents/explained.ts";

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
    expect(told().get("b")).toEqual({
      rate: null,
      exposure: 0,
      shiftedOn: null,
      shiftRatio: null,
      valueMicros: 2_000,
      score: 2_000,
    });
  });

  it("is worth nothing where nothing is paid for it, in every session", () => {
    const free = [
      candidate("f", { pricing: "CPC", valueMicros: 0 }),
      candidate("m", { pricing: "CPM", valueMicros: 0 }),
    ];
    const list = candidatesDocument(free, { learned: { ...learned, rates: [[0.02, 30, 1_000, 25, 900], []] } });
    for (let i = 0; i < 20; i++) {
      const asked = { ...request, session: `s${i}` };
      const explained = explain(situation(free, { candidates: list }), asked, [known("f"), known("m")]).offers;
      const nothing = { expectation: { valueMicros: 0, score: 0 } };
      expect(explained).toMatchObject([nothing, nothing]);
    }
  });

  it("tells on which day its click rate was found to have shifted, and by how much, in few digits", () => {
    const all = situation(offers, { candidates: candidatesDocument(offers, { learned }) });
    const shifted = { ...known("a"), shift: { day: "2026-11-20", ratio: 0.412_345 } };
    const [a, b] = explain(all, request, [shifted, { ...known("b"), shift: null }])
      .offers.toSorted((one, other) => (one.offerId < other.offerId ? -1 : 1))
      .map(({ expectation }) => expectation);
    expect(a).toMatchObject({ exposure: 900, shiftedOn: "2026-11-20", shiftRatio: 0.412_3 });
    expect(b).toMatchObject({ shiftedOn: null, shiftRatio: null });
  });

  it("has no score where the offer is not for the request, or the session is served at random", () => {
    expect(told().get("c")).toMatchObject({ exposure: 0, score: null });
    expect(told({ arm: "1" }).get("a")).toMatchObject({ exposure: 900, score: null });
  });

  it("has no score for a newcomer in the sessions that are to see it", () => {
    const newcomer = candidate("n", { pricing: "CPC", valueMicros: 1, isNew: true, advertiserSerial: 3 });
    const all = [offers[1] as Candidate, newcomer];
    const list = candidatesDocument(all, { learned: { ...learned, rates: [[], [0.02, 0, 0, 0, 0]] } });
    const verdicts = Array.from({ length: 40 }, (_, i) => {
      const asked = { ...request, count: 1, session: `s${i}` };
      return explain(situation(all, { candidates: list }), asked, [known("n")]).offers[0];
    });
    // It is worth next to nothing, so it comes first only in these sessions.
    const favoured = verdicts.map((verdict) => verdict?.served);
    expect(verdicts.map((verdict) => verdict?.expectation?.score === null)).toEqual(favoured);
    expect(new Set(favoured)).toEqual(new Set([true, false]));
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
