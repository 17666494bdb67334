import type { Burst } from "./traffic.ts";

/** Describes an offer in traffic. Times are in hours after the start; shares are of all requests. */
export type Case = {
  pacing: "EVEN" | "ASAP";
  pricing: "CPM" | "CPC";
  /** Sets how many requests an average day has. */
  perDay: number;
  startsAt: number;
  endsAt: number;
  dailyCap: number | null;
  lifetimeCap: number | null;
  /** Sets for which share of requests the offer is eligible, and which share of its showings is clicked. */
  fits: number;
  clicked: number;
  burst: Burst | null;
  /** Tells whether the weeks before the start are known; otherwise pacing follows the clock. */
  isKnown: boolean;
};

const WEEK: Case = {
  pacing: "EVEN",
  pricing: "CPM",
  perDay: 12_000,
  startsAt: 0,
  endsAt: 168,
  dailyCap: 2_000,
  lifetimeCap: null,
  fits: 0.6,
  clicked: 0.03,
  burst: null,
  isKnown: true,
};

/** Is an hour of the third day with eight times its requests. */
const BURST: Burst = { at: 65, times: 8 };

const LATE = 15 + 1 / 3;
const FIVE_DAYS = { startsAt: LATE, endsAt: 130, dailyCap: null, lifetimeCap: 8_000 };

/**
 * Is a day whose cap, worth an hour and a half of usual traffic, is reached within an hour with eight times its
 * requests.
 */
const RUSH: Case = { ...WEEK, perDay: 200_000, endsAt: 24, dailyCap: 6_000, burst: { at: 1, times: 8 } };

/** Lists offers that pacing has to hold to their curves. */
export const EVEN = {
  "a daily cap": WEEK,
  "a daily cap, by the clock": { ...WEEK, isKnown: false },
  "a daily cap, a burst": { ...WEEK, burst: BURST },
  "a daily cap, a late start": { ...WEEK, startsAt: LATE },
  "a daily cap of clicks, a burst": { ...WEEK, pricing: "CPC", perDay: 40_000, dailyCap: 300, burst: BURST },
  "a lifetime cap, a late start, a burst": { ...WEEK, ...FIVE_DAYS, burst: BURST },
} satisfies Record<string, Case>;

/** Lists offers that show what pacing changes, and what is delivered past a cap that is reached in a burst. */
export const OTHERS = {
  "a daily cap, as soon as possible": { ...WEEK, pacing: "ASAP" },
  "a cap reached in a burst, as soon as possible": { ...RUSH, pacing: "ASAP" },
  "the same, evenly": RUSH,
} satisfies Record<string, Case>;

/** Names a case. */
export type CaseName = keyof typeof EVEN | keyof typeof OTHERS;

/** Holds all cases by their names. */
export const CASES: Record<CaseName, Case> = { ...EVEN, ...OTHERS };
