import { exponential, quantile, seeded, type Random } from "./random.ts";

/** Repeats settings of the service and promises of the platform, in seconds. */
const FRESH = 5;
const STALE = 30;
const CACHE_TTL = 30;

/** Holds how long isolates answer from the old state, in seconds after the commit of a change. */
export type Delays = { median: number; p95: number; p99: number; last: number };

/** Describes how a document is asked for, and how its new state spreads. */
export type Publication = {
  locations: number;
  isolates: number;
  /** Counts the requests for the document a second, in one isolate. */
  rate: number;
  /** Returns the time from the commit to the put into KV. */
  put: () => number;
  /** Limits the time from the put to a location's upper tier. */
  propagation: number;
  seed: number;
};

type Isolate = { readAt: number; isNew: boolean; lastOld: number; done: boolean };

/**
 * Simulates requests for one document in one location until every isolate answers by the new state. Returns when each
 * last answered by the old one.
 */
const playLocation = (of: Publication, visible: number, random: Random): number[] => {
  const isolates = Array.from({ length: of.isolates }, (): Isolate => ({
    readAt: -random() * FRESH,
    isNew: false,
    lastOld: 0,
    done: false,
  }));
  let copyAt = -random() * CACHE_TTL;
  let copyIsNew = false;
  let now = 0;
  for (let waiting = isolates.length; waiting > 0;) {
    now += exponential(1 / (of.rate * of.isolates), random);
    const isolate = isolates[Math.floor(random() * isolates.length)];
    if (!isolate || isolate.done) continue;
    const age = now - isolate.readAt;
    let answersNew = isolate.isNew;
    if (age >= FRESH) {
      if (now - copyAt >= CACHE_TTL) {
        copyAt = now;
        copyIsNew = now >= visible;
      }
      // Until it is too old, a stale document answers once more while the next one is fetched.
      if (age >= STALE) answersNew = copyIsNew;
      isolate.isNew = copyIsNew;
      isolate.readAt = now;
    }
    if (answersNew) {
      isolate.done = true;
      waiting -= 1;
    } else isolate.lastOld = now;
  }
  return isolates.map((isolate) => isolate.lastOld);
};

/**
 * Publishes one change to isolates in all locations, and collects how long each answers by the old state. A location's
 * cache renews its copy when it is asked for the document and the copy is 30 s old.
 */
export const simulatePublishing = (of: Publication): Delays => {
  const random = seeded(of.seed);
  const delays: number[] = [];
  for (let location = 0; location < of.locations; location++) {
    delays.push(...playLocation(of, of.put() + random() * of.propagation, random));
  }
  const sorted = delays.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    last: sorted.at(-1) ?? Number.NaN,
  };
};
