import { describe, expect, it } from "vitest";
import type { Increase } from "../../functions/decision/learning/fold.ts";
import { openOffer } from "./core/offers.ts";
import type { Place } from "./core/policy.ts";
import { informedPolicy } from "./policies/informed.ts";
import { TASTES } from "./worlds/catalogue.ts";
import { START } from "./worlds/world.ts";

const offerOf = (serial: number) =>
  openOffer({
    id: `ofr_${serial}`,
    serial,
    pricing: "CPC",
    valueMicros: 500_000,
    advertiser: serial,
    madeAt: START,
    guess: TASTES.usual,
  });

const OPEN = [0, 1, 2].map(offerOf);
const SESSIONS = Array.from({ length: 200 }, (_, i) => `session-${i}`);

const placeOf = (placementId: string, country: string): Place => ({ placementId, country });

const counted = (serial: number, { placementId, country }: Place, impressions: number, clicks: number): Increase => ({
  day: START / 86_400_000,
  placementId,
  country,
  offerId: `ofr_${serial}`,
  advertiserId: `adv_${serial}`,
  isRandom: false,
  place: 0,
  impressions,
  clicks,
  clicked: 0,
  conversions: 0,
});

const [here, elsewhere, abroad] = [placeOf("plc_1", "C0"), placeOf("plc_2", "C0"), placeOf("plc_2", "C1")];

/** Learns from counts, and then lets the steps converge. */
const learnedFrom = (increases: readonly Increase[]) => {
  const policy = informedPolicy(TASTES);
  policy.learn(increases, [], START);
  for (let i = 0; i < 20; i++) policy.learn([], [], START);
  return policy;
};

/** Counts the sessions that see an offer first. */
const firstsOf = (policy: ReturnType<typeof informedPolicy>, place: Place, serial: number): number =>
  SESSIONS.filter((session) => policy.choose({ session, place, now: START, count: 3 }, OPEN)[0] === serial).length;

describe("a policy that knows how a world makes its rates", () => {
  it("shows all alike before anything was seen, and each session the same order", () => {
    const policy = informedPolicy(TASTES);
    for (const serial of [0, 1, 2]) expect(firstsOf(policy, here, serial)).toBeGreaterThan(SESSIONS.length / 6);
    const visit = { session: "one", place: here, now: START, count: 3 };
    expect(policy.choose(visit, OPEN)).toEqual(policy.choose(visit, OPEN));
  });

  it("puts what is clicked most first, also where it was never shown", () => {
    const policy = learnedFrom([0, 1, 2].map((serial) => counted(serial, here, 10_000, serial === 2 ? 500 : 200)));
    expect(firstsOf(policy, here, 2)).toBe(SESSIONS.length);
    expect(firstsOf(policy, abroad, 2)).toBe(SESSIONS.length);
  });

  it("takes a place whose customers click all offers more for no merit of the offer shown there", () => {
    const policy = learnedFrom([
      ...[0, 1].map((serial) => counted(serial, here, 10_000, 600)),
      ...[0, 1, 2].map((serial) => counted(serial, elsewhere, 10_000, serial === 2 ? 300 : 200)),
    ]);
    expect(firstsOf(policy, here, 2)).toBe(SESSIONS.length);
  });

  it("knows a country's taste at a placement where the offer was not shown", () => {
    const policy = learnedFrom([
      ...[0, 1, 2].map((serial) => counted(serial, here, 20_000, serial === 2 ? 700 : 400)),
      ...[0, 1, 2].map((serial) => counted(serial, abroad, 20_000, serial === 2 ? 250 : 400)),
    ]);
    expect(firstsOf(policy, placeOf("plc_3", "C0"), 2)).toBe(SESSIONS.length);
    expect(firstsOf(policy, placeOf("plc_3", "C1"), 2)).toBe(0);
  });
});
