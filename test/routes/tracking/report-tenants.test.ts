import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform, makePublisher } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { ALL, day, range, reporting } from "../../support/tracking/reporting.ts";

const BACKFILL = readFileSync("db/migrations/0030_former_publishers.sql", "utf8").split("statement-breakpoint").at(-1)!;

let h: Harness;
const { count, grant, rows } = reporting(() => h);

beforeAll(async () => {
  h = await sharedHarness();
});

/** Makes a platform whose publisher has counters, and so has an offer of another platform there. */
const makePlatformWithTraffic = async () => {
  const platform = await makePlatform(h.db);
  const inventory = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  await count(inventory.placement.id, ALL);
  return { platform, ...inventory };
};

describe("who reads a report", () => {
  it("is a platform for its publishers, with all their money", async () => {
    const own = await makePlatformWithTraffic();
    const other = await makePlatformWithTraffic();
    const second = await makeInventory(h.db, { publisher: { platformId: own.platform.id } });
    await count(second.placement.id, { clicks: 1, impressions: 1 });
    const found = await rows(own.platform.token, { reportType: "PUBLISHER" });
    const expected = [
      {
        publisherId: own.publisher.id,
        publisherName: own.publisher.name,
        requests: 100,
        gross: 5.000001,
        profit: 1.500001,
        revenue: 3.5,
      },
      { publisherId: second.publisher.id, publisherName: second.publisher.name, requests: 0, clicks: 1, gross: 0 },
    ];
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining(expected.map((row) => expect.objectContaining(row))));
    expect(await rows(own.platform.token, { publisherId: other.publisher.id })).toEqual([]);
    expect(await rows(own.platform.token, { siteId: other.site.id, reportType: "SITE" })).toEqual([]);
    expect(await rows(own.platform.token, { publisherId: second.publisher.id })).toMatchObject([
      { placementId: second.placement.id, clicks: 1 },
    ]);
    const total = { closes: 7, declines: 4, goOn: 0.666667 };
    expect(await rows(own.platform.token, { reportType: "TOTAL" })).toMatchObject([total]);
  });

  it("is a platform for publishers that are gone, with what they earned", async () => {
    const own = await makePlatformWithTraffic();
    const other = await makePlatform(h.db);
    await h.rows("update placements set status = 'inactive' where id = $1", [own.placement.id]);
    const { id } = own.publisher;
    const reports = (token: string) =>
      Promise.all(
        [{ reportType: "TOTAL" }, { reportType: "TOTAL", publisherId: id }].map((asked) => rows(token, asked)),
      );
    const before = await reports(own.platform.token);
    expect(before).toMatchObject([[{ requests: 100, gross: 5.000001 }], [{ requests: 100, gross: 5.000001 }]]);
    const { privateKey: token } = own.publisher;
    expect((await api(h, "DELETE", `/api/v1/publishers/${id}`, { token })).status).toBe(200);
    expect(await reports(own.platform.token)).toEqual(before);
    expect(await rows(own.platform.token, { reportType: "PUBLISHER" })).toMatchObject([
      { publisherId: id, publisherName: null, requests: 100 },
    ]);
    expect(await rows(other.token, { reportType: "PUBLISHER" })).toEqual([]);
    expect(await rows(other.token, { publisherId: id })).toEqual([]);
    // Of one that was deleted before this was kept, the audit tells.
    await h.rows("delete from former_publishers where id = $1", [id]);
    await h.rows(BACKFILL);
    expect(await reports(own.platform.token)).toEqual(before);
  });

  it("is the administrator for all", async () => {
    const { publisher, placement } = await makePlatformWithTraffic();
    expect(await rows(SECRETS.ADMIN_TOKEN, { placementId: placement.id, groupBy: "PUBLISHER" })).toMatchObject([
      { publisherId: publisher.id, placementId: placement.id, requests: 100, goOn: 0.666667, gross: 5.000001 },
    ]);
  });

  it("is a publisher for itself, with the money that its token may see", async () => {
    const own = await makePlatformWithTraffic();
    const other = await makePlatformWithTraffic();
    await grant(own.publisher.id, false, false);
    const token = own.publisher.privateKey;
    const [row = {}, ...more] = await rows(token, { reportType: "PUBLISHER" });
    expect(more).toEqual([]);
    expect(row).toMatchObject({ publisherId: own.publisher.id, requests: 100 });
    expect(Object.keys(row)).not.toEqual(expect.arrayContaining(["gross"]));
    expect(row).not.toHaveProperty("revenue");
    expect(await rows(token, { publisherId: other.publisher.id })).toEqual([]);
  });
});

const names = (row: Record<string, unknown>) =>
  ["offerName", "advertiserName", "requests", "impressions"].map((name) => row[name]);

describe("a report of offers", () => {
  it("names offers and advertisers, and has no requests", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const advertiser = await makeAdvertiser(h.db);
    const offer = await makeOffer(h.db, advertiser.id);
    const gone = newId("offer");
    await count(placement.id, { offerId: "", requests: 7, fills: 6 });
    await count(placement.id, { offerId: offer.id, advertiserId: advertiser.id, impressions: 4, clicks: 1 });
    await count(placement.id, { offerId: gone, advertiserId: advertiser.id, impressions: 2 });
    const token = publisher.privateKey;
    const byOffer = await rows(token, { reportType: "OFFER", groupBy: "ADVERTISER" });
    expect(byOffer.map(names)).toEqual(
      expect.arrayContaining([
        [offer.name, advertiser.name, undefined, 4],
        [null, advertiser.name, undefined, 2],
      ]),
    );
    expect(byOffer).toHaveLength(2);
    expect(await rows(token, { reportType: "ADVERTISER" })).toMatchObject([
      { advertiserId: advertiser.id, impressions: 6 },
    ]);
    expect(await rows(token, { offerId: offer.id })).toMatchObject([{ placementId: placement.id, impressions: 4 }]);
    expect(await rows(token, { advertiserId: advertiser.id, reportType: "TOTAL" })).toMatchObject([{ impressions: 6 }]);
    expect(await rows(token, { reportType: "TOTAL" })).toMatchObject([{ requests: 7, fills: 6, impressions: 6 }]);
  });
});

describe("a total, and days without traffic", () => {
  it("has one row of zeros where there is nothing at all", async () => {
    const publisher = await makePublisher(h.db);
    const none = {
      requests: 0,
      fills: 0,
      impressions: 0,
      viewable: 0,
      clicks: 0,
      closes: 0,
      declines: 0,
      conversions: 0,
      transactions: 0,
      ctr: 0,
      goOn: null,
      revenue: 0,
    };
    expect(await rows(publisher.privateKey, { reportType: "TOTAL" })).toEqual([none]);
    const days = { ...range(day(-1), day()), reportType: "TOTAL", breakdownBy: "DAY" };
    expect(await rows(publisher.privateKey, days)).toEqual([]);
    expect(await rows(publisher.privateKey, { ...days, fill: "true" })).toEqual([
      { date: day(-1), ...none },
      { date: day(), ...none },
    ]);
  });

  it("are filled with zeros for whatever has a row", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    await count(placement.id, { day: day(-2), clicks: 2 });
    const asked = { ...range(day(-3), day()), breakdownBy: "DAY" };
    const clicks = async (fill: string) =>
      (await rows(publisher.privateKey, { ...asked, fill })).map((row) => [
        row["date"],
        row["placementName"],
        row["clicks"],
      ]);
    expect(await clicks("false")).toEqual([[day(-2), placement.name, 2]]);
    expect(await clicks("true")).toEqual(
      [-3, -2, -1, 0].map((offset) => [day(offset), placement.name, offset === -2 ? 2 : 0]),
    );
    expect(await rows(publisher.privateKey, { ...asked, breakdownBy: "NONE", fill: "true" })).toMatchObject([
      { clicks: 2 },
    ]);
  });
});
