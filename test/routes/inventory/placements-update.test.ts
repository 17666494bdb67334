import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, disallowed, invalid, missing, said, timestamp } from "../../support/api.ts";
import { makeInventory, makePlacement } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let token: string;
let siteId: string;

beforeAll(async () => {
  h = await sharedHarness();
  const { publisher, site } = await makeInventory(h.db);
  token = publisher.privateKey;
  siteId = site.id;
});

type Placement = Awaited<ReturnType<typeof makePlacement>>;

const make = () => makePlacement(h.db, siteId, { data: { brandName: "Shop" }, template: 3 });
const update = ({ id }: Placement, body: object) => api(h, "PUT", `/api/placements/${id}`, { token, body });
const create = (body: object) =>
  api(h, "POST", "/api/placements", { token, body: { name: "Placed", pageType: "THANK_YOU_PAGE", siteId, ...body } });
const rowOf = async ({ id }: { id: string }) => {
  const [row] = await h.rows("select * from placements where id = $1", [id]);
  return row;
};
const shown = ({ createdAt, ...placement }: Placement) => ({
  ...placement,
  createdAt: createdAt.toISOString(),
  updatedAt: timestamp,
});

describe("PUT /api/placements/:id", () => {
  it.each([
    {},
    { name: "Renamed" },
    { pageType: "ORDER_PAGE" },
    { isLiveMode: false },
    { template: 21 },
    { data: {} },
    { data: { showPartnership: false, templateConfig: { iconConfig: { showIcon: false } } } },
  ])("changes what it is given, and answers with all: %j", async (body) => {
    const placement = await make();
    expect(said(await update(placement, body))).toEqual([
      200,
      { success: true, data: { ...shown(placement), ...body }, message: "Placement updated successfully" },
    ]);
    const data = { ...shown(placement), ...body };
    expect(dataOf(await api(h, "GET", `/api/placements/${placement.id}`, { token }))).toEqual(data);
  });

  it("sets a status, and moves it to no other site", async () => {
    const placement = await make();
    const { site } = await makeInventory(h.db);
    const off = await update(placement, { siteId, status: "inactive" });
    expect(dataOf(off)).toEqual({ ...shown(placement), status: "inactive" });
    const moved = await update(placement, { siteId: site.id, status: "active" });
    expect(said(moved)).toEqual(invalid("siteId: cannot be changed"));
    const body = { id: "plc_1", storeName: "Shop", storeUrl: "https://shop.example" };
    const unknown = ["storeName: is not known", "storeUrl: is not known"];
    expect(said(await update(placement, body))).toEqual(invalid(...unknown));
    expect(await h.rows("select status from placements where id = $1", [placement.id])).toEqual([
      { status: "inactive" },
    ]);
  });
});

const REFUSED: [object, string][] = [
  [{ name: "" }, "name: must not be empty"],
  [{ name: null }, "name: must be a string"],
  [{ name: "x".repeat(256) }, "name: must have at most 255 characters"],
  [{ pageType: "HOME_PAGE" }, "pageType: must be one of THANK_YOU_PAGE, ORDER_PAGE"],
  [{ pageType: null }, "pageType: must be one of THANK_YOU_PAGE, ORDER_PAGE"],
  [{ isLiveMode: "true" }, "isLiveMode: must be a boolean"],
  [{ isLiveMode: null }, "isLiveMode: must be a boolean"],
  [{ template: 0 }, "template: must be at least 1"],
  [{ template: 22 }, "template: must be at most 21"],
  [{ template: 1.5 }, "template: must be an integer"],
  [{ template: "1" }, "template: must be a number"],
  [{ template: null }, "template: must be a number"],
  [{ data: null }, "data: must be an object"],
  [{ data: [] }, "data: must be an object"],
  [{ data: "{}" }, "data: must be an object"],
];

describe("the fields of a placement", () => {
  it.each(REFUSED)("are refused as %j", async (fields, detail) => {
    const placement = await make();
    const before = await rowOf(placement);
    expect(said(await update(placement, fields))).toEqual(invalid(detail));
    expect(await rowOf(placement)).toEqual(before);
    expect(said(await create(fields))).toEqual(invalid(detail));
  });

  it.each([
    { template: 1 },
    { template: 21 },
    { pageType: "ORDER_PAGE" },
    { isLiveMode: true },
    { name: "x".repeat(255) },
  ])("are accepted as %j", async (fields) => {
    expect(dataOf(await create(fields))).toMatchObject(fields);
  });

  it("name and pageType are required", async () => {
    expect(said(await create({ name: undefined }))).toEqual(invalid("name: is required"));
    expect(said(await create({ pageType: undefined }))).toEqual(invalid("pageType: is required"));
  });
});

const patch = ({ id }: Placement, body: object) => api(h, "PATCH", `/api/placements/${id}/status`, { token, body });

describe("PATCH /api/placements/:id/status", () => {
  it.each(["inactive", "active"] as const)("switches to %s from either", async (status) => {
    for (const from of ["active", "inactive"] as const) {
      const placement = await makePlacement(h.db, siteId, { status: from });
      expect(said(await patch(placement, { status, reason: "Season" }))).toEqual([
        200,
        {
          success: true,
          data: { ...shown(placement), status },
          message: `Placement status updated to ${status}`,
        },
      ]);
      expect(await rowOf(placement)).toMatchObject({ status });
    }
  });

  it.each(["pending", "", null, 1, ["active"]])("refuses %j", async (status) => {
    const placement = await make();
    expect(said(await patch(placement, { status }))).toEqual(disallowed("status", status, "active | inactive"));
    expect(await rowOf(placement)).toMatchObject({ status: "active" });
  });

  it("refuses nothing", async () => {
    expect(said(await patch(await make(), {}))).toEqual(invalid("status: is required"));
  });
});

describe("DELETE /api/placements/:id", () => {
  it.each(["active", "inactive"] as const)("takes an %s one, once", async (status) => {
    const placement = await makePlacement(h.db, siteId, { status });
    const path = `/api/placements/${placement.id}`;
    expect(said(await api(h, "DELETE", path, { token }))).toEqual([
      200,
      { success: true, message: "Placement deleted successfully" },
    ]);
    expect(await rowOf(placement)).toBeUndefined();
    for (const method of ["GET", "DELETE"] as const) {
      expect(said(await api(h, method, path, { token }))).toEqual(missing("Placement", placement.id));
    }
  });

  it("lets its site go", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const own = { token: publisher.privateKey };
    expect((await api(h, "DELETE", `/api/site/${site.id}`, own)).status).toBe(403);
    await api(h, "DELETE", `/api/placements/${placement.id}`, own);
    expect((await api(h, "DELETE", `/api/site/${site.id}`, own)).status).toBe(200);
  });
});
