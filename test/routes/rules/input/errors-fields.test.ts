import { beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, disallowed, invalid, said, type Method } from "../../../support/api.ts";
import { makeInventory } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

/** Members that would change what every object inherits, if anything copied them carelessly. */
const POISON = `"__proto__": {"polluted": true, "status": "inactive", "name": "Polluted", "id": "x", "adsEnabled": false},
  "constructor": {"prototype": {"polluted": true}}, "prototype": {"polluted": true}, "toString": 1, "hasOwnProperty": 1`;

type Row = [Method, string, Record<string, unknown>];
const names = { name: "Fresh", contactName: "Toni", contactEmail: "toni@test.example" };
const ROUTES: Row[] = [
  ["POST", "/api/v1/publishers", names],
  ["PUT", "/api/v1/publishers/:publisher", { contactName: "Kim" }],
  ["PATCH", "/api/v1/publishers/:publisher/status", { status: "active" }],
  ["PATCH", "/api/v1/publishers/:publisher/ads", { adsEnabled: true }],
  ["PATCH", "/api/v1/publishers/:publisher/limits", { elevatedLimits: false }],
  ["PATCH", "/api/v1/publishers/:publisher/order", { rankBy: "GROSS" }],
  ["POST", "/api/site", { name: "Fresh" }],
  ["PUT", "/api/site/:site", { orderVolume: 1 }],
  ["PATCH", "/api/site/:site/status", { status: "active" }],
  ["PATCH", "/api/site/:site/ads", { adsEnabled: true }],
  ["POST", "/api/placements", { name: "Fresh", pageType: "ORDER_PAGE", storeName: "S", storeUrl: "https://s.example" }],
  ["PUT", "/api/placements/:placement", { template: 2 }],
  ["PATCH", "/api/placements/:placement/status", { status: "active" }],
  ["POST", "/api/v1/platforms", { name: "Fresh" }],
  ["PUT", "/api/v1/platforms/:platform", { elevatedLimits: false }],
  ["POST", "/api/v1/platforms/:platform/token", { overlapSeconds: 600 }],
];

/** Sends a body as it is written, with the credential that its route is for. */
const send = async ([method, path]: Row, body: string) => {
  const { publisher, site, placement } = await makeInventory(h.db);
  const ids = { publisher: publisher.id, site: site.id, placement: placement.id, platform: demo.platformId };
  const token = path.startsWith("/api/v1/platforms")
    ? SECRETS.ADMIN_TOKEN
    : /publishers(?:$|.*limits$)/.test(path)
      ? demo.platformToken
      : publisher.privateKey;
  return api(
    h,
    method,
    path.replace(/:(\w+)/, (_, name: keyof typeof ids) => ids[name]),
    { token, body },
  );
};

const inside = (value: object) => JSON.stringify(value).slice(1, -1);
const withName = (fields: Record<string, unknown>, name: string) => ("name" in fields ? { ...fields, name } : fields);

/** An answer without what differs from call to call. */
const shapeOf = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json).replace(/\w+_[0-9a-zA-Z]{26,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…"));

/** Tells the contract's routes, which ignore what they do not know. */
const ignores = ([, path]: Row) => !/limits|order|placements|platforms/.test(path);

describe("prototype members of a body", () => {
  it.each(ROUTES.filter((row) => !ignores(row)))("are refused by name: %s %s", async (...row) => {
    const [, , fields] = row;
    const members = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
    const refused = await send(row, `{${POISON}, ${inside(withName(fields, "Same"))}}`);
    expect(said(refused)).toEqual(invalid(...members.map((name) => `${name}: is not known`)));
  });

  it.each(ROUTES.filter(ignores))("are harmless where the contract ignores them: %s %s", async (...row) => {
    const [method, , fields] = row;
    const poisoned = await send(row, `{${POISON}, ${inside(withName(fields, "Same"))}}`);
    expect(poisoned.status).toBe(method === "POST" ? 201 : 200);
    const plain = await send(row, JSON.stringify(withName(fields, "Else")));
    expect(shapeOf(plain.json)).toEqual(JSON.parse(JSON.stringify(shapeOf(poisoned.json)).replaceAll("Same", "Else")));
    expect(JSON.stringify(poisoned.json)).not.toMatch(/pollut/i);
  });

  it.each(ROUTES.filter(([method]) => method === "POST").slice(0, 4))("stand for no member: %s %s", async (...row) => {
    const { status, json } = await send(row, `{${POISON}}`);
    expect([status, json]).toMatchObject([400, { code: "VALIDATION_FAILED" }]);
    expect(json).toHaveProperty("details", expect.arrayContaining(["name: is required"]));
    for (const table of ["publishers", "sites", "placements", "platforms"]) {
      expect(await h.rows(`select id from ${table} where name = 'Polluted'`)).toEqual([]);
    }
  });

  it("do not name an enumerated value", async () => {
    const row: Row = ["PATCH", "/api/site/:site/status", {}];
    expect(said(await send(row, `{"__proto__": {"status": "inactive"}}`))).toEqual(invalid("status: is required"));
    for (const status of ["__proto__", "constructor", "toString"]) {
      expect(said(await send(row, `{"status": "${status}"}`))).toEqual(
        disallowed("status", status, "active | inactive"),
      );
    }
  });
});

describe("a member that comes twice", () => {
  it("counts as it came last", async () => {
    const name = newId("site");
    const site = await send(
      ["POST", "/api/site", {}],
      `{"name": "", "orderVolume": -1, "name": "${name}", "orderVolume": 5}`,
    );
    expect(dataOf(site)).toMatchObject({ name, orderVolume: 5 });
    const status = await send(["PATCH", "/api/site/:site/status", {}], `{"status": "nonsense", "status": "inactive"}`);
    expect(dataOf(status)).toMatchObject({ status: "inactive" });
    const refused = await send(["PATCH", "/api/site/:site/status", {}], `{"status": "active", "status": "nonsense"}`);
    expect(said(refused)).toEqual(disallowed("status", "nonsense", "active | inactive"));
  });
});

describe("a body that is no object", () => {
  const row: Row = ["POST", "/api/site", {}];

  it.each(["null", "[]", "5", '"text"', "true", "[{}]"])("is refused as a body that is no object: %s", async (body) => {
    expect(said(await send(row, body))).toEqual(invalid("body: must be a JSON object"));
  });

  it.each(["{", " ", "{'name': 1}"])("is refused as no JSON: %s", async (body) => {
    expect(said(await send(row, body))).toEqual(invalid("body: is not valid JSON"));
  });
});
