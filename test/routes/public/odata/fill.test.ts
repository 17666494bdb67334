import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { api } from "../../../support/api.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeOffers, makePlatform } from "../../../support/factories.ts";
import { holdDatabase, tripsOf } from "../../../support/faults/situation.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { makeHit, message } from "../../../support/tracking/hits.ts";
import { SECRETS } from "../../../support/secrets.ts";

const CAPPED = 50;

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
beforeEach(async () => {
  // Each network is a test's own; offers of another would fill its answers.
  await h.rows("update offers set status = 'archived' where status = 'active'");
  await h.rows("insert into publish_outbox (document_key) values ('network')");
  await h.cron();
});
afterAll(() => h.close());

type Overrides = Parameters<typeof makeOffer>[2];

/** Makes offers of advertisers of their own, eight each, so that no advertiser has more than its share. */
const makeMany = async (count: number, overrides: Overrides) => {
  const made = [];
  for (let left = count; left > 0; left -= 8) {
    const { id } = await makeAdvertiser(h.db);
    made.push(...(await makeOffers(h.db, id, Math.min(left, 8), () => ({ ...overrides }))));
  }
  return made.map(({ id }) => id);
};

/** Makes a placement of a new platform, and a way to ask for its offers. */
const makePlace = async () => {
  const platform = await makePlatform(h.db);
  const { publisher, placement } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const asked = { publicKey: publisher.publicKey, placementId: placement.id };
  return async (params: Record<string, string>) => (await askOffers(h, { ...asked, count: "20", ...params })).ids;
};

const among = (ids: readonly string[], all: readonly string[]) => ids.filter((id) => all.includes(id)).length;

describe("a full answer", () => {
  it("comes everywhere although 50 offers of the first tier ask for a language that nobody speaks", async () => {
    await makeMany(50, { priority: 1, languages: ["zzz"] });
    const open = await makeMany(24, { priority: 5 });
    for (let place = 0; place < 3; place++) {
      const offersOf = await makePlace();
      for (const country of ["US", "DE", "CH", "JP"]) {
        const ids = await offersOf({ "at.country": country, "at.language": "en" });
        expect([country, ids.length, among(ids, open)]).toEqual([country, 20, 20]);
        expect(await offersOf({ "at.country": country })).toHaveLength(20);
      }
    }
  });

  it("comes to French customers in Switzerland although 50 offers there are German", async () => {
    const german = await makeMany(50, { priority: 1, countries: ["CH"], languages: ["de"] });
    const french = await makeMany(20, { priority: 5, countries: ["CH"], languages: ["fr"] });
    const offersOf = await makePlace();
    const inFrench = await offersOf({ "at.country": "CH", "at.language": "fr" });
    expect(among(inFrench, french)).toBe(20);
    const inGerman = await offersOf({ "at.country": "CH", "at.language": "de-CH" });
    expect(among(inGerman, german)).toBe(20);
    expect(await offersOf({ "at.country": "CH", "at.language": "it" })).toEqual([]);
  });

  it("comes although 50 offers with a daily cap of 1 reached it, since 30 more are open", async () => {
    const capped = await makeMany(CAPPED, { priority: 1, dailyCap: 1 });
    const open = await makeMany(30, { priority: 5 });
    const [seen, unseen] = [await makePlace(), await makePlace()];
    const country = { "at.country": "US" };
    expect(among(await seen(country), capped)).toBe(20);
    await h.deliver(capped.map((offerId) => message(makeHit({ offerId }))));
    expect(await h.count("offers where capped_through is not null")).toBe(CAPPED);
    expect(among(await unseen(country), open)).toBe(20);
    const renewed = await h.until(
      () => seen(country),
      (ids) => among(ids, open) === 20,
    );
    expect(among(renewed, capped)).toBe(0);
  });

  it("has no more than eight offers of an advertiser while others have some", async () => {
    const { id } = await makeAdvertiser(h.db);
    // In three languages: an advertiser has its share once, however its offers are targeted.
    const languages = [["en"], ["en", "de"], []];
    const greedy = await makeOffers(h.db, id, 40, (i) => ({ priority: 1, languages: languages[i % 3] ?? [] }));
    const greedyIds = greedy.map((offer) => offer.id);
    const others = await makeMany(12, { priority: 50, bidMicros: 1_000 });
    const offersOf = await makePlace();
    const english = { "at.country": "US", "at.language": "en" };
    const ids = await offersOf(english);
    expect([among(ids, greedyIds), among(ids, others)]).toEqual([8, 12]);
    expect(among(ids.slice(0, 8), greedyIds)).toBe(8);
    await h.rows("update offers set status = 'paused' where id = any ($1)", [others]);
    const alone = await makePlace();
    expect(among(await alone(english), greedyIds)).toBe(20);
  });

  it("has others although one advertiser asks for more different things than a list has places", async () => {
    const { id } = await makeAdvertiser(h.db);
    const greedy = await makeOffers(h.db, id, 130, (i) => ({
      priority: 1,
      currencies: ["USD"],
      amountMax: 1_000 + i,
    }));
    const greedyIds = greedy.map((offer) => offer.id);
    const others = await makeMany(3, { priority: 50, languages: ["fr"] });
    const offersOf = await makePlace();
    const order = { "at.country": "US", "at.currency": "USD", "at.amount": "60" };
    const ids = await offersOf({ ...order, "at.language": "fr" });
    expect([ids.length, among(ids, others), among(ids.slice(0, 11), greedyIds)]).toEqual([20, 3, 8]);
    expect(among(await offersOf(order), greedyIds)).toBe(20);
  });
});

describe("a change of somebody's offer", () => {
  const PLACES = 10;
  const COUNTRIES = ["US", "DE", "CH", "JP"];
  const token = SECRETS.ADMIN_TOKEN;

  /** Makes offers for everybody, and places that were asked for before, so that KV has all that their answers need. */
  const makeSeenPlaces = async () => {
    const [changed = ""] = await makeMany(4, {});
    const inventories = await Promise.all(Array.from({ length: PLACES }, () => makeInventory(h.db)));
    const asked = inventories.flatMap(({ publisher, placement }) =>
      COUNTRIES.map((country) => ({
        publicKey: publisher.publicKey,
        placementId: placement.id,
        "at.country": country,
        count: "3",
      })),
    );
    /** Asks one place after the other, and returns how many answers were full. */
    const askMany = async (count: number) => {
      let full = 0;
      for (let i = 0; i < count; i++) {
        const params = asked[i % asked.length];
        if (params && (await askOffers(h, params)).ids.length === 3) full += 1;
      }
      return full;
    };
    /** Counts the round trips of a number of answers, which are full. */
    const tripsIn = async (count: number) => {
      h.database.trips.length = 0;
      expect(await askMany(count)).toBe(count);
      return tripsOf(h).length;
    };
    await h.until(
      () => tripsIn(asked.length),
      (trips) => trips === 0,
    );
    return { changed, tripsIn, askMany };
  };

  it("that changes nothing builds nothing in 400 answers, as none does in 200", async () => {
    const { tripsIn } = await makeSeenPlaces();
    const { id: advertiser } = await makeAdvertiser(h.db);
    const { id } = await makeOffer(h.db, advertiser, { status: "paused" });
    expect(await tripsIn(200)).toBe(0);
    for (let round = 0; round < 4; round++) {
      expect((await api(h, "PUT", `/api/v1/offers/${id}`, { token, body: {} })).status).toBe(200);
      const body = { status: "paused" };
      expect((await api(h, "PATCH", `/api/v1/offers/${id}/status`, { token, body })).status).toBe(200);
      expect(await tripsIn(100)).toBe(0);
    }
    expect(await h.rows("select from publish_outbox")).toEqual([]);
  });

  it.each([{ title: "New" }, { bidMicros: 700_000 }, { priority: 2 }, { targeting: { countries: ["NZ"] } }])(
    "to %j keeps no answer waiting for the database",
    async (body) => {
      const { changed, askMany } = await makeSeenPlaces();
      expect((await api(h, "PUT", `/api/v1/offers/${changed}`, { token, body })).status).toBe(200);
      const release = holdDatabase(h);
      try {
        expect(await askMany(80)).toBe(80);
      } finally {
        release();
      }
    },
  );
});
