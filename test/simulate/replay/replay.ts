import { hash32, mix32 } from "../../../functions/core/hash.ts";
import type { Increase } from "../../../functions/decision/learning/fold.ts";
import { openOffer } from "../core/offers.ts";
import type { Policy, Visit } from "../core/policy.ts";
import { chanceOf } from "../core/random.ts";
import { epsilonGreedyPolicy, uniformPolicy, upperBoundPolicy } from "../policies/rivals.ts";
import { servicePolicy } from "../policies/service.ts";
import type { Test } from "./tests.ts";

/** Sets how many requests each test gets, and after how many of them counts reach the decision. */
export type ReplayOptions = { requests: number; batch: number; seed: number };

/** Holds expected clicks: of the offers shown, of the best ones, and of uniform choice. */
export type Earned = { got: number; best: number; gotLate: number; bestLate: number; uniform: number };

/**
 * Lists the policies of a replay, the service's own first. An order by price alone would be uniform here, since all
 * prices are equal.
 */
export const REPLAYED = {
  lanyap: (seed: number) => servicePolicy({ seed }),
  "epsilon-greedy": () => epsilonGreedyPolicy(),
  ucb: () => upperBoundPolicy(),
  uniform: () => uniformPolicy(),
} satisfies Record<string, (seed: number) => Policy>;

/** Names a policy of a replay. */
export type ReplayedName = keyof typeof REPLAYED;

/** Stands for the day on which all of a replay happens. */
const NOW = Date.UTC(2026, 0, 1);

const VALUE_MICROS = 1_000_000;

const sessions = new Map<number, string[]>();

/** Returns names of sessions, made once for all tests. */
const sessionsOf = (seed: number, count: number): string[] => {
  let names = sessions.get(seed) ?? [];
  if (names.length < count) names = Array.from({ length: count }, (_, i) => `${seed}-${i}`);
  sessions.clear();
  sessions.set(seed, names);
  return names;
};

/**
 * Replays a test with a policy: a placement whose offers are the test's arms, of equal value and not known at first.
 */
export const replayTest = (test: Test, name: ReplayedName, { requests, batch, seed }: ReplayOptions): Earned => {
  const { rates } = test;
  const of = mix32(hash32(test.name), seed);
  const policy: Policy = REPLAYED[name](of);
  const open = rates.map((_, serial) =>
    openOffer({
      id: `ofr_${of.toString(36)}_${serial}`,
      serial,
      advertiser: serial,
      pricing: "CPC",
      valueMicros: VALUE_MICROS,
      madeAt: NOW,
      guess: 0,
    }),
  );
  const most = Math.max(...rates);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const earned: Earned = { got: 0, best: 0, gotLate: 0, bestLate: 0, uniform: 0 };
  const names = sessionsOf(seed, requests);
  const visit: Visit = { session: "", place: { placementId: "plc_1", country: "US" }, now: NOW, count: 1 };
  for (let from = 0; from < requests; from += batch) {
    const shown = rates.map(() => 0);
    const clicked = rates.map(() => 0);
    const to = Math.min(requests, from + batch);
    for (let i = from; i < to; i++) {
      visit.session = names[i] ?? "";
      const [serial = 0] = policy.choose(visit, open);
      const rate = rates[serial] ?? 0;
      shown[serial] = (shown[serial] ?? 0) + 1;
      if (chanceOf(of, i) < rate) clicked[serial] = (clicked[serial] ?? 0) + 1;
      earned.got += rate;
      if (2 * i >= requests) {
        earned.gotLate += rate;
        earned.bestLate += most;
      }
    }
    earned.best += (to - from) * most;
    earned.uniform += (to - from) * mean;
    policy.learn(
      increasesOf(
        shown,
        clicked,
        open.map(({ candidate }) => candidate.id),
      ),
      [],
      NOW,
    );
  }
  return earned;
};

const increasesOf = (shown: readonly number[], clicked: readonly number[], ids: readonly string[]): Increase[] =>
  ids.flatMap((offerId, i) => {
    const impressions = shown[i] ?? 0;
    if (impressions === 0) return [];
    return {
      day: Math.floor(NOW / 86_400_000),
      placementId: "plc_1",
      country: "US",
      offerId,
      advertiserId: `adv_${i}`,
      isRandom: false,
      place: 0,
      impressions,
      clicks: clicked[i] ?? 0,
      clicked: 0,
      conversions: 0,
    };
  });

/** Adds up what was earned. */
export const sumOf = (all: readonly Earned[]): Earned =>
  all.reduce((sum, earned) => ({
    got: sum.got + earned.got,
    best: sum.best + earned.best,
    gotLate: sum.gotLate + earned.gotLate,
    bestLate: sum.bestLate + earned.bestLate,
    uniform: sum.uniform + earned.uniform,
  }));

const rounded = (share: number): number => Math.round(share * 1e5) / 1e5;

/**
 * Returns the line of a policy: shares of the oracle's expected clicks, and its clicks as a multiple of uniform choice.
 */
export const lineOf = (policy: string, requests: number, { got, best, gotLate, bestLate, uniform }: Earned) => ({
  policy,
  requests,
  ofOracle: rounded(got / best),
  ofOracleLastHalf: rounded(gotLate / bestLate),
  overUniform: rounded(got / uniform),
});
