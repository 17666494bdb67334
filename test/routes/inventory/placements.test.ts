import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, idOf, invalid, missing, said, timestamp } from "../../support/api.ts";
import { makeInventory, makePlacement, makePublisher, makeSite } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let token: string;
let publisherId: string;
let siteId: string;

beforeAll(async () => {
  h = await sharedHarness();
  const { publisher, site } = await makeInventory(h.db);
  token = publisher.privateKey;
  publisherId = publisher.id;
  siteId = site.id;
});

const create = (body: object) =>
  api(h, "POST", "/api/placements", { token, body: { name: "Placed", pageType: "THANK_YOU_PAGE", ...body } });
const created = (data: object) => ({ success: true, data, message: "Placement created successfully" });
const times = { createdAt: timestamp, updatedAt: timestamp };
const DEFAULTS = { isLiveMode: false, template: 1, data: {}, status: "active" };

describe("POST /api/placements with a site", () => {
  it("answers with every field and its default, and GET with the same", async () => {
    const answer = await create({ siteId });
    const pageType = "THANK_YOU_PAGE";
    expect(said(answer)).toEqual([
      201,
      created({ id: idOf("plc"), name: "Placed", siteId, pageType, ...DEFAULTS, ...times }),
    ]);
    const data = dataOf<{ id: string }>(answer);
    expect(said(await api(h, "GET", `/api/placements/${data.id}`, { token }))).toEqual([200, { success: true, data }]);
  });

  it("takes every field, and leaves one row", async () => {
    const body = {
      name: " Full\n",
      pageType: "ORDER_PAGE",
      isLiveMode: true,
      template: 21,
      data: { adDisplayDelay: 5 },
    };
    const answer = await create({ siteId, ...body });
    const { id } = dataOf<{ id: string }>(answer);
    expect(answer.json).toEqual(created({ ...body, id, siteId, name: "Full", status: "active", ...times }));
    expect(await h.rows("select * from placements where id = $1", [id])).toEqual([
      {
        id,
        site_id: siteId,
        name: "Full",
        page_type: "ORDER_PAGE",
        is_live_mode: true,
        template: 21,
        data: { adDisplayDelay: 5 },
        status: "active",
        created_at: expect.any(Date),
        updated_at: expect.any(Date),
      },
    ]);
  });

  it("is refused for a site that the publisher does not have", async () => {
    const { site } = await makeInventory(h.db);
    for (const id of [site.id, newId("site"), "42"]) {
      expect(said(await create({ siteId: id }))).toEqual(missing("Site", id));
    }
    expect(await h.count("placements where site_id = $1", [site.id])).toBe(1);
  });
});

const siteOf = async (id: string) => {
  const rows = await h.rows<{ id: string; domain: string | null; publisher_id: string }>(
    "select * from sites where id = $1",
    [id],
  );
  const [row] = rows;
  if (!row) throw new Error("no such site");
  return row;
};

describe("POST /api/placements with a store", () => {
  it("makes the pending site, and finds it from then on", async () => {
    const storeName = `Store ${newId("site")}`;
    const first = dataOf<{ siteId: string }>(
      await create({ storeName: ` ${storeName} `, storeUrl: " https://Shop.Example:8443/a?b#c " }),
    );
    expect(await siteOf(first.siteId)).toMatchObject({
      publisher_id: publisherId,
      name: storeName,
      domain: "shop.example",
      status: "pending",
      ads_enabled: true,
    });
    const before = await siteOf(first.siteId);
    const second = dataOf<{ siteId: string }>(await create({ storeName, storeUrl: "http://other.example" }));
    expect(second.siteId).toBe(first.siteId);
    expect(await siteOf(first.siteId)).toEqual(before);
    expect(await h.count("placements where site_id = $1", [first.siteId])).toBe(2);
  });

  it("finds no other publisher's site of that name", async () => {
    const { site } = await makeInventory(h.db);
    const made = dataOf<{ siteId: string }>(await create({ storeName: site.name, storeUrl: "https://shop.example" }));
    expect(made.siteId).not.toBe(site.id);
    expect(await siteOf(made.siteId)).toMatchObject({ publisher_id: publisherId });
    expect(await h.count("placements where site_id = $1", [site.id])).toBe(1);
  });
});

describe("where a placement goes", () => {
  const store = { storeName: "Store", storeUrl: "https://shop.example" };
  const badUrl = "storeUrl: must be an http or https URL";

  it.each([
    [{}, ["siteId: is required, or else storeName and storeUrl"]],
    [{ siteId: "site_1", ...store }, ["siteId: must not come together with storeName and storeUrl"]],
    [
      { siteId: "site_1", storeName: "Store" },
      ["siteId: must not come together with storeName and storeUrl", "storeUrl: is required with storeName"],
    ],
    [{ storeName: "Store" }, ["storeUrl: is required with storeName"]],
    [{ storeUrl: "https://shop.example" }, ["storeName: is required with storeUrl"]],
    [{ siteId: null }, ["siteId: must be a string"]],
    [{ siteId: "" }, ["siteId: must not be empty"]],
    [{ ...store, storeName: " " }, ["storeName: must not be empty"]],
    [{ ...store, storeName: "x".repeat(256) }, ["storeName: must have at most 255 characters"]],
    [{ ...store, storeUrl: "" }, ["storeUrl: must not be empty"]],
    [{ ...store, storeUrl: "shop.example" }, [badUrl]],
    [{ ...store, storeUrl: "ftp://shop.example" }, [badUrl]],
    [{ ...store, storeUrl: "javascript:alert(1)" }, [badUrl]],
    [{ ...store, storeUrl: "https://" }, [badUrl]],
    [
      { ...store, storeUrl: `https://shop.example/${"x".repeat(2048)}` },
      ["storeUrl: must have at most 2048 characters"],
    ],
    [
      { ...store, storeUrl: `https://${"x".repeat(300)}.example` },
      ["storeUrl: must have a host of at most 253 characters"],
    ],
  ])("is refused as %j", async (body, details) => {
    const before = await h.rows("select (select count(*) from sites), (select count(*) from placements)");
    expect(said(await create(body))).toEqual(invalid(...details));
    expect(await h.rows("select (select count(*) from sites), (select count(*) from placements)")).toEqual(before);
  });
});

const list = (query: string, by: string) => api(h, "GET", `/api/placements${query}`, { token: by });

const idsOf = (answer: Awaited<ReturnType<typeof list>>) => dataOf<{ id: string }[]>(answer).map(({ id }) => id);

/** A publisher with two sites, and four placements in the order of the list. */
const makeFour = async () => {
  const { id, privateKey } = await makePublisher(h.db);
  const sites = [await makeSite(h.db, id), await makeSite(h.db, id)] as const;
  const made: Awaited<ReturnType<typeof makePlacement>>[] = [];
  for (const [second, site] of [
    [2, sites[0]],
    [3, sites[1]],
    [2, sites[0]],
    [4, sites[0]],
  ] as const) {
    made.push(await makePlacement(h.db, site.id, { createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) }));
  }
  const order = made.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1));
  return { by: privateKey, sites, order };
};

describe("GET /api/placements", () => {
  it("lists the publisher's own, newest first, then by id", async () => {
    const { by, order } = await makeFour();
    expect(said(await list("", by))).toEqual([
      200,
      {
        success: true,
        data: JSON.parse(JSON.stringify(order)),
        pagination: { total: 4, skip: 0, take: 50, hasMore: false },
      },
    ]);
  });

  it("pages, also within a site", async () => {
    const { by, order, sites } = await makeFour();
    const ofFirst = order.filter((placement) => placement.siteId === sites[0].id);
    const answer = await list(`?siteId=${sites[0].id}&skip=1&take=1`, by);
    expect(idsOf(answer)).toEqual(ofFirst.slice(1, 2).map(({ id }) => id));
    expect(answer.json).toHaveProperty("pagination", { total: 3, skip: 1, take: 1, hasMore: true });
    expect(idsOf(await list("?skip=3", by))).toEqual(order.slice(3).map(({ id }) => id));
  });

  it("filters by status, also within a site", async () => {
    const { by, order, sites } = await makeFour();
    const [off] = order;
    if (!off) throw new Error("there is none");
    await api(h, "PATCH", `/api/placements/${off.id}/status`, { token: by, body: { status: "inactive" } });
    const active = order.filter(({ id }) => id !== off.id);
    expect(idsOf(await list("?status=inactive", by))).toEqual([off.id]);
    expect(idsOf(await list("?status=active", by))).toEqual(active.map(({ id }) => id));
    const page = await list(`?status=active&siteId=${sites[0].id}&take=1`, by);
    const first = active.find(({ siteId: on }) => on === sites[0].id);
    expect([idsOf(page), page.json]).toMatchObject([[first?.id], { pagination: { total: 2, hasMore: true } }]);
  });

  it("knows no site but the publisher's own", async () => {
    const { by, sites } = await makeFour();
    const empty = await makeSite(h.db, publisherId);
    expect(said(await list(`?siteId=${empty.id}`, token))).toMatchObject([200, { data: [], pagination: { total: 0 } }]);
    for (const id of ["", "%00"]) expect((await list(`?siteId=${id}`, by)).status).toBe(400);
    for (const id of [siteId, newId("site"), "42"])
      expect(said(await list(`?siteId=${id}`, by))).toEqual(missing("Site", id));
    expect(said(await list(`?siteId=${sites[0].id}`, token))).toEqual(missing("Site", sites[0].id));
  });

  it.each([
    ["take=0", "take: must be between 1 and 100"],
    ["take=101", "take: must be between 1 and 100"],
    ["skip=-1", "skip: must be between 0 and 9007199254740991"],
    ["status=archived", "status: must be one of active, inactive"],
    ["siteId=site_1&siteId=site_2", "siteId: must be given once"],
  ])("refuses %s", async (query, detail) => {
    expect(said(await list(`?${query}`, token))).toEqual(invalid(detail));
  });
});
