import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, disallowed, idOf, said, taken, timestamp, wrapped } from "../../support/api.ts";
import { requestOffers } from "../../support/ask-offers.ts";
import { makeInventory, makePublisher, makeSite } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let token: string;
let publisherId: string;

beforeAll(async () => {
  h = await sharedHarness();
  const publisher = await makePublisher(h.db);
  token = publisher.privateKey;
  publisherId = publisher.id;
});

const nameOf = () => `Site ${newId("site")}`;
const create = (body: object) => api(h, "POST", "/api/site", { token, body });
const rowOf = async (id: string) => {
  const [row] = await h.rows("select * from sites where id = $1", [id]);
  return row;
};

const CATEGORY = {
  id: expect.any(String),
  name: "Apparel and Fashion > Footwear",
  path: "apparel-and-fashion/footwear",
  taxonomyId: "1.2",
};
const INPUT = {
  description: "Boots and laces",
  orderVolume: 1200,
  averageOrder: 84.5,
  ageDemographics: "AGE_25_34",
  genderDemographics: "MIXED",
  domain: "boots.example",
  status: "active",
  categoryName: "Apparel and Fashion > Footwear",
};
const { categoryName: _, ...STORED } = INPUT;
const FULL = { ...STORED, adsEnabled: true, category: CATEGORY, createdAt: timestamp, updatedAt: timestamp };
const BARE = {
  description: null,
  orderVolume: null,
  averageOrder: null,
  ageDemographics: null,
  genderDemographics: null,
  domain: null,
  status: "pending",
  adsEnabled: true,
  category: null,
  createdAt: timestamp,
  updatedAt: timestamp,
};
const created = (data: object) => ({ success: true, data, message: "Site created successfully" });

describe("POST /api/site", () => {
  it("answers with every field, and GET with the same", async () => {
    const name = nameOf();
    const answer = await create({ name, ...INPUT });
    expect(said(answer)).toEqual([201, created({ id: idOf("site"), name, ...FULL })]);
    const data = dataOf<{ id: string }>(answer);
    const read = await api(h, "GET", `/api/site/${data.id}`, { token });
    expect(said(read)).toEqual([200, { success: true, data }]);
  });

  it("needs a name only: all else is null, the status pending", async () => {
    const name = nameOf();
    expect(said(await create({ name }))).toEqual([201, created({ id: idOf("site"), name, ...BARE })]);
  });

  it("leaves one row of the publisher", async () => {
    const name = nameOf();
    const { id, category } = dataOf<{ id: string; category: { id: string } }>(await create({ name, ...INPUT }));
    expect(await rowOf(id)).toEqual({
      id,
      publisher_id: publisherId,
      name,
      description: "Boots and laces",
      order_volume: "1200",
      average_order: 84.5,
      age_demographics: "AGE_25_34",
      gender_demographics: "MIXED",
      domain: "boots.example",
      status: "active",
      ads_enabled: true,
      category_id: category.id,
      facts_changed_at: expect.any(Date),
      created_at: expect.any(Date),
      updated_at: expect.any(Date),
    });
  });

  it.each(["active", "inactive"])("may be given the status %s", async (status) => {
    expect(dataOf(await create({ name: nameOf(), status }))).toHaveProperty("status", status);
  });

  it("finds a site of that name and leaves it as it is", async () => {
    const name = nameOf();
    const first = await create({ name, ...INPUT });
    const { id } = dataOf<{ id: string }>(first);
    const before = await rowOf(id);
    for (const body of [{ name }, { name: `  ${name}\n`, orderVolume: 1, status: "inactive" }]) {
      expect(said(await create(body))).toEqual([200, first.json]);
    }
    expect(await rowOf(id)).toEqual(before);
    expect(await h.rows("select id from sites where name = $1", [name])).toEqual([{ id }]);
  });

  it("takes a name that another publisher's site has, and one that differs in case", async () => {
    const { site } = await makeInventory(h.db);
    expect((await create({ name: site.name })).status).toBe(201);
    expect((await create({ name: site.name.toUpperCase() })).status).toBe(201);
  });

  it.each([
    "Footwear",
    "apparel and fashion > footwear",
    " Apparel and Fashion > Footwear",
    "Apparel and Fashion >  Footwear",
    "Apparel and Fashion",
    "",
    "nul \0 nul",
    "half a \ud83d surrogate pair",
    5,
    null,
  ])("refuses the category %j and makes nothing", async (categoryName) => {
    const name = nameOf();
    const refusal = disallowed("categoryName", categoryName, "name of an existing category");
    expect(said(await create({ name, categoryName }))).toEqual(refusal);
    expect(await h.rows("select id from sites where name = $1", [name])).toEqual([]);
  });
});

const jobsOf = (id: string) =>
  h.rows("select status, attempts, zone_id from partner_zone_jobs where site_id = $1", [id]);

describe("the partner zone of a new site", () => {
  it.each([
    [{}, [{ status: "skipped", attempts: 0, zone_id: null }]],
    [{ createPartnerZone: true }, [{ status: "skipped", attempts: 0, zone_id: null }]],
    [{ createPartnerZone: false }, []],
  ])("is asked for by %j", async (input, jobs) => {
    const { id } = dataOf<{ id: string }>(await create({ name: nameOf(), ...input }));
    expect(await jobsOf(id)).toEqual(jobs);
  });

  it("is not asked for when the site was there", async () => {
    const name = nameOf();
    const { id } = dataOf<{ id: string }>(await create({ name, createPartnerZone: false }));
    expect((await create({ name, createPartnerZone: true })).status).toBe(200);
    expect(await jobsOf(id)).toEqual([]);
  });
});

const update = (id: string, body: object) => api(h, "PUT", `/api/site/${id}`, { token, body });

describe("PUT /api/site/:id", () => {
  it("takes every field, and answers with five members", async () => {
    const { id } = await makeSite(h.db, publisherId);
    const name = nameOf();
    expect(said(await update(id, { ...INPUT, name: ` ${name} ` }))).toEqual([
      200,
      {
        success: true,
        data: { id, name, orderVolume: 1200, averageOrder: 84.5, updatedAt: timestamp },
        message: "Site updated successfully",
      },
    ]);
    expect(dataOf(await api(h, "GET", `/api/site/${id}`, { token }))).toEqual({ id, name, ...FULL });
  });

  it.each([{}, { createPartnerZone: true }, { adsEnabled: false, id: "x", publisherId: "y" }])(
    "changes nothing but the time by %j",
    async (body) => {
      const { id, name } = await makeSite(h.db, publisherId);
      const before = await rowOf(id);
      const nothing = { id, name, orderVolume: null, averageOrder: null, updatedAt: timestamp };
      expect(dataOf(await update(id, body))).toEqual(nothing);
      expect(await rowOf(id)).toEqual({ ...before, updated_at: expect.any(Date) });
      expect(await h.rows("select * from partner_zone_jobs where site_id = $1", [id])).toEqual([]);
    },
  );

  it("refuses a sibling's name, takes its own and another publisher's", async () => {
    const sibling = await makeSite(h.db, publisherId);
    const stranger = await makeInventory(h.db);
    const { id, name } = await makeSite(h.db, publisherId);
    expect(said(await update(id, { name: `${sibling.name} `, orderVolume: 5 }))).toEqual(taken("Site", sibling.name));
    expect(await rowOf(id)).toMatchObject({ name, order_volume: null });
    expect((await update(id, { name })).status).toBe(200);
    expect((await update(id, { name: stranger.site.name })).status).toBe(200);
  });

  it("refuses an unknown category and changes nothing", async () => {
    const { id } = await makeSite(h.db, publisherId);
    const before = await rowOf(id);
    for (const categoryName of ["Shoes", 5, "", ["Automotive > Dealerships"]]) {
      const refusal = disallowed("categoryName", categoryName, "name of an existing category");
      expect(said(await update(id, { categoryName, orderVolume: 5 }))).toEqual(refusal);
    }
    expect(await rowOf(id)).toEqual(before);
  });
});

describe("DELETE /api/site/:id", () => {
  it("is refused while placements are active, with their number and nothing else", async () => {
    const { publisher, site } = await makeInventory(h.db);
    await h.rows("insert into placements (id, site_id, name, status) values ($1, $2, 'x', 'inactive')", [
      newId("placement"),
      site.id,
    ]);
    const answer = await api(h, "DELETE", `/api/site/${site.id}`, { token: publisher.privateKey });
    expect(said(answer)).toEqual([403, wrapped("FORBIDDEN", { activePlacements: 1 })]);
    expect(await rowOf(site.id)).toBeDefined();
    expect(await h.count("placements where site_id = $1", [site.id])).toBe(2);
  });

  it("takes placements, audit and zone job with it, and leaves the publisher and its other sites", async () => {
    const { publisher, site, placement } = await makeInventory(h.db, { placement: { status: "inactive" } });
    const own = { token: publisher.privateKey };
    const sibling = await makeSite(h.db, publisher.id);
    await h.rows("insert into partner_zone_jobs (site_id) values ($1)", [site.id]);
    await api(h, "PATCH", `/api/site/${site.id}/ads`, { ...own, body: { adsEnabled: true } });
    expect((await requestOffers(h, { publicKey: publisher.publicKey, placementId: placement.id })).status).toBe(200);
    expect(said(await api(h, "DELETE", `/api/site/${site.id}`, own))).toEqual([
      200,
      { success: true, message: "Site deleted successfully" },
    ]);
    expect((await requestOffers(h, { publicKey: publisher.publicKey, placementId: placement.id })).status).toBe(404);
    expect((await api(h, "GET", `/api/site/${site.id}`, own)).status).toBe(404);
    expect((await api(h, "DELETE", `/api/site/${site.id}`, own)).status).toBe(404);
    for (const table of ["placements", "webhook_logs", "partner_zone_jobs"]) {
      expect(await h.rows(`select * from ${table} where site_id = $1`, [site.id])).toEqual([]);
    }
    expect(dataOf(await api(h, "GET", "/api/site", own))).toMatchObject([{ id: sibling.id }]);
  });
});
