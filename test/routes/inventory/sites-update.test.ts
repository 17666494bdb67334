import { beforeAll, describe, expect, it } from "vitest";
import { categoryIdOf } from "../../../db/demo/network.ts";
import { api, dataOf } from "../../support/api.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePublisher, makeSite } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

const FOOTWEAR = categoryIdOf("apparel-and-fashion/footwear");

/** Holds what a site may lack: as it is sent, and as it is in the database. */
const FACTS = {
  description: "Boots and laces",
  orderVolume: 1_200,
  averageOrder: 84.5,
  ageDemographics: "AGE_25_34",
  genderDemographics: "MIXED",
  domain: "boots.example",
} as const;

const COLUMNS: Record<string, string> = { categoryName: "category_id" };
const columnOf = (field: string) =>
  COLUMNS[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Makes a site of a publisher of its own that lacks nothing, and what changes it and reads its row. */
const makeFull = async () => {
  const { id: publisherId, privateKey: token } = await makePublisher(h.db);
  const { id } = await makeSite(h.db, publisherId, { ...FACTS, categoryId: FOOTWEAR });
  const put = (body: object, headers = {}) => api(h, "PUT", `/api/site/${id}`, { token, body, headers });
  const read = () => api(h, "GET", `/api/site/${id}`, { token });
  const row = async () => (await h.rows("select * from sites where id = $1", [id]))[0];
  return { id, put, read, row };
};

describe("PUT /api/site/:id with null", () => {
  it.each([...Object.keys(FACTS), "categoryName"])("takes %s away, and nothing else", async (field) => {
    const { put, read, row } = await makeFull();
    const before = await row();
    const { headers } = await read();
    expect((await put({ [field]: null })).status).toBe(200);
    expect(await row()).toEqual({
      ...before,
      [columnOf(field)]: null,
      updated_at: expect.any(Date),
      facts_changed_at: expect.any(Date),
    });
    expect((await read()).headers.get("etag")).not.toBe(headers.get("etag"));
  });

  it("changes nothing where there is nothing", async () => {
    const { put, read, row } = await makeFull();
    const all = Object.fromEntries([...Object.keys(FACTS), "categoryName"].map((field) => [field, null]));
    expect(dataOf(await put(all))).toMatchObject({ orderVolume: null, averageOrder: null });
    const before = await row();
    expect((await put(all)).status).toBe(200);
    expect(await row()).toEqual(before);
    expect(dataOf(await read())).toMatchObject({ description: null, category: null, domain: null });
  });

  const TARGETED: [field: string, targeting: Parameters<typeof makeOffer>[2]][] = [
    ["categoryName", { categoryIds: [FOOTWEAR] }],
    ["ageDemographics", { ageDemographics: [FACTS.ageDemographics] }],
    ["genderDemographics", { genderDemographics: [FACTS.genderDemographics] }],
  ];

  it.each(TARGETED)("ends offers for its %s at its placements", async (field, targeting) => {
    const { publisher, site, placement } = await makeInventory(h.db, {
      site: { ...FACTS, categoryId: FOOTWEAR },
    });
    const { id: advertiser } = await makeAdvertiser(h.db);
    const offer = await makeOffer(h.db, advertiser, { includeSites: [site.id], ...targeting });
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", count: "20" };
    const isShown = async () => (await askOffers(h, asked)).ids.includes(offer.id);
    expect(await isShown()).toBe(true);
    const body = { [field]: null };
    expect((await api(h, "PUT", `/api/site/${site.id}`, { token: publisher.privateKey, body })).status).toBe(200);
    await h.until(isShown, (shown) => !shown);
  });
});
