import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocuments } from "../../../db/documents/build.ts";
import type { DocumentKey } from "../../../db/documents/keys.ts";
import type { CandidatesDocument, NetworkDocument } from "../../../db/documents/types.ts";
import { newId } from "../../../db/core/ids.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeUsage } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
const use = (offerId: string, used: number, daysAgo: number) =>
  makeUsage(h.db, offerId, new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10), used);
const networkDocument = async () => (await buildDocuments(h.db, ["network"])).get("network")?.value as NetworkDocument;
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
      factsChangedAt: expect.any(Number) as unknown,
    });
    expect(documents.get(`key:${publisher.publicKey}`)?.value).toEqual({
      publisherId: publisher.id,
      status: "active",
      adsEnabled: true,
      holdoutPercent: 0,
      expiresAt: null,
    });
    for (const key of [`placement:${unknown}`, `candidates:${unknown}:US`, "key:lan_pk_unknown"] as const) {
      expect(documents.get(key)?.value).toBeNull();
    }
    expect(new Set([...documents.values()].map(({ builtAt }) => builtAt)).size).toBe(1);
  });

  it("builds nothing in place of a kind that a newer version noted", async () => {
    await expect(buildDocuments(h.db, ["other:1" as DocumentKey])).rejects.toThrow("no kind of document: other");
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
});

type Changed = { serial: number; changed: number; created: number };
const changedAt = async (table: "offers" | "advertisers", id: string) => {
  const [row] = await h.rows<Changed>(
    `select serial, floor(extract(epoch from changed_at) * 1000)::float8 as changed,
      floor(extract(epoch from created_at) * 1000)::float8 as created from ${table} where id = $1`,
    [id],
  );
  if (!row) throw new Error("no such row");
  return row;
};
/** When a serial's last change is listed; undefined where it is not. */
const listed = (network: NetworkDocument, list: "offers" | "advertisers", serial: number) => {
  const group = network[list].find(([, ...serials]) => serials.includes(serial));
  return group && network.since + (group[0] ?? Number.NaN);
};
const make = (overrides: Parameters<typeof makeOffer>[2] = {}) => makeOffer(h.db, advertiserId, overrides);
const past = new Date(Date.now() - 60_000);

describe("the network's document", () => {
  it("begins to list 25 hours ago", async () => {
    const { since } = await networkDocument();
    expect(Math.abs(Date.now() - 25 * HOUR - since)).toBeLessThan(MINUTE);
  });

  it.each([
    ["a pause", "status = 'paused'"],
    ["an end", "ends_at = now()"],
    ["a destination", "destination_url = 'https://elsewhere.example/'"],
    ["a country", "countries = '{DE}'"],
    ["a language", "languages = '{de}'"],
    ["a currency", "currencies = '{EUR}'"],
    ["an amount", "currencies = '{EUR}', amount_min = 5"],
    ["a payment type", "payment_types = '{paypal}'"],
    ["a category", "category_ids = '{x}'"],
    ["an age", "age_demographics = '{AGE_18_24}'"],
    ["a gender", "gender_demographics = '{MALE}'"],
    ["an included site", "include_sites = '{site_x}'"],
    ["an excluded publisher", "exclude_publishers = '{pub_x}'"],
    ["a cap that was reached", "daily_cap = 1, capped_through = (now() at time zone 'UTC')::date"],
  ])("lists an offer after the change of %s, by the time that candidates are built with", async (_, change) => {
    const offer = await make();
    const before = await changedAt("offers", offer.id);
    expect(listed(await networkDocument(), "offers", before.serial)).toBeUndefined();
    await h.rows(`update offers set ${change} where id = $1`, [offer.id]);
    const { serial, changed } = await changedAt("offers", offer.id);
    expect(changed).toBeGreaterThan(before.changed);
    expect(listed(await networkDocument(), "offers", serial)).toBe(changed);
  });

  it.each([
    ["a title", "title = 'Another'"],
    ["a bid", "bid_micros = 7000, ecpm_micros = 7"],
    ["a priority", "priority = 9"],
    ["nothing", "status = status, changed_at = now()"],
    ["a cap that was left", "capped_through = null"],
  ])("does not list an offer after the change of %s", async (_, change) => {
    const offer = await make();
    await h.rows(`update offers set ${change} where id = $1`, [offer.id]);
    const { serial, changed, created } = await changedAt("offers", offer.id);
    expect(changed).toBe(created);
    expect(listed(await networkDocument(), "offers", serial)).toBeUndefined();
  });

  it("lists two changes within a millisecond as two", async () => {
    const offer = await make();
    await h.rows("update offers set status = 'paused' where id = $1", [offer.id]);
    const first = await changedAt("offers", offer.id);
    await h.rows("update offers set status = 'active' where id = $1", [offer.id]);
    expect((await changedAt("offers", offer.id)).changed).toBeGreaterThan(first.changed);
  });

  it("lists a stopped advertiser once, and none of its offers", async () => {
    const advertiser = await makeAdvertiser(h.db);
    const offers = await Promise.all(Array.from({ length: 5 }, () => makeOffer(h.db, advertiser.id)));
    await h.rows("update advertisers set status = 'paused' where id = $1", [advertiser.id]);
    const { serial, changed } = await changedAt("advertisers", advertiser.id);
    const network = await networkDocument();
    expect(listed(network, "advertisers", serial)).toBe(changed);
    for (const { serial: own } of offers) expect(listed(network, "offers", own)).toBeUndefined();
    await h.rows("update advertisers set name = $2 where id = $1", [advertiser.id, `Renamed ${advertiser.id}`]);
    expect((await changedAt("advertisers", advertiser.id)).changed).toBe(changed);
  });

  it("lists a deleted offer", async () => {
    const { id, serial } = await make();
    await h.rows("delete from offers where id = $1", [id]);
    expect(listed(await networkDocument(), "offers", serial)).toBeGreaterThan(past.getTime());
  });

  it("lists what the requests are asked for by offers that may serve", async () => {
    await make({ languages: ["qq"], currencies: ["ZAR"], paymentTypes: ["crypto"] });
    const { targeted } = await networkDocument();
    expect(targeted.languages).toContain("qq");
    expect(targeted.languages).not.toContain("qp");
    expect(targeted.currencies).toContain("ZAR");
    expect(targeted.paymentTypes).toContain("crypto");
  });
});

const facts = async (key: DocumentKey) => {
  const value = (await buildDocuments(h.db, [key])).get(key)?.value as { factsChangedAt: number };
  return value.factsChangedAt;
};

describe("a change of a site", () => {
  it.each([
    ["category_id = null", true],
    ["age_demographics = 'AGE_65_PLUS'", true],
    ["gender_demographics = 'FEMALE'", true],
    ["status = 'inactive', name = 'Renamed', ads_enabled = false", false],
  ])("to %s is told by its documents: %s", async (change, isTold) => {
    const { placement, site } = await makeInventory(h.db, {
      site: { categoryId: inventory.site.categoryId, ageDemographics: "AGE_25_34", genderDemographics: "MIXED" },
    });
    const keys = [`placement:${placement.id}`, `candidates:${placement.id}:US`] as const;
    const before = await Promise.all(keys.map(facts));
    expect(before[0]).toBe(before[1]);
    await h.rows(`update sites set ${change} where id = $1`, [site.id]);
    const after = await Promise.all(keys.map(facts));
    expect(after[0]).toBe(after[1]);
    expect((after[0] ?? 0) > (before[0] ?? 0)).toBe(isTold);
  });
});
