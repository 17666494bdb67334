import { drawer, exponential, seeded, zipfShares } from "./random.ts";

/** Holds what is assumed of traffic and platform. Times are in seconds. */
export type Assumptions = {
  requestsADay: number;
  locations: number;
  placements: number;
  placementsOfAPublisher: number;
  /** Sets the exponent with which a location's share, and a placement's, falls with its rank. */
  locationExponent: number;
  placementExponent: number;
  /** Requests a second that one isolate of a location takes, on average. */
  ratePerIsolate: number;
  minIsolates: number;
  /** Sets the share of requests that are for placements of the location's own region. */
  atHome: number;
  regions: number;
  countries: number;
  /** Limits the lists of candidates that fit into an isolate's memory. */
  memoryEntries: number;
  /** Changes of offers a second, by anyone. */
  editsASecond: number;
  /** Says what a change of an offer does to candidates built before: the service has them renewed by age alone. */
  onEdit: "renew by age" | "rebuild all";
  /** Sets how long traffic is simulated. */
  seconds: number;
  seed: number;
};

/** Repeats the service's own settings, in seconds, as in functions/documents. */
const FRESH = 5;
const STALE = 30;
const CACHE_TTL = 30;
const CANDIDATES_AGE = 300;
const AGE_SPREAD = 0.5;
const KEPT_BY_KV = 86_400;
const LISTED = 25 * 3_600;
const MAX_LISTED = 10_000;

/** Shares of requests by where their candidates came from, and what the platform and Postgres saw, a request. */
export type HitRates = {
  memoryFresh: number;
  memoryStale: number;
  kvCached: number;
  kvCentral: number;
  postgres: number;
  /**
   * Answers that waited for Postgres although KV had their candidates, because these were older than the list of
   * changes. Answers from narrower lists are not simulated; test/routes/public/odata/fill.test.ts asserts that no edit
   * makes one wait.
   */
  waits: number;
  /** Counts the keys that KV read, by which it is billed. */
  kvKeys: number;
  /** Counts the statements that rebuilt candidates after an answer. */
  refreshes: number;
  kvWrites: number;
  flushes: number;
  isolates: number;
};

/** Keeps the documents of one isolate, with the time each was read; the oldest leaves when there are too many. */
class Memory {
  readonly #readAt = new Map<number, number>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  age(key: number, now: number): number {
    return now - (this.#readAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  read(key: number, now: number): void {
    this.#readAt.delete(key);
    this.#readAt.set(key, now);
    if (this.#readAt.size <= this.#limit) return;
    for (const oldest of this.#readAt.keys()) {
      this.#readAt.delete(oldest);
      break;
    }
  }
}

type Isolate = { candidates: Memory; others: Memory; flushedAt: number; editedAt: number };
type Cached = { at: number; builtAt: number };
type Location = { isolates: Isolate[]; cache: Map<number, Cached> };

const OTHERS = 20_000;
const OFFERS_KEY = -1;

/** Returns how old candidates may become: the limit varies, so that lists built together are not renewed together. */
const ageOf = (pair: number): number =>
  CANDIDATES_AGE * (1 - AGE_SPREAD / 2 + AGE_SPREAD * ((Math.imul(pair, 0x9e3779b1) >>> 0) / 2 ** 32));

const makeLocations = (of: Assumptions, shares: Float64Array): Location[] =>
  Array.from(shares, (share) => {
    const rate = (share * of.requestsADay) / 86_400;
    const count = Math.max(of.minIsolates, Math.ceil(rate / of.ratePerIsolate));
    const isolates = Array.from({ length: count }, () => ({
      candidates: new Memory(of.memoryEntries),
      others: new Memory(OTHERS),
      flushedAt: Number.NEGATIVE_INFINITY,
      editedAt: Number.NEGATIVE_INFINITY,
    }));
    return { isolates, cache: new Map<number, Cached>() };
  });

/**
 * Simulates requests to the tiers of every location. It starts with empty memories and caches, and counts only the
 * second half of its time. KV starts with what was asked for within a day; how often a document is asked for decides
 * when it was last built.
 */
export const simulateHitRates = (of: Assumptions): HitRates => {
  const random = seeded(of.seed);
  const locationShares = zipfShares(of.locations, of.locationExponent);
  const placementShares = zipfShares(of.placements, of.placementExponent);
  const drawLocation = drawer(locationShares, random);
  const drawPlacement = drawer(placementShares, random);
  const drawOfRegion = drawer(zipfShares(of.placements / of.regions, of.placementExponent), random);
  const locations = makeLocations(of, locationShares);
  const central = new Map<number, number>();
  const counts = { memoryFresh: 0, memoryStale: 0, kvCached: 0, kvCentral: 0, postgres: 0 };
  const costs = { waits: 0, kvKeys: 0, refreshes: 0, kvWrites: 0, flushes: 0 };
  const total = Math.round((of.requestsADay / 86_400) * of.seconds);
  let counted = 0;

  /** Returns when KV's document was built, or null when it has none. */
  const builtAt = (pair: number, placement: number, now: number): number | null => {
    const known = central.get(pair);
    if (known !== undefined) return known;
    const mean =
      86_400 / ((placementShares[placement] ?? 0) * of.requestsADay * (of.atHome / (of.countries / of.regions)));
    const last = exponential(mean, random);
    if (last > KEPT_BY_KV) return null;
    // A document in use is rebuilt when a read finds it too old.
    const built = now - Math.min(last, KEPT_BY_KV) - random() * CANDIDATES_AGE;
    central.set(pair, built);
    return built;
  };

  const reach = Math.min(LISTED, MAX_LISTED / of.editsASecond);
  let changedAt = Number.NEGATIVE_INFINITY;
  let nextEdit = of.editsASecond > 0 ? random() / of.editsASecond : Infinity;
  const edit = (now: number): void => {
    changedAt = now;
    nextEdit += 1 / of.editsASecond;
    const { isolates } = locations[drawLocation()] ?? { isolates: [] };
    const isolate = isolates[Math.floor(random() * isolates.length)];
    if (isolate) isolate.editedAt = now;
  };

  /**
   * Reads candidates from KV, or has them built; tells where they came from, and whether the answer waited for a
   * change.
   */
  const fetchPair = (
    location: Location,
    isolate: Isolate,
    pair: number,
    placement: number,
    now: number,
    count: boolean,
  ) => {
    const cached = location.cache.get(pair);
    const inCache = cached !== undefined && now - cached.at < CACHE_TTL;
    const built = inCache ? cached.builtAt : builtAt(pair, placement, now);
    const usableFrom = of.onEdit === "rebuild all" ? changedAt : now - reach;
    const isOutdated = built !== null && built < usableFrom;
    const isOwn = built !== null && of.onEdit === "renew by age" && built < isolate.editedAt;
    const isAged = built !== null && now - built > ageOf(pair);
    // Its writer builds a document only for those who have none newer than the one it built last.
    const latest = central.get(pair) ?? Number.NEGATIVE_INFINITY;
    const renews = (isAged || isOwn) && latest <= Math.max(built ?? 0, isOwn ? isolate.editedAt : 0);
    if (built === null || isOutdated || renews) {
      if (count) {
        costs.kvWrites += 1;
        costs.refreshes += built === null ? 0 : 1;
      }
      central.set(pair, now);
    }
    // A copy in the location's cache stays until it is too old, whatever was put meanwhile.
    if (!inCache) location.cache.set(pair, { at: now, builtAt: built ?? now });
    const source = built === null || isOutdated ? "postgres" : inCache ? "kvCached" : "kvCentral";
    return { source, waits: isOutdated } as const;
  };

  for (let i = 0; i < total; i++) {
    const now = (i / total) * of.seconds;
    const count = i * 2 >= total;
    if (now >= nextEdit) edit(now);
    const at = drawLocation();
    // Most customers of a store are near one another.
    const isHome = random() < of.atHome;
    const placement = isHome ? (at % of.regions) + of.regions * drawOfRegion() : drawPlacement();
    const location = locations[at];
    const isolate = location?.isolates[Math.floor(random() * location.isolates.length)];
    if (!location || !isolate) continue;
    const pair = placement * of.countries + (at % of.countries);
    const age = isolate.candidates.age(pair, now);
    let keys = 0;
    const publisher = of.placements + Math.floor(placement / of.placementsOfAPublisher);
    for (const key of [OFFERS_KEY, placement, publisher]) {
      if (isolate.others.age(key, now) < FRESH) continue;
      keys += 1;
      isolate.others.read(key, now);
    }
    let source: keyof typeof counts = age < FRESH ? "memoryFresh" : "memoryStale";
    if (age >= FRESH) {
      keys += 1;
      const fetched = fetchPair(location, isolate, pair, placement, now, count);
      if (age >= STALE || fetched.waits) source = fetched.source;
      if (fetched.waits && count) costs.waits += 1;
      isolate.candidates.read(pair, now);
    }
    if (!count) continue;
    counted += 1;
    counts[source] += 1;
    costs.kvKeys += keys;
    if (now - isolate.flushedAt >= 1) {
      costs.flushes += 1;
      isolate.flushedAt = now;
    }
  }
  const shares = Object.entries({ ...counts, ...costs }).map(([name, value]) => [name, value / counted]);
  const isolates = locations.reduce((sum, location) => sum + location.isolates.length, 0);
  return { ...(Object.fromEntries(shares) as Omit<HitRates, "isolates">), isolates };
};
