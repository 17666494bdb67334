import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { newId } from "../../../db/core/ids.ts";
import type { Hit } from "../../../db/tracking/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { DAY, makeHit } from "../../support/tracking/hits.ts";

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

/** Returns what of an offer's counters the order learns from, as impressions and clicks, and what it does not. */
const taughtOf = async (offerId: string, table = "daily_counters") => {
  const [row] = await h.rows<Record<"impressions" | "clicks" | "more_impressions" | "more_clicks", number>>(
    `select sum(impressions - untaught_impressions)::int as impressions, sum(clicks - untaught_clicks)::int as clicks,
      sum(untaught_impressions)::int as more_impressions, sum(untaught_clicks)::int as more_clicks
    from ${table} where offer_id = $1`,
    [offerId],
  );
  return row && { taught: [row.impressions, row.clicks], untaught: [row.more_impressions, row.more_clicks] };
};

describe.each(["CPC", "CPA", "CPM"] as const)(
  "a customer who loads a page again and again, of an offer of %s",
  (pricing) => {
    it("teaches once, and all that counts is counted", async () => {
      const offerId = await make({ pricing });
      const customer = { offerId, sessionHash: newId("event") };
      const load = () => record({ ...customer, kind: "impression" }, { ...customer, kind: "click" });
      for (let i = 0; i < 5; i++) await load();
      // What is paid for counts once.
      const [impressions, clicks] = [pricing === "CPM" ? 0 : 4, pricing === "CPC" ? 0 : 4];
      expect(await taughtOf(offerId)).toEqual({ taught: [1, 1], untaught: [impressions, clicks] });
    });
  },
);

describe("a customer", () => {
  it("teaches once of what comes in one batch, by its first hit", async () => {
    const offerId = await make();
    const customer = { offerId, sessionHash: newId("event"), kind: "impression" as const };
    await record(
      { ...customer, place: 3, occurredAt: NOON + 2 },
      { ...customer, place: 1, occurredAt: NOON },
      { ...customer, place: 2, occurredAt: NOON + 1 },
    );
    const rows = await h.rows(
      "select place, untaught_impressions::int as untaught from daily_counters where offer_id = $1 order by place",
      [offerId],
    );
    expect(rows).toEqual([
      { place: 1, untaught: 0 },
      { place: 2, untaught: 1 },
      { place: 3, untaught: 1 },
    ]);
  });

  it("teaches again after 24 hours, and not before", async () => {
    const offerId = await make();
    const customer = { offerId, sessionHash: newId("event"), kind: "impression" as const };
    const after: number[] = [];
    for (const hours of [0, 23.99, 24, 47.99, 48, 47]) {
      await record({ ...customer, occurredAt: NOON - DAY + hours * HOUR });
      after.push((await taughtOf(offerId))?.taught[0] ?? 0);
    }
    expect(after).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it("is one at all placements of a publisher, and another for each offer, kind and publisher", async () => {
    const [own, other] = await Promise.all([makeInventory(h.db), makeInventory(h.db)]);
    const second = await makePlacement(h.db, own.site.id);
    const [offerId, another] = await Promise.all([make(), make()]);
    const shown = { offerId, sessionHash: newId("event"), kind: "impression" as const };
    for (const { id } of [own.placement, second, other.placement]) await record({ ...shown, placementId: id });
    await record({ ...shown, placementId: own.placement.id, offerId: another });
    await record({ ...shown, placementId: own.placement.id, kind: "viewable" });
    expect(await taughtOf(offerId)).toEqual({ taught: [2, 0], untaught: [1, 0] });
    expect(await taughtOf(another)).toEqual({ taught: [1, 0], untaught: [0, 0] });
  });

  it("without a session is told by the address range, and teaches each time where nobody knows that", async () => {
    const offerId = await make();
    const shown = { offerId, kind: "impression" as const };
    const addressHash = newId("event");
    await record({ ...shown, addressHash }, { ...shown, addressHash }, shown, shown);
    expect(await taughtOf(offerId)).toEqual({ taught: [3, 0], untaught: [1, 0] });
  });

  it("teaches once by however many consumers at once", async () => {
    for (let round = 0; round < 5; round++) {
      const offerId = await make();
      const hits = Array.from({ length: 20 }, () =>
        makeHit({ placementId, offerId, sessionHash: `session ${round}`, kind: "impression" }),
      );
      await Promise.all([...hits, ...hits].map((hit) => recordHits(h.db, [hit])));
      expect(await taughtOf(offerId)).toEqual({ taught: [1, 0], untaught: [19, 0] });
    }
  });

  it("teaches once of an offer with several creatives, by the one that was seen first", async () => {
    const offerId = await make();
    const customer = { offerId, sessionHash: newId("event"), kind: "impression" as const };
    await record({ ...customer, creative: 2 });
    await record({ ...customer, creative: 1 });
    expect(await taughtOf(offerId)).toEqual({ taught: [1, 0], untaught: [1, 0] });
    expect(await taughtOf(offerId, "creative_counters")).toEqual({ taught: [1, 0], untaught: [1, 0] });
    expect(
      await h.rows("select creative from creative_counters where offer_id = $1 and untaught_impressions > 0", [
        offerId,
      ]),
    ).toEqual([{ creative: 1 }]);
  });
});

describe("an offer at its cap", () => {
  it.each([{ dailyCap: 2 }, { lifetimeCap: 2 }])("of %j teaches nothing until it has room again", async (caps) => {
    const offerId = await make({ pricing: "CPC", ...caps });
    const visit = () => record({ offerId, kind: "impression" }, { offerId });
    for (let i = 0; i < 4; i++) await visit();
    expect(await taughtOf(offerId)).toEqual({ taught: [2, 2], untaught: [2, 0] });
    await h.rows("update offers set daily_cap = null, lifetime_cap = null, capped_through = null where id = $1", [
      offerId,
    ]);
    await visit();
    expect(await taughtOf(offerId)).toEqual({ taught: [3, 3], untaught: [2, 0] });
  });

  it("that is paid for by impressions teaches nothing of clicks on what was shown past it", async () => {
    const offerId = await make({ pricing: "CPM", lifetimeCap: 1 });
    for (let i = 0; i < 3; i++) await record({ offerId, kind: "impression" }, { offerId });
    expect(await taughtOf(offerId)).toEqual({ taught: [1, 1], untaught: [0, 2] });
  });

  it("of another day teaches as ever", async () => {
    const offerId = await make({ pricing: "CPC", dailyCap: 1 });
    await record({ offerId });
    await record({ offerId, kind: "impression", occurredAt: NOON }, { offerId, kind: "impression" });
    expect(await taughtOf(offerId)).toEqual({ taught: [1, 1], untaught: [1, 0] });
  });
});
