import { eq } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { demo } from "../../../db/demo/network.ts";
import { requestFacts } from "../../../db/schema/counters.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { recordRequests, type RequestFact } from "../../../db/tracking/requests.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { DAY, idAt, makeHit } from "../../support/tracking/hits.ts";

const HOURLY = `select placement_id, country, reason, arm, sum(requests)::int as requests from hourly_requests
  where placement_id = any ($1) and hour > now() - interval '2 hours' group by 1, 2, 3, 4 order by 1, 2`;

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;

beforeAll(async () => {
  h = await startHarness();
  inventory = await makeInventory(h.db);
});
afterAll(() => h.close());

const ask = async (placementId: string, more: string, init = {}) => {
  const path = `/api/odata?placementId=${placementId}&sessionId=s&at.orderid=o&${more}`;
  const response = await h.fetch(path, {
    headers: { Authorization: `Bearer ${inventory.publisher.publicKey}` },
    ...init,
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
};
const counted = (placementId: string) =>
  h.rows<{ requests: number }>(
    `select day::text, offer_id, advertiser_id, country, requests::int, fills::int from daily_counters
    where placement_id = $1 order by country`,
    [placementId],
  );

describe("ad requests", () => {
  it("are counted by day, placement and country, with those that got offers, to the last of a burst", async () => {
    const { site, placement } = inventory;
    const inactive = await makePlacement(h.db, site.id, { status: "inactive" });
    const test = await makePlacement(h.db, site.id, { isLiveMode: false });
    const today = new Date().toISOString().slice(0, 10);
    await Promise.all([
      ...Array.from({ length: 30 }, () => ask(placement.id, "at.country=US&at.language=en")),
      ...Array.from({ length: 12 }, () => ask(placement.id, "at.country=DE")),
      ...Array.from({ length: 7 }, () => ask(inactive.id, "at.country=US")),
      ...Array.from({ length: 5 }, () => ask(test.id, "at.country=US")),
      ...Array.from({ length: 3 }, () => ask(placement.id, "at.country=US", { method: "HEAD" })),
    ]);
    const row = { day: today, offer_id: "", advertiser_id: "" };
    await h.until(
      async () => [...(await counted(placement.id)), ...(await counted(inactive.id))],
      (rows) => rows.reduce((sum, { requests }) => sum + requests, 0) >= 49,
    );
    expect(await counted(placement.id)).toEqual([
      { ...row, country: "DE", requests: 12, fills: 12 },
      { ...row, country: "US", requests: 30, fills: 30 },
    ]);
    expect(await counted(inactive.id)).toEqual([{ ...row, country: "US", requests: 7, fills: 0 }]);
    expect(await h.rows(HOURLY, [[placement.id, inactive.id]])).toEqual([
      { placement_id: placement.id, country: "DE", reason: "", arm: "0", requests: 12 },
      { placement_id: placement.id, country: "US", reason: "", arm: "0", requests: 30 },
      { placement_id: inactive.id, country: "US", reason: "placement_inactive", arm: "0", requests: 7 },
    ]);
    const { publisher } = inventory;
    const owners = "select distinct site_id, publisher_id from daily_counters where placement_id = any ($1)";
    expect(await h.rows(owners, [[placement.id, inactive.id]])).toEqual([
      { site_id: site.id, publisher_id: publisher.id },
    ]);
    expect(await counted(test.id)).toEqual([]);
    expect(await counted(demo.placements.live)).toEqual([]);
  });

  it("of one flush are counted once, however often it is delivered", async () => {
    const placementId = newId("placement");
    const hour = Date.now();
    const row = {
      hour,
      placementId,
      country: "US",
      arm: "0",
      requests: 9,
      fills: 7,
      parts: { 0: 2, 63: 7 },
      reasons: { no_eligible_offer: 2 },
    };
    const fact: RequestFact = {
      hour,
      placementId,
      country: "US",
      language: "en",
      currency: "USD",
      amount: 80,
      paymentType: "paypal",
      count: 4,
    };
    const flush = { id: newId("event"), rows: [row], facts: [fact] };
    const delivery = () => ({ id: newId("event"), body: { type: "requests", flush } });
    await h.deliver([delivery(), delivery()]);
    await Promise.all(Array.from({ length: 5 }, () => h.deliver([delivery()])));
    expect(await counted(placementId)).toMatchObject([{ requests: 9, fills: 7 }]);
    const hourly = "select reason, requests::int from hourly_requests where placement_id = $1 order by reason";
    expect(await h.rows(hourly, [placementId])).toEqual([
      { reason: "", requests: 7 },
      { reason: "no_eligible_offer", requests: 2 },
    ]);
    const { publisher, placement } = inventory;
    const owned = { id: newId("event"), rows: [{ ...row, placementId: placement.id, arm: "2" }], facts: [] };
    const again = () => ({ id: newId("event"), body: { type: "requests", flush: owned } });
    await h.deliver([again(), again()]);
    const parts = `select arm, part, requests::int, gross_micros::int as gross from daily_parts
      where publisher_id = $1 and arm = '2' order by part`;
    expect(await h.rows(parts, [publisher.id])).toEqual([
      { arm: "2", part: 0, requests: 2, gross: 0 },
      { arm: "2", part: 63, requests: 7, gross: 0 },
    ]);
    const sampled = await h.db.select().from(requestFacts).where(eq(requestFacts.placementId, placementId));
    expect(sampled).toMatchObject([{ ...fact, hour: new Date(hour) }]);
  });
});

describe("many flushes that come together", () => {
  it("are counted ten thousand rows at a time, each once", async () => {
    const hour = Date.now();
    const row = () => ({ hour, placementId: newId("placement"), country: "US", arm: "0", requests: 2, fills: 1 });
    const bodies = Array.from({ length: 25 }, () => {
      const rows = Array.from({ length: 450 }, () => ({
        ...row(),
        parts: { 7: 2 },
        reasons: { placement_inactive: 1 },
      }));
      return { type: "requests" as const, flush: { id: newId("event"), rows, facts: [] } };
    });
    const messages = bodies.map((body) => ({ id: newId("event"), body }));
    const before = h.database.trips.length;
    for (const _ of [1, 2]) expect((await h.deliver(messages)).ackAll).toBe(true);
    const trips = h.database.trips
      .slice(before)
      .filter(([query = ""]) => query.includes("insert into request_flushes"));
    expect(trips).toHaveLength(4);
    const ids = bodies.flatMap(({ flush }) => flush.rows.map(({ placementId }) => placementId));
    expect(
      await h.rows(
        `select count(*)::int, sum(requests)::int as requests, sum(fills)::int as fills from daily_counters
        where placement_id = any ($1)`,
        [ids],
      ),
    ).toEqual([{ count: 11_250, requests: 22_500, fills: 11_250 }]);
  });
});

describe("hits that are billed at the same publisher", () => {
  it("do not wait while requests wait to be counted", async () => {
    const { placement } = inventory;
    const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id);
    const ofPlacement = { placementId: placement.id, country: "US", arm: "5" };
    const row = { hour: Date.now(), ...ofPlacement, requests: 1, fills: 1, parts: { 5: 1 }, reasons: {} };
    const count = async () => recordRequests(h.db, [{ id: newId("event"), rows: [row], facts: [] }]);
    const waiting = async () =>
      h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    await count();
    const other = new pg.Client(h.postgresUrl);
    await other.connect();
    const begun: Promise<unknown>[] = [];
    try {
      await other.query("begin");
      await other.query("select from daily_counters where placement_id = $1 and arm = '5' for update", [placement.id]);
      begun.push(count());
      await h.until(waiting, (n) => n === 1);
      let isStored = false;
      const hit = makeHit({ ...ofPlacement, offerId, part: 5, occurredAt: row.hour });
      const storing = recordHits(h.db, [hit]).finally(() => {
        isStored = true;
      });
      begun.push(storing);
      expect(await h.until(waiting, (n) => isStored || n > 1)).toBe(1);
    } finally {
      await other.end();
      await Promise.allSettled(begun);
    }
    expect(
      await h.rows("select requests::int, gross_micros > 0 as is_billed from daily_parts where arm = '5' and part = 5"),
    ).toEqual([{ requests: 2, is_billed: true }]);
  });
});

describe("what was removed", () => {
  it("counts no flush twice, while one that comes late counts", async () => {
    const placementId = newId("placement");
    const flush = (time: number) => {
      const row = { hour: time, placementId, country: "US", arm: "0", requests: 5, fills: 5, reasons: {} };
      return { id: idAt("event", time), rows: [row], facts: [] };
    };
    const old = flush(Date.now() - 3 * DAY);
    await recordRequests(h.db, [old]);
    await h.rows("update request_flushes set received_at = $2 where id = $1", [old.id, new Date(Date.now() - 3 * DAY)]);
    await h.cron();
    expect(await h.rows("select from request_flushes where id = $1", [old.id])).toEqual([]);
    expect(await recordRequests(h.db, [old, flush(Date.now() - 2.5 * DAY)])).toBe(1);
    expect(await recordRequests(h.db, [flush(Date.now())])).toBe(0);
    await h.deliver([{ id: newId("event"), body: { type: "requests", flush: old } }]);
    expect(h.logs().join("\n")).toContain("1 flushes of requests came too late, and were not counted");
    const [sum] = await h.rows("select sum(requests)::int as n from daily_counters where placement_id = $1", [
      placementId,
    ]);
    expect(sum).toEqual({ n: 15 });
  });
});
