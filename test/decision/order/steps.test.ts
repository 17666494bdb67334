import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../db/documents/types.ts";
import { ARMS, type Arm } from "../../../functions/decision/arms.ts";
import { decide, ids, plain } from "../../support/deciding.ts";
import { OPEN_OFFER } from "../../support/documents/arbitrary-decisions.ts";
import { networkDocument } from "../../support/documents/documents.ts";

const open = OPEN_OFFER;

/** Makes a network in which one offer is near its cap. */
const near = (halvings: number) => networkDocument({ tapered: [[halvings, 7]] });

/** Decides for a session in a network of {@link near}. */
const decided = (halvings: number, i: number, offers: Candidate[], count: number) =>
  ids(decide(offers, near(halvings), { ...plain, count, session: `s${i}` }));

describe("an offer that tapers", () => {
  const SESSIONS = 4_000;
  const tapering = { ...open, id: "ofr_near", serial: 7, priority: 1 };
  const others = [1, 2, 3].map((serial) => Object.assign({}, open, { id: `ofr_${serial}`, serial, priority: 2 }));

  it.each([0, 1, 2, 3, 4])(
    "%i times halved is first for its share of sessions, and last for all others",
    (halvings) => {
      let first = 0;
      for (let i = 0; i < SESSIONS; i++) {
        const chosen = decided(halvings, i, [tapering, ...others], 4);
        expect(chosen.indexOf("ofr_near")).toBeOneOf([0, 3]);
        if (chosen[0] === "ofr_near") first += 1;
      }
      expect(Math.abs(first / SESSIONS - 2 ** -halvings)).toBeLessThan(0.02);
    },
  );

  it("is first for fewer and fewer of the same sessions", () => {
    for (let i = 0; i < 300; i++) {
      const isFirst = [0, 1, 2, 3, 4].map(
        (halvings) => decided(halvings, i, [tapering, ...others], 1)[0] === "ofr_near",
      );
      expect(isFirst).toEqual(isFirst.toSorted((a, b) => Number(b) - Number(a)));
    }
  });

  it("is shown to everybody where nothing else fills an answer", () => {
    for (let i = 0; i < 50; i++) expect(decided(4, i, [tapering], 4)).toEqual(["ofr_near"]);
  });
});

/** Tells whether a session sees the offer with serial 7 at a step of pacing. */
const sees = (step: number, i: number, offers: Candidate[], arm: Arm = ARMS.learned) =>
  ids(decide(offers, networkDocument({ paced: [[step, 3, 4]] }), { ...plain, arm, session: `s${i}` })).includes(
    "ofr_even",
  );

describe("an offer that is paced", () => {
  const paced = { ...open, id: "ofr_even", serial: 7, priority: 1 };
  const other = { ...open, id: "ofr_other", serial: 8, priority: 2 };
  it.each([0, 1, 8, 13, 24])("at step %i is shown first to its share of sessions, and to no others", (step) => {
    let seen = 0;
    for (let i = 0; i < 4_000; i++) {
      const isSeen = sees(step, i, [paced, other]);
      if (isSeen) seen += 1;
      // It is the same where nothing else fills an answer, and in whichever order a session is served.
      expect(sees(step, i, [paced])).toBe(isSeen);
      expect(sees(step, i, [other, paced], ARMS.random)).toBe(isSeen);
    }
    expect(Math.abs(seen / 4_000 - 2 ** (-step / 8))).toBeLessThan(0.025);
  });

  it("is seen at a larger share by all who see it at a smaller one", () => {
    for (let i = 0; i < 300; i++) {
      const seen = [0, 4, 8, 16, 32].map((step) => sees(step, i, [paced]));
      expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
    }
  });
});
