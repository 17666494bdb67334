import { describe, expect, it } from "vitest";
import { CLOCK, curveOf, WEEK_HOURS } from "../../../functions/decision/pacing/curve.ts";
import { paceOf, type Paced } from "../../../functions/decision/pacing/pace.ts";
import { shareOf, stepFor } from "../../../functions/decision/pacing/steps.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 8, 6);

/** Is a curve of 600 requests in every hour. */
const LEVEL = 600;
const even = curveOf({
  requests: Array<number>(WEEK_HOURS).fill(4 * LEVEL),
  since: NOW - 4 * WEEK_HOURS * HOUR,
  until: NOW,
});

/** Is an offer that has long been paid for 50 times an hour while all saw it. */
const offer: Paced = {
  step: 8,
  billed: 500,
  exposure: 10,
  used: 1_000,
  pacedAt: NOW - MINUTE,
  pricing: "CPM",
  startsAt: null,
  endsAt: null,
  dailyCap: null,
  lifetimeCap: null,
  usedToday: 0,
  usedEver: 1_000,
  pending: 0,
};
const shareAfter = (given: Partial<Paced>, curve = even) =>
  shareOf(paceOf({ ...offer, ...given }, curve, NOW)?.step ?? given.step ?? offer.step);

/** Tells whether a share is one of those nearest to a number. */
const isNear = (share: number, expected: number) => Math.abs(Math.log2(share / expected)) < 1 / 8;

describe("the share of sessions that see an offer", () => {
  it("is what is left of a cap by what is expected until it ends, at the rate of now", () => {
    expect(isNear(shareAfter({ dailyCap: 400, usedToday: 130 }), 270 / (18 * 50))).toBe(true);
    expect(isNear(shareAfter({ lifetimeCap: 1_500, endsAt: NOW + 2 * DAY }), 500 / (48 * 50))).toBe(true);
    // A day that ends before midnight ends the day's cap.
    expect(isNear(shareAfter({ dailyCap: 400, usedToday: 130, endsAt: NOW + 9 * HOUR }), 270 / (9 * 50))).toBe(true);
  });

  it("is the smaller one where there are two caps", () => {
    const both = { dailyCap: 400, usedToday: 130, endsAt: NOW + 2 * DAY };
    expect(isNear(shareAfter({ ...both, lifetimeCap: 1_200 }), 200 / (48 * 50))).toBe(true);
    expect(isNear(shareAfter({ ...both, lifetimeCap: 9_000 }), 270 / (18 * 50))).toBe(true);
  });

  it("leaves conversions that are still to come out of a lifetime cap", () => {
    const cpa = {
      pricing: "CPA",
      billed: 5_000,
      exposure: 100,
      lifetimeCap: 1_500,
      endsAt: NOW + 2 * DAY,
      pending: 300,
    } as const;
    expect(isNear(shareAfter(cpa), 200 / (48 * 50))).toBe(true);
    // More pending than is left of the cap: nobody may see the offer until fewer come than expected.
    expect(shareAfter({ ...cpa, pending: 600 })).toBe(shareOf(160));
  });

  it("is all where a cap cannot be used up, and what it was where the cap is reached", () => {
    expect(shareAfter({ dailyCap: 5_000 })).toBe(1);
    expect(shareAfter({ dailyCap: 100, usedToday: 100 })).toBe(shareOf(8));
    expect(paceOf({ ...offer, dailyCap: 100, usedToday: 100 }, even, NOW)).toMatchObject({ pacedAt: null, step: 8 });
  });

  it("is what it was where any cap is reached, which is told once", () => {
    const reached = { ...offer, dailyCap: 100, usedToday: 100, lifetimeCap: 9_000, endsAt: NOW + 2 * DAY };
    expect(paceOf(reached, even, NOW)).toMatchObject({ pacedAt: null, step: 8, billed: 500, exposure: 10 });
    expect(paceOf({ ...reached, pacedAt: null }, even, NOW)).toBeNull();
  });

  it("leaves out what comes until it is seen, a minute on, and stays where the cap ends before that", () => {
    // Half of a minute's sessions use up 0.42 of the one event that is left, so 0.58 is left for the next minute.
    expect(isNear(shareAfter({ lifetimeCap: 1_001, endsAt: NOW + 2 * MINUTE }), 0.7)).toBe(true);
    expect(shareAfter({ lifetimeCap: 1_001, endsAt: NOW + MINUTE / 2 })).toBe(shareOf(8));
    expect(shareAfter({ lifetimeCap: 1_001, endsAt: null })).toBe(shareOf(8));
  });

  it("does not count what was used today of an offer that begins tomorrow", () => {
    const tomorrow = { startsAt: NOW + 20 * HOUR, pacedAt: null, billed: 0, exposure: 0, dailyCap: 3_600 };
    expect(isNear(shareAfter(tomorrow), 3_600 / (22 * LEVEL))).toBe(true);
    expect(shareAfter({ ...tomorrow, usedToday: 3_500 })).toBe(shareAfter(tomorrow));
  });

  it("is taken to be right at first where no traffic is known", () => {
    const first = { step: 0, billed: 0, exposure: 0.01, used: 0, usedEver: 0, dailyCap: 100 };
    expect(shareAfter(first, CLOCK)).toBe(1);
  });

  it("spreads what begins later from then on", () => {
    const later = { startsAt: NOW + 6 * HOUR, pacedAt: null, billed: 0, exposure: 0 };
    // Nothing is known of the offer but its traffic: it is assumed to win every request.
    expect(isNear(shareAfter({ ...later, dailyCap: 360 }), 360 / (12 * LEVEL))).toBe(true);
    expect(isNear(shareAfter({ ...later, dailyCap: 36, pricing: "CPC" }), 36 / (12 * LEVEL * 0.02))).toBe(true);
  });

  it("stays small where nothing is known of its traffic, and grows while nothing is paid for", () => {
    const starting = { step: 32, billed: 0, exposure: 0, used: 0, pacedAt: null, usedEver: 0, dailyCap: 100 };
    const pace: Paced = Object.assign({}, offer, starting);
    const shares = [];
    for (let minute = 0; minute < 120; minute++) {
      Object.assign(pace, paceOf(pace, CLOCK, NOW + minute * MINUTE));
      shares.push(shareOf(pace.step));
    }
    expect(shares[0]).toBe(1 / 16);
    expect(shares[1]).toBeLessThan(1 / 8);
    expect(shares.at(-1)).toBe(1);
  });

  it("changes only when it is off by most of a step, and is accounted for each five minutes", () => {
    const steady = { step: 13, dailyCap: 420, usedToday: 130 };
    expect(paceOf({ ...offer, ...steady }, even, NOW)).toBeNull();
    const due = { ...offer, ...steady, pacedAt: NOW - 5 * MINUTE };
    expect(paceOf(due, even, NOW)).toMatchObject({ step: 13, used: 1_000, pacedAt: NOW });
  });

  it("forgets a rate in hours, where there is enough to learn it again", () => {
    const pace: Paced = { ...offer, dailyCap: 100_000 };
    // From now on it is paid for 200 times an hour.
    for (let minute = 1; minute <= 360; minute++) {
      pace.usedEver += (200 / 60) * shareOf(pace.step);
      Object.assign(pace, paceOf(pace, even, NOW + minute * MINUTE));
    }
    expect(pace.billed / pace.exposure).toBeGreaterThan(170);
  });

  it("does not account for a time in which the offer stood still", () => {
    const waited = paceOf({ ...offer, dailyCap: 400, pacedAt: NOW - HOUR, usedEver: 1_200 }, even, NOW);
    expect(waited).toMatchObject({ billed: 500, exposure: 10, used: 1_200, pacedAt: NOW });
  });
});

describe("what is known of an offer's rate", () => {
  const share = shareOf(offer.step);
  const due = { dailyCap: 100_000, pacedAt: NOW - 5 * MINUTE, usedEver: 1_050 };

  it.each<[string, Partial<Paced>, [number, number, number]]>([
    ["fades by the hour, and gains what came", {}, [1 / 12, 50, 1 / 12]],
    ["fades more slowly where it is little", { billed: 50 }, [1 / 24, 50, 1 / 12]],
    ["counts from a start on", { startsAt: NOW - MINUTE }, [1 / 60, 50, 1 / 60]],
    ["counts for a quarter of an hour", { pacedAt: NOW - 15 * MINUTE }, [1 / 4, 50, 1 / 4]],
    ["stays where the offer may have stood still", { pacedAt: NOW - 15 * MINUTE - 1 }, [0, 0, 0]],
    ["stays where the offer starts now", { startsAt: NOW }, [0, 0, 0]],
    ["stays where the offer starts again", { pacedAt: null }, [0, 0, 0]],
    ["loses nothing where payments are taken back", { usedEver: 900 }, [1 / 12, 0, 1 / 12]],
  ])("%s", (_, given, [halved, paid, hours]) => {
    const before = { ...offer, ...due, ...given };
    const after = paceOf(before, even, NOW);
    expect(after?.billed).toBeCloseTo(before.billed * 2 ** -halved + paid, 6);
    expect(after?.exposure).toBeCloseTo(before.exposure * 2 ** -halved + share * hours, 6);
    expect(after).toMatchObject({ used: before.usedEver, pacedAt: NOW });
  });
});

describe("steps of pacing", () => {
  it.each([
    [1, 0],
    [7, 0],
    [0.5, 8],
    [0.1, 27],
    [0, 160],
    [-1, 160],
  ])("a share of %f is step %i", (share, step) => {
    expect(stepFor(share, 80)).toBe(step);
  });

  it("stay where they are nearly right", () => {
    expect(stepFor(2 ** (-10.7 / 8), 10)).toBe(10);
    expect(stepFor(2 ** (-10.8 / 8), 10)).toBe(11);
  });
});
