import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocuments } from "../../../db/documents/build.ts";
import type { CandidatesDocument, NetworkDocument } from "../../../db/documents/types.ts";
import { newId } from "../../../db/core/ids.ts";
import { DAY } from "../../support/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeUsage } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  const [category] = await h.rows<{ id: string }>("select id from categories order by id limit 1");
  const site = { categoryId: category?.id ?? "", ageDemographics: "AGE_25_34", genderDemographics: "MIXED" } as const;
  inventory = await makeInventory(h.db, { site });
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const candidates = async (country = "US"): Promise<string[]> => {
  const key = `candidates:${inventory.placement.id}:${country}` as const;
  const value = (await buildDocuments(h.db, [key])).get(key)?.value as CandidatesDocument;
  return value.offers.map((offer) => offer.id);
};
const offersDocument = async () => (await buildDocuments(h.db, ["network"])).get("network")?.value as NetworkDocument;
const use = (offerId: string, used: number, daysAgo: number) =>
  makeUsage(h.db, offerId, new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10), used);

describe("buildDocuments", () => {
  it("builds all kinds in one round trip, and null for what does not exist", async () => {
    const { placement, publisher, site } = inventory;
    const unknown = newId("placement");
    h.database.trips.length = 0;
    const documents = await buildDocuments(h.db, [
      `placement:${placement.id}`,
      `key:${publisher.publicKey}`,
      `candidates:${placement.id}:US`,
      "network",
      `placement:${unknown}`,
      `candidates:${unknown}:US`,
      "key:lan_pk_unknown",
    ]);
    expect(h.database.trips).toHaveLength(1);
    expect(documents.get(`placement:${placement.id}`)?.value).toEqual({
      status: "active",
      isLiveMode: true,
      data: {},
      siteId: site.id,
      siteName: site.name,
      siteStatus: "active",
      siteAdsEnabled: true,
      publisherId: publisher.id,
    });
    expect(documents.get(`key:${publisher.publicKey}`)?.value).toEqual({
      publisherId: publisher.id,
      status: "active",
      adsEnabled: true,
      expiresAt: null,
    });
    for (const key of [`placement:${unknown}`, `candidates:${unknown}:US`, "key:lan_pk_unknown"] as const) {
      expect(documents.get(key)?.value).toBeNull();
    }
    expect(new Set([...documents.values()].map(({ builtAt }) => builtAt)).size).toBe(1);
  });

  it("survives subjects that look like SQL", async () => {
    const key = "placement:' or true --" as const;
    expect((await buildDocuments(h.db, [key])).get(key)?.value).toBeNull();
  });
});

describe("candidates", () => {
  const elsewhere = { categoryIds: ["none"], includePublishers: ["pub_none"], includeSites: ["site_none"] };
  it.each<[string, boolean, () => Parameters<typeof makeOffer>[2]]>([
    ["open to all", true, () => ({})],
    ["for the country", true, () => ({ countries: ["DE", "US"] })],
    ["for other countries", false, () => ({ countries: ["DE"] })],
    ["for the site's category", true, () => ({ categoryIds: [inventory.site.categoryId ?? ""] })],
    ["for another category", false, () => ({ categoryIds: elsewhere.categoryIds })],
    ["for the site's age group", true, () => ({ ageDemographics: ["AGE_18_24", "AGE_25_34"] })],
    ["for another age group", false, () => ({ ageDemographics: ["AGE_65_PLUS"] })],
    ["for the site's gender", true, () => ({ genderDemographics: ["MIXED"] })],
    ["for another gender", false, () => ({ genderDemographics: ["MALE"] })],
    ["for the publisher", true, () => ({ includePublishers: [inventory.publisher.id] })],
    ["for another publisher", false, () => ({ includePublishers: elsewhere.includePublishers })],
    ["without the publisher", false, () => ({ excludePublishers: [inventory.publisher.id] })],
    ["for the site", true, () => ({ includeSites: [inventory.site.id] })],
    ["for another site", false, () => ({ includeSites: elsewhere.includeSites })],
    ["without the site", false, () => ({ excludeSites: [inventory.site.id] })],
    ["that starts in a minute", true, () => ({ startsAt: new Date(Date.now() + 60_000) })],
    ["that starts tomorrow", false, () => ({ startsAt: new Date(Date.now() + DAY) })],
    ["that ends in a minute", true, () => ({ endsAt: new Date(Date.now() + 60_000) })],
    ["that has ended", false, () => ({ endsAt: new Date(Date.now() - 1) })],
    ["that is paused", false, () => ({ status: "paused" })],
    ["that is archived", false, () => ({ status: "archived" })],
  ])("of an offer %s: %s", async (_, admitted, overrides) => {
    const { id } = await makeOffer(h.db, advertiserId, overrides());
    expect((await candidates()).includes(id)).toBe(admitted);
    await h.rows("delete from offers where id = $1", [id]);
  });

  it("leave out an offer whose lifetime cap is used up", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 3 });
    await use(id, 2, 40);
    expect(await candidates()).toContain(id);
    await use(id, 1, 1);
    expect(await candidates()).not.toContain(id);
  });

  it("leave out a paused advertiser's offers", async () => {
    const advertiser = await makeAdvertiser(h.db, { status: "paused" });
    const { id } = await makeOffer(h.db, advertiser.id);
    expect(await candidates()).not.toContain(id);
  });

  it("are the fifty best, best first", async () => {
    const offers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        makeOffer(h.db, advertiserId, { countries: ["IS"], ecpmMicros: 10_000 + i }),
      ),
    );
    const best = offers.toSorted((a, b) => b.ecpmMicros - a.ecpmMicros).map((offer) => offer.id);
    expect(await candidates("IS")).toHaveLength(50);
    const own = (await candidates("IS")).filter((id) => best.includes(id));
    expect(own).toEqual(best.slice(0, own.length));
    expect(await candidates("US")).not.toContain(best[0]);
  });
});

describe("the offers document", () => {
  it("names what is stopped, and until when", async () => {
    const make = async (overrides: Parameters<typeof makeOffer>[2]) =>
      (await makeOffer(h.db, advertiserId, overrides)).id;
    const paused = await make({ status: "paused" });
    const changedAt = new Date(Date.now() - 3 * DAY);
    const unchanged = await makeAdvertiser(h.db, { changedAt });
    const longPaused = (await makeOffer(h.db, unchanged.id, { status: "paused", changedAt })).id;
    const daily = await make({ dailyCap: 2 });
    const dailyYesterday = await make({ dailyCap: 2 });
    const lifetime = await make({ lifetimeCap: 5 });
    const both = await make({ dailyCap: 2, lifetimeCap: 5 });
    await use(daily, 2, 0);
    await use(dailyYesterday, 2, 1);
    await use(lifetime, 4, 1);
    await use(lifetime, 1, 0);
    await use(both, 3, 1);
    await use(both, 2, 0);
    const pausedToday = await makeAdvertiser(h.db, { status: "paused" });
    const ofPaused = (await makeOffer(h.db, pausedToday.id, { dailyCap: 1, changedAt })).id;
    const longPausedOfPaused = (await makeOffer(h.db, pausedToday.id, { status: "paused", changedAt })).id;
    await use(ofPaused, 1, 0);
    const pausedLongAgo = await makeAdvertiser(h.db, { status: "archived", changedAt });
    const ofLongPaused = (await makeOffer(h.db, pausedLongAgo.id)).id;
    const { stopped } = await offersDocument();
    const midnight = (Math.floor(Date.now() / DAY) + 1) * DAY;
    expect(stopped).toMatchObject({ [paused]: 0, [ofPaused]: 0, [daily]: midnight, [lifetime]: 0, [both]: 0 });
    for (const id of [longPaused, longPausedOfPaused, ofLongPaused, dailyYesterday]) {
      expect(stopped).not.toHaveProperty(id);
    }
  });

  it("tells when an offer or an advertiser was last changed", async () => {
    const at = Date.now() + 60_000;
    await makeOffer(h.db, advertiserId, { changedAt: new Date(at) });
    expect(await offersDocument()).toMatchObject({ changedAt: at });
  });
});
