import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { newId } from "../../../db/core/ids.ts";
import type { Hit } from "../../../db/tracking/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { DAY, expectExactCounts, makeHit } from "../../support/tracking/hits.ts";

let h: Harness;
let advertiserId: string;
let placementId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
  placementId = (await makeInventory(h.db)).placement.id;
});
afterAll(() => h.close());

const HOUR = DAY / 24;
/** Noon of yesterday, so that a day's hits lie on one UTC day. */
const NOON = Math.floor(Date.now() / DAY) * DAY - DAY / 2;

const make = async (columns: Parameters<typeof makeOffer>[2] = {}) => (await makeOffer(h.db, advertiserId, columns)).id;
const record = (...hits: Partial<Hit>[]) =>
  recordHits(
    h.db,
    hits.map((hit) => makeHit({ placementId, ...hit })),
  );

/** Returns an impression and a click of one new decision, by a new customer unless one is named. */
const look = (hit: Partial<Hit>): Partial<Hit>[] => {
  const decisionId = newId("decision");
  const shown = { sessionHash: decisionId, decisionId, ...hit };
  return [
    { ...shown, kind: "impression" },
    { ...shown, kind: "click" },
  ];
};

/** Returns which impressions and clicks in an offer's counters the order learns from, and which not. */
const taughtOf = async (offerId: string, by = "", table = "daily_counters") =>
  h.rows(
    `select ${by === "" ? "" : `${by}, `}
      array[sum(impressions - untaught_impressions), sum(clicks - untaught_clicks)]::int[] as taught,
      array[sum(untaught_impressions), sum(untaught_clicks)]::int[] as untaught
    from ${table} where offer_id = $1 ${by === "" ? "" : `group by ${by} order by ${by}`}`,
    [offerId],
  );

describe.each(["CPC", "CPA", "CPM"] as const)(
  "a customer who loads a page again and again, of an offer of %s",
  (pricing) => {
    it("teaches once, and all that counts is counted", async () => {
      const offerId = await make({ pricing });
      const sessionHash = newId("event");
      for (let i = 0; i < 5; i++) await record(...look({ offerId, sessionHash }));
      // What is paid for counts once.
      const untaught = [pricing === "CPM" ? 0 : 4, pricing === "CPC" ? 0 : 4];
      expect(await taughtOf(offerId)).toEqual([{ taught: [1, 1], untaught }]);
    });
  },
);

describe("a customer", () => {
  it("teaches by the first look of a batch, and by its click", async () => {
    const offerId = await make();
    const sessionHash = newId("event");
    const looks = [3, 1, 2].map((place) => look({ offerId, sessionHash, place, occurredAt: NOON + place }));
    await record(...looks.flat().toReversed());
    expect(await taughtOf(offerId, "place")).toEqual([
      { place: 1, taught: [1, 1], untaught: [0, 0] },
      // A click is paid for once, so that it counts once.
      { place: 2, taught: [0, 0], untaught: [1, 0] },
      { place: 3, taught: [0, 0], untaught: [1, 0] },
    ]);
  });

  it("teaches nothing by a click on another look, though it is paid for", async () => {
    const offerId = await make();
    const sessionHash = newId("event");
    const [impression = {}] = look({ offerId, sessionHash });
    await record(impression);
    await record(...look({ offerId, sessionHash }));
    expect(await taughtOf(offerId)).toEqual([{ taught: [1, 0], untaught: [1, 1] }]);
  });

  it("teaches by a click that comes before its impression", async () => {
    const offerId = await make();
    const [impression = {}, click = {}] = look({ offerId });
    await record(click);
    await record(impression);
    expect(await taughtOf(offerId)).toEqual([{ taught: [1, 1], untaught: [0, 0] }]);
  });

  it("teaches by a click that comes late, with the look that taught", async () => {
    const offerId = await make({ pricing: "CPM" });
    const [impression = {}, click = {}] = look({ offerId, occurredAt: NOON });
    await record(impression);
    await record({ ...click, occurredAt: NOON + 30 * HOUR - DAY });
    expect(await taughtOf(offerId)).toEqual([{ taught: [1, 1], untaught: [0, 0] }]);
  });

  it("teaches again after 24 hours, and not before", async () => {
    const offerId = await make({ pricing: "CPA" });
    const sessionHash = newId("event");
    const after: unknown[] = [];
    for (const hours of [0, 23.99, 24, 47.99, 48, 47]) {
      await record(...look({ offerId, sessionHash, occurredAt: NOON - DAY + hours * HOUR }));
      after.push((await taughtOf(offerId))[0]?.["taught"]);
    }
    expect(after).toEqual([1, 1, 2, 2, 3, 3].map((n) => [n, n]));
  });

  it("teaches again after 24 hours where looks of before come in the same batch", async () => {
    const offerId = await make({ pricing: "CPA" });
    const sessionHash = newId("event");
    const at = (hours: number) => look({ offerId, sessionHash, occurredAt: NOON - DAY + hours * HOUR });
    await record(...at(0));
    await record(...at(23), ...at(25));
    expect(await taughtOf(offerId)).toEqual([{ taught: [2, 2], untaught: [1, 1] }]);
  });

  it("is another at each placement, for each offer and at each publisher", async () => {
    const [own, other] = await Promise.all([makeInventory(h.db), makeInventory(h.db)]);
    const second = await makePlacement(h.db, own.site.id);
    const offerIds = await Promise.all([make({ pricing: "CPA" }), make({ pricing: "CPA" })]);
    const sessionHash = newId("event");
    for (const offerId of offerIds) {
      for (const { id } of [own.placement, second, other.placement]) {
        await record(...look({ offerId, sessionHash, placementId: id }));
      }
      expect(await taughtOf(offerId)).toEqual([{ taught: [3, 3], untaught: [0, 0] }]);
    }
  });

  it("teaches nothing without a session, by which one is told from others", async () => {
    const offerId = await make({ pricing: "CPA" });
    await record(...look({ offerId, sessionHash: null, addressHash: newId("event") }));
    await record(...look({ offerId, sessionHash: null }));
    expect(await taughtOf(offerId)).toEqual([{ taught: [0, 0], untaught: [2, 2] }]);
    expect(await h.rows("select from recent_lessons where offer_id = $1", [offerId])).toEqual([]);
  });

  it("teaches once by however many consumers at once, an impression with its click", async () => {
    for (let round = 0; round < 5; round++) {
      const offerId = await make({ pricing: "CPA" });
      const sessionHash = `session ${round}`;
      const hits = Array.from({ length: 10 }, () => look({ offerId, sessionHash })).flat();
      const all = hits.map((hit) => makeHit({ placementId, ...hit }));
      await Promise.all([...all, ...all].map((hit) => recordHits(h.db, [hit])));
      expect(await taughtOf(offerId)).toEqual([{ taught: [1, 1], untaught: [9, 9] }]);
    }
  });

  it("teaches once of an offer with several creatives, by the one that was seen first", async () => {
    const offerId = await make({ pricing: "CPA" });
    const sessionHash = newId("event");
    for (const creative of [2, 1, 2]) await record(...look({ offerId, sessionHash, creative }));
    expect(await taughtOf(offerId)).toEqual([{ taught: [1, 1], untaught: [2, 2] }]);
    expect(await taughtOf(offerId, "creative", "creative_counters")).toEqual([
      { creative: 1, taught: [0, 0], untaught: [1, 1] },
      { creative: 2, taught: [1, 1], untaught: [1, 1] },
    ]);
  });
});

describe("an offer at its cap", () => {
  it.each([{ dailyCap: 2 }, { lifetimeCap: 2 }])("of %j teaches nothing until it has room again", async (caps) => {
    const offerId = await make({ pricing: "CPC", ...caps });
    for (let i = 0; i < 4; i++) await record(...look({ offerId }));
    expect(await taughtOf(offerId)).toEqual([{ taught: [2, 2], untaught: [2, 0] }]);
    await h.rows(
      "update offers set daily_cap = daily_cap + 9, lifetime_cap = lifetime_cap + 9, capped_through = null where id = $1",
      [offerId],
    );
    await record(...look({ offerId }));
    expect(await taughtOf(offerId)).toEqual([{ taught: [3, 3], untaught: [2, 0] }]);
  });

  it("that is paid for by impressions teaches of clicks on what was shown before it, and on nothing else", async () => {
    const offerId = await make({ pricing: "CPM", lifetimeCap: 1 });
    const [impression = {}, click = {}] = look({ offerId });
    await record(impression);
    await record(...look({ offerId }));
    await record(click);
    expect(await taughtOf(offerId)).toEqual([{ taught: [1, 1], untaught: [0, 1] }]);
  });

  it("that is paid for by conversions teaches on, since its clicks may convert on another day", async () => {
    const offerId = await make({ pricing: "CPA", dailyCap: 1 });
    await h.rows("update offers set capped_through = (now() at time zone 'UTC')::date where id = $1", [offerId]);
    await record(...look({ offerId }));
    expect(await taughtOf(offerId)).toEqual([{ taught: [1, 1], untaught: [0, 0] }]);
  });

  it("of another day teaches as ever", async () => {
    const offerId = await make({ pricing: "CPC", dailyCap: 1 });
    await record(...look({ offerId }));
    await record(...look({ offerId, occurredAt: NOON }), ...look({ offerId }));
    expect(await taughtOf(offerId)).toEqual([{ taught: [2, 2], untaught: [1, 0] }]);
  });
});

it("counts stay what a recount gives, with those that teach nothing among them", async () => {
  await expectExactCounts(h);
  expect(await h.count("daily_counters where untaught_impressions > 0")).toBeGreaterThan(0);
});
