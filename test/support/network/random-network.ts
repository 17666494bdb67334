import fc from "fast-check";
import type { Candidate } from "../../../db/documents/types.ts";
import type { RequestColumn } from "../../../db/schema/targeting.ts";
import { AGE_DEMOGRAPHICS, PAYMENT_TYPES } from "../../../db/schema/values.ts";
import { DAY } from "../tracking/hits.ts";

/**
 * Describes an offer of a random network by what decides where it serves. Times are in milliseconds from the network's
 * making; advertisers, categories, sites and publishers are numbers.
 */
export type NetworkOffer = Pick<Candidate, RequestColumn> & {
  id: string;
  advertiser: number;
  priority: number;
  ecpmMicros: number;
  status: "active" | "paused";
  startsIn: number | null;
  endsIn: number | null;
  capped: "no" | "today" | "for good";
  countries: string[];
  categories: number[];
  ageDemographics: string[];
  includeSites: number[];
  includePublishers: number[];
  excludeSites: number[];
  excludePublishers: number[];
  paced: boolean;
};

/** Describes an advertiser by its platform, 0 for the network's, and its reach. */
export type NetworkAdvertiser = { platform: number; reach: "PLATFORM" | "NETWORK"; status: "active" | "paused" };

export type Network = { advertisers: NetworkAdvertiser[]; offers: NetworkOffer[] };

const BY_REQUEST = ["languages", "currencies", "paymentTypes", "amounts"] as const;
const BY_PLACE = [
  "countries",
  "categories",
  "ages",
  "sites",
  "publishers",
  "excludedSites",
  "excludedPublishers",
  "dates",
  "caps",
  "status",
] as const;
type Aspect = (typeof BY_REQUEST)[number] | (typeof BY_PLACE)[number];

/**
 * Describes offers that have something in common: what they target, and what percentage of them targets values that
 * requests have. Few `bids` make many equal ranks, few `advertisers` crowd others out. `paced` is the percentage that
 * is out for some sessions.
 */
type Group = {
  offers: number;
  priority: number;
  bids: number;
  advertisers: number;
  targets: Aspect[];
  ours: number;
  spread: number;
  paced: number;
};

/** Describes a random network: groups of offers, which outrank each other by their priorities. */
export type Shape = { seed: number; groups: Group[] };

const targets = (byRequest: fc.Arbitrary<Aspect[]>): fc.Arbitrary<Aspect[]> =>
  fc.tuple(byRequest, fc.subarray([...BY_PLACE], { maxLength: 1 })).map((both) => both.flat());

const gated = targets(fc.subarray([...BY_REQUEST], { minLength: 1, maxLength: 2 }));
const anyTargets = fc.oneof({ arbitrary: gated, weight: 6 }, { arbitrary: targets(fc.constant([])), weight: 1 });

const groups = (most: number, given: { [Key in keyof Group]?: fc.Arbitrary<Group[Key]> } = {}): fc.Arbitrary<Group> =>
  fc.record({
    offers: fc.noBias(fc.oneof(fc.nat(most), fc.nat(Math.min(most, 60)))),
    priority: fc.integer({ min: 1, max: 4 }),
    bids: fc.constantFrom(1, 10, 1_000_000),
    advertisers: fc.constantFrom(1, 2, 5, 40),
    targets: anyTargets,
    ours: fc.constantFrom(0, 2, 50, 100),
    spread: fc.constantFrom(1, 5, 100, 2_000),
    paced: fc.constantFrom(0, 0, 5, 100),
    ...given,
  });

/** Makes networks where nearly all offers are for other requests, and come before the few that suit. */
const outranked = (most: number): fc.Arbitrary<Group[]> =>
  fc
    .tuple(
      groups(most, { offers: fc.noBias(fc.nat(most)), targets: gated, ours: fc.constantFrom(0, 2) }),
      fc.array(groups(60, { priority: fc.constant(5), targets: gated, ours: fc.constantFrom(50, 100) }), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([others, ours]) => [others].concat(ours));

/** Makes networks where nearly all offers that requests may see are paced, and out for most sessions. */
const throttled = (most: number): fc.Arbitrary<Group[]> =>
  fc.tuple(
    groups(Math.min(most, 120), { targets: fc.constant([]), paced: fc.constantFrom(90, 100) }),
    groups(10, { priority: fc.constant(5) }),
  );

/** Makes shapes of networks of up to `most` offers; they shrink to small and plain ones. */
export const shapes = (most: number): fc.Arbitrary<Shape> =>
  fc.record({
    seed: fc.nat(2 ** 31),
    groups: fc.oneof(
      outranked(most),
      throttled(most),
      fc.array(groups(Math.floor(most / 4)), { minLength: 1, maxLength: 4, size: "max" }),
    ),
  });

/** Says how many sites, and how many publishers, networks name. */
export const SITES = 6;
export const PUBLISHERS = 3;

const ADVERTISERS = 50;

/** Makes a generator of uniform numbers below 1 (mulberry32), the same for the same seed. */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Makes the network of a shape. */
export const networkOf = ({ seed, groups: shape }: Shape): Network => {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (percent: number) => random() * 100 < percent;
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const some = <T>(one: () => T): T[] => [...new Set(Array.from({ length: 1 + below(2) }, one))];

  const amounts = (spread: number) => {
    const [from, to] = [50 + below(spread), 50 + spread + below(spread)];
    return pick([
      { amountMin: from, amountMax: null },
      { amountMin: null, amountMax: to },
      { amountMin: from, amountMax: to },
    ]);
  };

  const advertisers = Array.from({ length: ADVERTISERS }, (_, i): NetworkAdvertiser => {
    const platform = i % 4 === 0 ? 1 + below(2) : 0;
    const reach = platform === 0 || chance(30) ? "NETWORK" : "PLATFORM";
    return { platform, reach, status: i % 10 === 9 ? "paused" : "active" };
  });

  const offerOf = (group: Group, number: number): NetworkOffer => {
    const isOurs = () => chance(group.ours);
    const targeted = <T>(aspect: Aspect, ours: readonly T[], others: () => T): T[] =>
      group.targets.includes(aspect) ? some(() => (isOurs() ? pick(ours) : others())) : [];
    const one = <T>(aspect: Aspect, none: T, values: readonly T[]): T =>
      group.targets.includes(aspect) && !isOurs() ? pick(values) : none;
    const limits = group.targets.includes("amounts") ? amounts(group.spread) : { amountMin: null, amountMax: null };
    const isLimited = limits.amountMin !== null || limits.amountMax !== null;
    const currencies = targeted("currencies", ["USD", "EUR"], () => pick(["CHF", "SEK"]));
    const startsIn = one("dates", null, [null, -DAY, 120_000, 3_600_000, 30 * DAY]);
    const endsIn = one("dates", null, [null, -1_000, 240_000, 40 * DAY]);
    return {
      id: `ofr_${String(number).padStart(26, "0")}`,
      advertiser: below(group.advertisers),
      priority: group.priority,
      ecpmMicros: 1_000 + below(group.bids),
      status: one("status", "active", ["paused"]),
      startsIn,
      endsIn: startsIn !== null && endsIn !== null && endsIn <= startsIn ? startsIn + 1_000 : endsIn,
      capped: one("caps", "no", ["today", "today", "for good"]),
      countries: targeted("countries", ["US", "DE"], () => pick(["CA", "JP", "FR"])),
      categories: targeted("categories", [0, 2], () => pick([1, 3])),
      ageDemographics: targeted("ages", ["AGE_25_34"], () => pick(AGE_DEMOGRAPHICS)),
      includeSites: targeted("sites", [0, 1, 3], () => below(SITES)),
      includePublishers: targeted("publishers", [0, 1], () => below(PUBLISHERS)),
      excludeSites: targeted("excludedSites", [5], () => below(SITES)),
      excludePublishers: targeted("excludedPublishers", [2], () => below(PUBLISHERS)),
      languages: targeted(
        "languages",
        ["de", "fr"],
        () => `z${String.fromCharCode(97 + below(26))}${below(Math.min(group.spread, 10))}`,
      ),
      currencies: isLimited && currencies.length === 0 ? ["USD"] : currencies,
      ...limits,
      paymentTypes: targeted("paymentTypes", ["paypal", "creditCard"], () => pick(PAYMENT_TYPES)),
      paced: chance(group.paced),
    };
  };

  let number = 0;
  const offers = shape.flatMap((group) =>
    Array.from({ length: group.offers }, () => {
      number += 1;
      return offerOf(group, number);
    }),
  );
  return { advertisers, offers };
};
