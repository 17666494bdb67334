import { describe, expect, it } from "vitest";
import { courseOf, sentenceOf } from "../../../functions/console/core/offers/pacing.ts";

const NOON = Date.parse("2026-11-22T12:00:00Z");
const at = (text: string): string => new Date(text).toISOString();

const DAILY = {
  cap: "DAILY" as const,
  limit: 50,
  used: 43,
  planned: 25,
  from: at("2026-11-22"),
  until: at("2026-11-23"),
  points: [
    { at: at("2026-11-22"), planned: 0 },
    { at: at("2026-11-23"), planned: 50 },
  ],
};
const LIFETIME = {
  ...DAILY,
  cap: "LIFETIME" as const,
  limit: 100,
  used: 40,
  from: at("2026-11-19T06:00Z"),
  points: [],
  days: [
    { day: "2026-11-19", used: 10 },
    { day: "2026-11-22", used: 30 },
  ],
};

describe("what was used beside its plan", () => {
  it("is for a day the plan by its hours, and what is used now", () => {
    expect(courseOf(DAILY, NOON)).toEqual({
      times: [at("2026-11-22"), at("2026-11-22T12:00Z"), at("2026-11-23")],
      planned: [0, 25, 50],
      used: [null, 43, null],
    });
  });

  it("is from start to end what each day used, and stands still where none did", () => {
    expect(courseOf(LIFETIME, NOON)).toEqual({
      times: [at("2026-11-19T06:00Z"), at("2026-11-20"), at("2026-11-22"), at("2026-11-22T12:00Z")],
      planned: [null, null, null, 25],
      used: [0, 10, 10, 40],
    });
  });

  it("is without a plan what was used, and without an end up to now", () => {
    expect(courseOf({ ...DAILY, planned: null, points: [], until: null }, NOON)).toEqual({
      times: [at("2026-11-22T12:00Z")],
      planned: [null],
      used: [43],
    });
  });

  it("has before its days what is of none of them", () => {
    expect(courseOf({ ...LIFETIME, used: 45 }, NOON).used).toEqual([5, 15, 15, 45]);
  });

  it("stays within the time of the cap", () => {
    expect(courseOf(DAILY, NOON + 86_400_000).used).toEqual([null, 43]);
    expect(courseOf({ ...DAILY, used: 0, planned: 0 }, NOON - 86_400_000).used).toEqual([0, null]);
  });
});

it.each([
  [DAILY, NOON, "By now 25 of 50 should have been used; 43 were."],
  [{ ...DAILY, planned: 1.2, used: 1 }, NOON, "By now 1 of 50 should have been used; 1 was."],
  [{ ...DAILY, planned: 24.5 }, NOON, "By now 25 of 50 should have been used; 43 were."],
  [{ ...DAILY, planned: 0, used: 0 }, Date.parse(DAILY.from), "By now 0 of 50 should have been used; 0 were."],
  [{ ...DAILY, planned: 50 }, Date.parse(DAILY.until), "By its end 50 of 50 should have been used; 43 were."],
  [{ ...DAILY, until: null }, NOON, "By now 25 of 50 should have been used; 43 were."],
  [{ ...DAILY, planned: 50 }, NOON + 86_400_000, "By its end 50 of 50 should have been used; 43 were."],
  [{ ...DAILY, planned: 0 }, NOON - 86_400_000, "It has not begun: none of the 50 should be used yet."],
  [{ ...DAILY, planned: null }, NOON, "43 of 50 used."],
] as const)("says how %j stands at %d", (cap, now, text) => {
  expect(sentenceOf({ ...cap, points: [...cap.points] }, now)).toBe(text);
});
