import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { recordRequests } from "../../../db/tracking/requests.ts";
import { api, said } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement, makeSite } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { makeHit } from "../../support/tracking/hits.ts";
import { ALL, before, day, range, reporting, SHOWN, type Asked } from "../../support/tracking/reporting.ts";

let h: Harness;
const { ask, count, csv, grant, rows } = reporting(() => h);

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

describe("a report", () => {
  it("has exactly these members, one query behind the token's", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    await count(placement.id, ALL);
    h.database.trips.length = 0;
    const answer = await ask(publisher.privateKey, range(day()));
    expect(h.database.trips.map((statements) => statements.length)).toEqual([1, 1]);
    const shown = { placementId: placement.id, placementName: placement.name, ...SHOWN, revenue: 3.5 };
    expect(said(answer)).toEqual([200, { success: true, data: [shown] }]);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const bySite = { siteId: site.id, siteName: site.name, ...SHOWN, revenue: 3.5 };
    expect(await rows(publisher.privateKey, { reportType: "SITE" })).toEqual([bySite]);
  });

  it.each<[boolean, boolean, object]>([
    [false, false, {}],
    [true, false, { revenue: 3.5 }],
    [false, true, { gross: 5.000001, profit: 1.500001 }],
    [true, true, { revenue: 3.5, gross: 5.000001, profit: 1.500001 }],
  ])("shows money as the token may see it: revenue %j, gross %j", async (revenue, gross, money) => {
    const { publisher, placement } = await makeInventory(h.db);
    await count(placement.id, ALL);
    await grant(publisher.id, revenue, gross);
    const shown = { placementId: placement.id, placementName: placement.name, ...SHOWN, ...money };
    expect(await rows(publisher.privateKey, {})).toEqual([shown]);
  });

  it("keeps to one country, also to customers of whom none was known", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    for (const [clicks, country] of [
      [1, "DE"],
      [2, "FR"],
      [4, "ZZ"],
    ] as const) {
      await count(placement.id, { clicks, country });
    }
    const clicks = async (country: string, asked: Asked = {}) =>
      (await rows(publisher.privateKey, { ...asked, country })).map((row) => row["clicks"]);
    expect(await clicks("de", { reportType: "OFFER" })).toEqual([1]);
    expect(await clicks("ZZ")).toEqual([4]);
    expect(await clicks("US")).toEqual([]);
  });

  it("is empty where nothing was counted", async () => {
    const { publisher } = await makeInventory(h.db);
    expect(said(await ask(publisher.privateKey, range(day())))).toEqual([200, { success: true, data: [] }]);
  });

  it("adds up and splits by what is asked for, in any order and however often", async () => {
    const { publisher, site, placement: a } = await makeInventory(h.db, { placement: { name: "A" } });
    const b = await makePlacement(h.db, site.id, { name: "B" });
    const second = await makeSite(h.db, publisher.id);
    const c = await makePlacement(h.db, second.id, { name: "C" });
    await count(a.id, { clicks: 1 });
    await count(a.id, { clicks: 2, day: day(-1) });
    await count(a.id, { clicks: 4, country: "DE" });
    await count(b.id, { clicks: 8 });
    await count(c.id, { clicks: 16 });
    const split = async (asked: Asked) =>
      (await rows(publisher.privateKey, asked)).map((row) =>
        [
          row["siteName"] === second.name ? "2" : row["siteName"] && "1",
          row["placementName"],
          row["country"],
          row["clicks"],
        ]
          .filter((part) => part !== undefined)
          .join(" "),
      );
    const byPlacement = ["A 7", "B 8", "C 16"];
    expect(await split({})).toEqual(byPlacement);
    expect(await split({ groupBy: "PLACEMENT" })).toEqual(byPlacement);
    expect(await split({ reportType: "SITE" })).toEqual(["1 15", "2 16"]);
    expect(await split({ reportType: "SITE", groupBy: "COUNTRY" })).toEqual(["1 DE 4", "1 US 11", "2 US 16"]);
    const all = { groupBy: ["COUNTRY", "SITE", "COUNTRY"] };
    expect(await split(all)).toEqual(["1 A DE 4", "1 A US 3", "1 B US 8", "2 C US 16"]);
    expect((await split({ reportType: "SITE", groupBy: ["PLACEMENT", "COUNTRY"] })).toSorted()).toEqual(
      await split(all),
    );
    expect(await split({ placementId: a.id })).toEqual(["A 7"]);
    expect(await split({ siteId: site.id })).toEqual(["A 7", "B 8"]);
    expect(await split({ siteId: second.id, placementId: a.id })).toEqual([]);
  });

  it("says what share of customers goes on to the next offer, of those of whom it is known", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const silent = await makePlacement(h.db, site.id);
    await count(placement.id, { closes: 9, declines: 3, endings: 1 });
    await count(placement.id, { closes: 4, declines: 0, endings: 2, day: day(-1) });
    await count(silent.id, { closes: 5 });
    const token = publisher.privateKey;
    const goingOn = async (asked: Asked) =>
      (await rows(token, asked)).map((row) => [row["closes"], row["declines"], row["goOn"]]);
    expect(await goingOn({ placementId: placement.id })).toEqual([[13, 3, 0.5]]);
    expect(await goingOn({ placementId: placement.id, breakdownBy: "DAY" })).toEqual([
      [4, 0, 0],
      [9, 3, 0.75],
    ]);
    expect(await goingOn({ placementId: silent.id })).toEqual([[5, 0, null]]);
    expect(await goingOn({ reportType: "TOTAL" })).toEqual([[18, 3, 0.5]]);
    const { text } = await csv(token, { reportType: "TOTAL", placementId: silent.id });
    expect(text.split("\r\n")[1]).toBe("0,0,0,0,0,5,0,0,0,0,,0");
  });

  it("says nothing of others' placements, nor of unknown ones", async () => {
    const own = await makeInventory(h.db);
    const other = await makeInventory(h.db);
    for (const { placement } of [own, other]) await count(placement.id, { clicks: 1 });
    for (const id of [other.placement.id, newId("placement"), "plc_1", "'"]) {
      expect(await rows(own.publisher.privateKey, { placementId: id })).toEqual([]);
    }
    for (const id of [other.site.id, newId("site"), "site_1"]) {
      expect(await rows(own.publisher.privateKey, { siteId: id })).toEqual([]);
    }
    expect(await rows(own.publisher.privateKey, {})).toMatchObject([{ placementId: own.placement.id, clicks: 1 }]);
  });

  it("keeps what was earned where a placement or a site is gone, without its name", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const gone = await makePlacement(h.db, site.id, { status: "inactive" });
    const goneSite = await makeSite(h.db, publisher.id);
    const below = await makePlacement(h.db, goneSite.id, { status: "inactive" });
    for (const [i, { id }] of [placement, gone, below].entries()) await count(id, { revenueMicros: 700_000 * (i + 1) });
    const revenue = async (asked: Asked) =>
      (await rows(publisher.privateKey, asked)).reduce((sum, row) => sum + Number(row["revenue"]), 0);
    expect(await revenue({})).toBeCloseTo(4.2, 6);
    const token = publisher.privateKey;
    expect((await api(h, "DELETE", `/api/placements/${gone.id}`, { token })).status).toBe(200);
    expect((await api(h, "DELETE", `/api/site/${goneSite.id}`, { token })).status).toBe(200);
    expect(await revenue({})).toBeCloseTo(4.2, 6);
    expect(await rows(token, { placementId: gone.id })).toMatchObject([{ placementName: null, revenue: 1.4 }]);
    expect(await rows(token, { siteId: site.id, reportType: "SITE" })).toMatchObject([
      { siteId: site.id, siteName: site.name, revenue: 2.1 },
    ]);
    expect(await rows(token, { groupBy: "SITE", siteId: goneSite.id })).toMatchObject([
      { siteId: goneSite.id, siteName: null, placementId: below.id, placementName: null, revenue: 2.1 },
    ]);
  });

  it("keeps what is counted late at a placement that is gone", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, { bidMicros: 500_000 });
    await recordHits(h.db, [makeHit({ offerId, placementId: placement.id })]);
    await h.rows("delete from placements where id = $1", [placement.id]);
    const country = "DE";
    await recordHits(h.db, [makeHit({ offerId, placementId: placement.id, country })]);
    const hour = Date.now();
    const asked = { hour, placementId: placement.id, country, arm: "0", requests: 3, fills: 3, reasons: {} };
    await recordRequests(h.db, [{ id: newId("event"), rows: [asked], facts: [] }]);
    expect(await rows(publisher.privateKey, { groupBy: "COUNTRY" })).toMatchObject([
      { country, requests: 3, clicks: 1, revenue: 0.35 },
      { country: "US", clicks: 1, revenue: 0.35 },
    ]);
  });

  it.each([
    // A thousand times 1,999 × 0.3333, which is 666.2667; truncated to 666 each time, it was 0.666.
    [
      "a thousand impressions",
      "impression",
      { pricing: "CPM", bidMicros: 1_999_000, publisherShareBps: 3_333 },
      0.666267,
    ],
    // Truncated to whole micros, each of these was nothing.
    [
      "ten thousand clicks of a micro-dollar",
      "click",
      { pricing: "CPC", bidMicros: 1, publisherShareBps: 3_300 },
      0.0033,
    ],
  ] as const)("loses nothing of the shares of %s to rounding", async (what, kind, columns, revenue) => {
    const { publisher, placement } = await makeInventory(h.db);
    const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, columns);
    const size = kind === "click" ? 10_000 : 1_000;
    const hits = Array.from({ length: size }, () => makeHit({ offerId, placementId: placement.id, kind }));
    for (let i = 0; i < size; i += 500) await recordHits(h.db, hits.slice(i, i + 500));
    expect([what, await rows(publisher.privateKey, {})]).toMatchObject([what, [{ [`${kind}s`]: size, revenue }]]);
    const [exact] = await h.rows<{ micros: string }>(
      "select sum(revenue_micros)::text as micros from daily_counters where offer_id = $1",
      [offerId],
    );
    expect(Number(exact?.micros)).toBe((size * columns.publisherShareBps * (kind === "click" ? 1 : 1_999)) / 10_000);
  });

  it("breaks days down to weeks from Monday, to months or to nothing", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const monday = day(-28 - ((new Date().getUTCDay() + 6) % 7));
    const first = `${day(-40).slice(0, 7)}-01`;
    const days = [...new Set([first, before(first), monday, before(monday)])].toSorted();
    for (const on of days) await count(placement.id, { day: on, clicks: 1 });
    const dates = async (breakdownBy: string) =>
      (await rows(publisher.privateKey, { ...range(day(-120), day()), breakdownBy })).map((row) => row["date"]);
    const weeks = days.map((on) => before(on, (new Date(on).getUTCDay() + 6) % 7));
    expect(await dates("DAY")).toEqual(days);
    expect(await dates("WEEK")).toEqual([...new Set(weeks)]);
    expect(await dates("MONTH")).toEqual([...new Set(days.map((on) => `${on.slice(0, 7)}-01`))]);
    expect(await dates("NONE")).toEqual([undefined]);
    expect(weeks).toContain(monday);
  });
});
