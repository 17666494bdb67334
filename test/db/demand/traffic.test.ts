import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPaced } from "../../../db/demand/caps/paces.ts";
import { addUpTraffic, makeCurves } from "../../../db/demand/traffic.ts";
import type { offers } from "../../../db/schema/demand.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";

let database: OpenDatabase;
beforeAll(async () => {
  // Half an hour off: its hours begin in the middle of those that are counted.
  database = await openDatabase("Asia/Kolkata");
});
afterAll(() => database.close());

type Inventory = Awaited<ReturnType<typeof makeInventory>>;

/** Adds counts of requests in an hour, a number of hours before the last one that is well over. */
const count = (place: Inventory, hoursAgo: number, requests: number, country = "US", reason = "") =>
  database.pool.query(
    `insert into hourly_requests as h (hour, placement_id, country, reason, arm, requests)
     values (date_trunc('hour', now() - interval '10 minutes', 'UTC') - make_interval(hours => $1 + 1), $2, $3, $4, '0', $5)
     on conflict (hour, placement_id, country, reason, arm) do update set requests = excluded.requests`,
    [hoursAgo, place.placement.id, country, reason, requests],
  );
const addUpAll = async () => {
  let runs = 1;
  while (await addUpTraffic(database.db)) runs += 1;
  return runs;
};
const added = async (platformId: string) => {
  const { rows } = await database.pool.query<{ ago: number; country: string; requests: number }>(
    `select (extract(epoch from date_trunc('hour', now() - interval '10 minutes', 'UTC') - hour) / 3600 - 1)::int as ago, country,
       requests::int from hourly_traffic where platform_id = $1 order by hour, country`,
    [platformId],
  );
  return rows;
};
/** Makes inventory of a platform of its own. */
const makePlace = async () => {
  const { id: platformId } = await makePlatform(database.db);
  return { ...(await makeInventory(database.db, { publisher: { platformId } })), platformId };
};
/** Makes a paced offer, and returns the sum of the requests of its curve. */
const curveOf = async (advertiserId: string, columns: Partial<typeof offers.$inferInsert>) => {
  const { serial } = await makeOffer(database.db, advertiserId, { pacing: "EVEN", dailyCap: 5, ...columns });
  await makeCurves(database.db, 100);
  const { offers: found, curves } = await findPaced(database.db, { after: serial - 1, until: serial }, 1);
  const curve = curves.find(({ key }) => key === found[0]?.curve);
  return { total: curve?.requests.reduce((sum, requests) => sum + requests, 0), ...curve };
};

const keys = async (): Promise<string[]> =>
  (await database.pool.query<{ key: string }>("select key from traffic_curves")).rows.map(({ key }) => key);
/** Makes all curves that are due, and lists those that each statement made. */
const makeAll = async (): Promise<string[][]> => {
  const steps: string[][] = [];
  for (let more = true; more;) {
    const before = new Set(await keys());
    ({ more } = await makeCurves(database.db, 100));
    steps.push((await keys()).filter((key) => !before.has(key)));
  }
  return steps;
};

describe("traffic by the hour", () => {
  it("is added up by platform and country, of hours that are over, once each, the last one again", async () => {
    const place = await makePlace();
    await count(place, 600, 7);
    await count(place, 100, 5, "US");
    await count(place, 100, 2, "DE");
    await count(place, 100, 3, "US", "no_eligible_offer");
    await count(place, 100, 9, "US", "site_ads_disabled");
    await count(place, 0, 4);
    await count(place, -1, 8);
    expect(await addUpAll()).toBeGreaterThan(1);
    const expected = [
      { ago: 600, country: "US", requests: 7 },
      { ago: 100, country: "DE", requests: 2 },
      { ago: 100, country: "US", requests: 8 },
      { ago: 0, country: "US", requests: 4 },
    ];
    expect(await added(place.platformId)).toEqual(expected);
    expect(await addUpAll()).toBe(1);
    expect(await added(place.platformId)).toEqual(expected);
    // As if an hour had passed since then, in which some counts of the last one came late.
    await database.pool.query(
      "delete from hourly_traffic where hour >= date_trunc('hour', now() - interval '70 minutes', 'UTC')",
    );
    await database.pool.query(
      "insert into hourly_traffic select date_trunc('hour', now() - interval '130 minutes', 'UTC'), $1, 'US', 1",
      [place.platformId],
    );
    await count(place, 1, 6);
    await addUpAll();
    expect(await added(place.platformId)).toEqual([
      ...expected.slice(0, 3),
      { ago: 1, country: "US", requests: 6 },
      { ago: 0, country: "US", requests: 4 },
    ]);
  });

  it("goes on after hours in which all that asked was switched off", async () => {
    const place = await makePlace();
    await database.pool.query("delete from hourly_requests");
    await database.pool.query("delete from hourly_traffic");
    await count(place, 40, 7);
    for (let ago = 20; ago < 40; ago++) await count(place, ago, 3, "US", "site_ads_disabled");
    await count(place, 19, 5);
    await addUpAll();
    expect(await added(place.platformId)).toEqual([
      { ago: 40, country: "US", requests: 7 },
      { ago: 19, country: "US", requests: 5 },
    ]);
  });
});

describe("a curve", () => {
  it("has the requests of the last four weeks in the places and countries of its offers, and in no others", async () => {
    const [mine, theirs] = [await makePlace(), await makePlace()];
    await database.pool.query("delete from hourly_traffic");
    await count(mine, 700, 1_000);
    await count(mine, 300, 16);
    await count(mine, 300 + 168, 32);
    await count(mine, 20, 4, "DE");
    await count(mine, 20, 64, "DE", "placement_inactive");
    await count(theirs, 20, 256);
    await addUpAll();
    const { id: own } = await makeAdvertiser(database.db, { platformId: mine.platformId });
    const { id: network } = await makeAdvertiser(database.db);
    const both = await curveOf(own, {});
    expect(both.total).toBe(52);
    expect(both.requests?.toSorted((a, b) => b - a).slice(0, 3)).toEqual([48, 4, 0]);
    expect((await curveOf(own, { countries: ["DE"] })).total).toBe(4);
    expect((await curveOf(own, { countries: ["FR"] })).since).toBeNull();
    expect((await curveOf(network, { includeSites: [mine.site.id, theirs.site.id] })).total).toBe(308);
    expect((await curveOf(network, { includePublishers: [theirs.publisher.id] })).total).toBe(256);
    expect((await curveOf(network, { includeSites: [mine.site.id], countries: ["US"] })).total).toBe(48);
    // Both must fit where sites and publishers are named.
    const neither = { includeSites: [mine.site.id], includePublishers: [theirs.publisher.id] };
    expect((await curveOf(network, neither)).total).toBe(0);
    expect((await curveOf(network, {})).total).toBeGreaterThanOrEqual(308);
  });

  it("of many placements is made alone, so that one whose traffic takes too long to read holds up no others", async () => {
    await makeAll();
    const { id: advertiserId } = await makeAdvertiser(database.db);
    const places = [await makePlace(), await makePlace(), await makePlace(), await makePlace()];
    const copies = `insert into placements (id, site_id, name, page_type, template, status)
      select id || n, site_id, name || n, page_type, template, 'inactive' from placements, generate_series(1, 60) n
      where id = any ($1)`;
    await database.pool.query(copies, [places.slice(0, 2).map(({ placement }) => placement.id)]);
    const named = places.map(({ publisher }) => ({ includePublishers: [publisher.id] }));
    const columns = [...named, { countries: ["IS"] }];
    const made = await Promise.all(
      columns.map((targeting) => makeOffer(database.db, advertiserId, { pacing: "EVEN", dailyCap: 5, ...targeting })),
    );
    const steps = await makeAll();
    const { offers: found } = await findPaced(database.db, { after: 0, until: 2 ** 31 - 1 }, 1_000);
    const [one = "", other = "", , , open = ""] = made.map(
      ({ serial }) => found.find((offer) => offer.serial === serial)?.curve,
    );
    expect(steps.flat()).toHaveLength(5);
    // Curves without named sites come first, so that nothing about sites holds them up.
    expect(steps[0]).toEqual([open]);
    expect(steps).toContainEqual([one]);
    expect(steps).toContainEqual([other]);
  });

  it("is shared by offers of the same targeting, rebuilt each hour, and goes when no offer needs it", async () => {
    const { id: advertiserId } = await makeAdvertiser(database.db);
    const first = await curveOf(advertiserId, { countries: ["JP"] });
    const second = await curveOf(advertiserId, { countries: ["JP"] });
    expect(second.key).toBe(first.key);
    expect(await makeCurves(database.db, 100)).toEqual({ made: 0, more: false });
    await database.pool.query("update traffic_curves set made_at = now() - interval '61 minutes' where key = $1", [
      first.key,
    ]);
    expect(await makeCurves(database.db, 100)).toEqual({ made: 1, more: false });
    await database.pool.query("update offers set status = 'paused' where advertiser_id = $1", [advertiserId]);
    await database.pool.query("update traffic_curves set made_at = now() - interval '25 hours' where key = $1", [
      first.key,
    ]);
    await makeCurves(database.db, 100);
    const { rows } = await database.pool.query("select from traffic_curves where key = $1", [first.key]);
    expect(rows).toEqual([]);
  });
});
