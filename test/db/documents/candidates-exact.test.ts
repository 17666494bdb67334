import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { ANY, boundsOf, narrowingOf } from "../../../db/documents/candidates/narrowing.ts";
import type { CandidatesDocument, NetworkDocument, Targeted } from "../../../db/documents/types.ts";
import { isCut } from "../../../functions/decision/decide.ts";
import type { DecisionRequest } from "../../../functions/decision/eligibility.ts";
import { decide } from "../../../functions/decision/order.ts";
import { isThrottled, shareOf } from "../../../functions/decision/pacing/steps.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { DAY } from "../../support/tracking/hits.ts";
import { hash32 } from "../../../functions/core/hash.ts";
import { answers, answersBut, servesAt, servesWhen, type Facts, type Place } from "../../support/network/place.ts";
import { networkOf, shapes, type Network, type NetworkOffer } from "../../support/network/random-network.ts";
import { placementAt, PLACES, storeNetwork, storePlaces } from "../../support/network/store-network.ts";

let database: OpenDatabase;

beforeAll(async () => {
  database = await openDatabase();
  await database.pool.query("truncate platforms, categories, targeting_values cascade");
  await storePlaces(database.pool);
});
afterAll(() => database.close());

/**
 * Describes a request: where it comes from, what it says, how many offers it wants, how many milliseconds it comes after
 * the documents' building, and how many offers were stopped since.
 */
type Request = { place: number; session: string; count: number; later: number; stops: number; facts: Facts };

/** Holds what decides, for each offer alone, whether it is eligible. */
type Asked = Facts & { session: string; now: number };

const requests = fc.record({
  place: fc.oneof(fc.constant(0), fc.nat(PLACES.length - 1)),
  session: fc.constantFrom("a", "b", "c"),
  count: fc.constantFrom(1, 4, 20),
  later: fc.constantFrom(0, 0, 130_000, 300_000),
  stops: fc.constantFrom(0, 3, 8, 20),
  facts: fc.record(
    {
      language: fc.constantFrom("de", "de", "fr", "en"),
      currency: fc.constantFrom("USD", "USD", "EUR", "JPY"),
      amount: fc.oneof(
        fc.constantFrom(0, 50, 55, 59.99, 60, 500, 999_999, 1_000_000),
        fc.integer({ min: 40, max: 2_000 }),
      ),
      paymentType: fc.constantFrom("paypal", "paypal", "creditCard", "other"),
    },
    { requiredKeys: [] },
  ),
});

/** Ends the search for a smaller counterexample before the test itself is ended. */
const TIME_LIMIT_MS = 200_000;

/** Sets how many offers may limit amounts within a band before a document may leave some out. */
const EXCEPTION = 150;

const targetedBy = ({ offers }: Network): Targeted => ({
  languages: [...new Set(offers.flatMap((offer) => offer.languages))],
  currencies: [...new Set(offers.flatMap((offer) => offer.currencies))],
  paymentTypes: [...new Set(offers.flatMap((offer) => offer.paymentTypes))],
});

/** Tells whether an offer admits some, but not all amounts of a band. */
const isPartial = ({ amountMin, amountMax }: NetworkOffer, band: string): boolean => {
  if (band === ANY) return false;
  const { from, below } = boundsOf(band);
  const overlaps = (amountMin ?? 0) < below && (amountMax ?? Infinity) >= from;
  return overlaps && !((amountMin ?? 0) <= from && (amountMax ?? Infinity) >= below);
};

type Case = { network: Network; now: number };
type Both = { broad: CandidatesDocument; narrow: CandidatesDocument; band: string; builtAt: number };

const build = async ({ network }: Case, place: Place, facts: Facts): Promise<Both> => {
  const broad = documentKey.candidates(placementAt(place), place.country);
  const narrowing = narrowingOf(facts, targetedBy(network));
  const narrow = documentKey.narrow(placementAt(place), place.country, narrowing);
  const built = await buildDocuments(database.db, [broad, narrow]);
  const documentOf = (key: typeof broad) => built.get(key)?.value as CandidatesDocument;
  const builtAt = built.get(broad)?.builtAt ?? Number.NaN;
  return { broad: documentOf(broad), narrow: documentOf(narrow), band: narrowing.band, builtAt };
};

const serialOf = (id: string): number => Number(id.slice(-6));

/** Says at which step paced offers are: shown to a quarter of the sessions. */
const STEP = 16;

/**
 * A network's document that says which offers are paced, and that some were stopped after every candidates document was
 * built.
 */
const networkDocument = ({ offers }: Network, stopped: readonly string[]): NetworkDocument => {
  const paced = offers.filter((offer) => offer.paced).map(({ id }) => serialOf(id));
  return {
    since: 0,
    offers: [[Number.MAX_SAFE_INTEGER, ...stopped.map(serialOf)]],
    advertisers: [],
    targeted: { languages: [], currencies: [], paymentTypes: [] },
    paced: [[STEP, ...paced.map((serial, i) => serial - (paced[i - 1] ?? 0))]],
  };
};

/** Answers as the offer endpoint does: from the broad document; where that is cut and short, from the narrower one. */
const answer = ({ broad, narrow }: Both, request: DecisionRequest, network: NetworkDocument) => {
  const chosen = decide(broad, network, request);
  const isShort = chosen.length < request.count && isCut(broad, request.now);
  const answered = isShort ? decide(narrow, network, request) : chosen;
  // A document that has reopened is rebuilt in production, which a test's clock cannot do.
  const isOutdated = isShort && narrow.reopensAt !== null && request.now >= narrow.reopensAt;
  return { ids: answered.map((offer) => offer.id), isOutdated };
};

/** Tells whether an offer is paced, and out for a session. */
const isOut = ({ paced, id }: NetworkOffer, session: string): boolean =>
  paced && isThrottled(shareOf(STEP), hash32(session), hash32(id));

const eligibleOf = ({ network, now }: Case, place: Place, { now: moment, session, ...facts }: Asked): Set<string> => {
  const midnight = (Math.floor(now / DAY) + 1) * DAY - now;
  const offers = network.offers.filter(
    (offer) =>
      servesAt(network, offer, place) &&
      answers(offer, facts) &&
      servesWhen(offer, moment - now, midnight) &&
      !isOut(offer, session),
  );
  return new Set(offers.map((offer) => offer.id));
};

/** Tells whether more offers are paced, or limit amounts within the request's band, than a document has room for. */
const isException = ({ network }: Case, place: Place, facts: Facts, band: string): boolean =>
  network.offers.filter(
    (offer) => servesAt(network, offer, place) && answersBut(offer, facts) && (offer.paced || isPartial(offer, band)),
  ).length > EXCEPTION;

/** Stops offers until {@link build} was called: afterwards they are as before. */
const stoppedInTables = async (ids: readonly string[], work: () => Promise<void>): Promise<void> => {
  const set = (status: string) =>
    database.pool.query("update offers set status = $1 where id = any ($2)", [status, ids]);
  await set("paused");
  try {
    await work();
  } finally {
    await set("active");
  }
};

const check = async (made: Case, { place: number, session, count, later, facts, stops }: Request): Promise<void> => {
  const place = PLACES[number] as Place;
  const both = await build(made, place, facts);
  const asked = { ...facts, session, now: both.builtAt + later };
  const request = { ...asked, count, arm: "0" } as DecisionRequest;
  const holds = (found: ReturnType<typeof answer>, eligible: ReadonlySet<string>) => {
    expect(found.ids.filter((id) => !eligible.has(id))).toEqual([]);
    expect(new Set(found.ids).size).toBe(found.ids.length);
    if (found.isOutdated || isException(made, place, facts, both.band)) return;
    expect(found.ids.length).toBe(Math.min(count, eligible.size));
  };
  const eligible = eligibleOf(made, place, asked);
  const network = networkDocument(made.network, []);
  const first = answer(both, request, network);
  holds(first, eligible);
  // The worst that stops can hit are the offers that would be served.
  const stopped = decide({ offers: [...both.broad.offers, ...both.narrow.offers] }, network, { ...request, count: 20 })
    .map((offer) => offer.id)
    .slice(0, stops);
  const rest = new Set([...eligible].filter((id) => !stopped.includes(id)));
  if (stops <= 8) holds(answer(both, request, networkDocument(made.network, stopped)), rest);
  else {
    await stoppedInTables(stopped, async () => {
      const renewed = await build(made, place, facts);
      holds(answer(renewed, { ...request, now: renewed.builtAt + later }, network), rest);
    });
  }
};

describe("an answer from the broad candidates, and from narrower ones where those are cut", () => {
  it.each([
    ["small networks", 300, 14, 1],
    ["networks of thousands", 3_000, 6, 2],
    ["networks of ten thousand", 10_000, 2, 3],
  ])("of %s has as many offers as are eligible and asked for", async (_, most, numRuns, seed) => {
    const property = fc.assert(
      fc.asyncProperty(shapes(most), fc.array(requests, { minLength: 6, maxLength: 12 }), async (shape, asked) => {
        const network = networkOf(shape);
        const made = { network, now: await storeNetwork(database.pool, network) };
        for (const request of asked) await check(made, request);
      }),
      { seed, numRuns, interruptAfterTimeLimit: TIME_LIMIT_MS },
    );
    await expect(property).resolves.toBeUndefined();
  });
});
