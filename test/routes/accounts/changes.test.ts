import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, type Answer } from "../../support/api.ts";
import { makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import {
  addressOf,
  call,
  makeWorld,
  ROUTES,
  tokenOf,
  type Route,
  type World,
} from "../../support/routes/every-route.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

type Row = {
  actor_kind: string;
  actor_id: string | null;
  resource_kind: string;
  resource_id: string;
  action: string;
  publisher_id: string | null;
  platform_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  caller_ip_address: string | null;
};

const rowsOf = (answer: Answer) =>
  h.rows<Row>("select * from audit_log where request_id = $1 order by created_at, id", [
    answer.headers.get("x-request-id"),
  ]);

/** Lists routes that change nothing, and why. */
const CHANGES_NOTHING: Record<string, string> = {
  "POST /api/v1/offers/explain": "it only says what would be answered",
  "POST /api/v1/offers/forecast": "it only says what would have come",
  "POST /api/v1/rejects/replay": "it sends messages on their way once more, and changes no resource",
};

/** What a route changes: each change as its kind and action. The body is its own where the route's changes nothing. */
const CHANGES: Record<string, [changes: string[], body?: object]> = {
  "POST /api/v1/platforms": [["platform create", "platformToken create"]],
  "PUT /api/v1/platforms/:platform": [["platform update"]],
  "POST /api/v1/platforms/:platform/token": [["platformToken update", "platformToken create"]],
  "POST /api/v1/publishers": [["publisher create", "publicKey create", "token create"]],
  "PUT /api/v1/publishers/:publisher": [["publisher update"]],
  "PATCH /api/v1/publishers/:publisher/status": [["publisher update"]],
  "PATCH /api/v1/publishers/:publisher/ads": [["publisher update"]],
  "PATCH /api/v1/publishers/:publisher/limits": [["publisher update"], { elevatedLimits: false }],
  "PATCH /api/v1/publishers/:publisher/order": [["publisher update"]],
  "DELETE /api/v1/publishers/:publisher": [["publisher delete"]],
  "POST /api/v1/publishers/:publisher/api-tokens": [["token create"]],
  "PUT /api/v1/publishers/:publisher/api-tokens/:token": [["token update"]],
  "PATCH /api/v1/publishers/:publisher/api-tokens/:token/access": [["token update"]],
  "POST /api/v1/publishers/:publisher/api-tokens/:token/rotate": [["token create", "token update"]],
  "DELETE /api/v1/publishers/:publisher/api-tokens/:token": [["token update"]],
  "POST /api/v1/publishers/:publisher/public-keys": [["publicKey create"]],
  "POST /api/v1/publishers/:publisher/public-keys/:key/rotate": [["publicKey create", "publicKey update"]],
  "DELETE /api/v1/publishers/:publisher/public-keys/:key": [["publicKey update"]],
  "DELETE /api/v1/publishers/:publisher/sessions": [["publisher erase"]],
  "POST /api/v1/advertisers": [["advertiser create"]],
  "PUT /api/v1/advertisers/:advertiser": [["advertiser update"]],
  "PATCH /api/v1/advertisers/:advertiser/status": [["advertiser update"]],
  "POST /api/v1/advertisers/:advertiser/conversion-secret": [["advertiser update"]],
  "DELETE /api/v1/advertisers/:advertiser": [["advertiser update"]],
  "POST /api/v1/offers": [["offer create"]],
  "POST /api/v1/offers/import": [["offer create"]],
  "PUT /api/v1/offers/:offer": [["offer update"]],
  "PATCH /api/v1/offers/:offer/status": [["offer update"]],
  "POST /api/v1/offers/:offer/creatives": [["creative create"]],
  "PUT /api/v1/offers/:offer/creatives/:creative": [["creative update"]],
  "PATCH /api/v1/offers/:offer/creatives/:creative/status": [["creative update"]],
  "DELETE /api/v1/offers/:offer/creatives/:creative": [["creative update"]],
  "DELETE /api/v1/offers/:offer": [["offer delete"]],
  "POST /api/site": [["site create"]],
  "PUT /api/site/:site": [["site update"]],
  "PATCH /api/site/:site/status": [["site update"]],
  "PATCH /api/site/:site/ads": [["site update"]],
  "DELETE /api/site/:site": [["site delete"]],
  "POST /api/placements": [["site create", "placement create"]],
  "PUT /api/placements/:placement": [["placement update"]],
  "PATCH /api/placements/:placement/status": [["placement update"]],
  "DELETE /api/placements/:placement": [["placement delete"]],
};

const CHANGING = ROUTES.filter(({ route }) => !route.startsWith("GET") && !(route in CHANGES_NOTHING));

const callerOf = ({ by }: Route, world: World) => {
  if (by === "admin") return { actor_kind: "admin", actor_id: null };
  return { actor_kind: by, actor_id: world[by].id };
};

describe("every route that changes something", () => {
  it("says what it changes", () => {
    expect(Object.keys(CHANGES).toSorted()).toEqual(CHANGING.map(({ route }) => route).toSorted());
  });

  it.each(CHANGING)("leaves who changed what, by which request and from where: $route", async (route) => {
    const world = await makeWorld(h);
    const [expected = [], body] = CHANGES[route.route] ?? [];
    const { method, path } = addressOf(route, world);
    const headers = { "cf-connecting-ip": "203.0.113.9" };
    const answer = await api(h, method, path, {
      token: tokenOf(route, world),
      body: body ?? route.body?.(world),
      headers,
    });
    expect([200, 201]).toContain(answer.status);
    const rows = await rowsOf(answer);
    expect(rows.map((row) => `${row.resource_kind} ${row.action}`)).toEqual(expected);
    for (const row of rows) {
      const address = expected[0] === "publisher delete" ? null : "203.0.113.9";
      expect(row).toMatchObject({ ...callerOf(route, world), caller_ip_address: address });
      expect(row.platform_id).toBe(row.resource_kind.startsWith("platform") ? row.platform_id : world.platform.id);
    }
    // A secret, or a person whom the publisher named, is in none of them.
    expect(JSON.stringify(rows)).not.toMatch(/lan_(?:sk|plat|cs)_|@test\.example|Toni|\+49 30/);
  });
});

const change = async (route: Route["route"], world: World, body?: object) => {
  const found = ROUTES.find((entry) => entry.route === route);
  if (!found) throw new Error(`${route} is not in the table`);
  return rowsOf(await call(h, found, world, body ?? found.body?.(world)));
};

describe("what a record tells", () => {
  it("is the members that changed, before and after", async () => {
    const world = await makeWorld(h);
    const name = newId("event");
    const [row] = await change("PUT /api/site/:site", world, { name, orderVolume: 5, domain: world.site.domain ?? "" });
    expect(row).toMatchObject({
      resource_id: world.site.id,
      publisher_id: world.publisher.id,
      before: { name: world.site.name, orderVolume: null, domain: null },
      after: { name, orderVolume: 5, domain: "" },
    });
    const [offer] = await change("PUT /api/v1/offers/:offer", world, {
      title: "New",
      targeting: { countries: ["DE"] },
    });
    expect(offer).toMatchObject({
      before: { title: "A title", countries: [] },
      after: { title: "New", countries: ["DE"] },
    });
  });

  it("is of contacts only that they changed", async () => {
    const world = await makeWorld(h);
    const [row] = await change("PUT /api/v1/publishers/:publisher", world, { contactEmail: "new@test.example" });
    expect(row).toMatchObject({ before: { contactEmail: "hidden" }, after: { contactEmail: "hidden" } });
  });

  it("is of a secret only that it changed", async () => {
    const world = await makeWorld(h);
    const [row] = await change("POST /api/v1/advertisers/:advertiser/conversion-secret", world);
    expect(row).toMatchObject({ before: { conversionSecret: "hidden" }, after: { conversionSecret: "hidden" } });
  });

  it("is all of what is new, and of what is deleted", async () => {
    const world = await makeWorld(h);
    const [, made] = await change("POST /api/placements", world);
    expect(made).toMatchObject({ before: null, after: { pageType: "ORDER_PAGE", template: 3, status: "active" } });
    const [deleted] = await change("DELETE /api/placements/:placement", world);
    expect(deleted).toMatchObject({ before: { name: world.placement.name, siteId: world.site.id }, after: null });
  });

  it("is how many events an erasure unlinked, and nothing of the customer", async () => {
    const world = await makeWorld(h);
    const [row] = await change("DELETE /api/v1/publishers/:publisher/sessions", world, { email: "who@test.example" });
    expect(row).toMatchObject({ before: null, after: { by: "email", events: 0, rejects: 0 } });
  });
});

describe("why something is switched", () => {
  const SWITCHES = CHANGING.filter(({ route }) => /^PATCH .*\/(?:status|ads)$/.test(route));
  it("can be said of publishers, sites, placements, advertisers, offers and creatives", () => {
    expect(SWITCHES).toHaveLength(8);
  });

  it.each(SWITCHES)("is kept with the change: $route", async ({ route, body }) => {
    const world = await makeWorld(h);
    const reason = "The shop\u2019s owner asked: \u201cnot now\u201d";
    expect(await change(route, world, { ...body?.(world), reason })).toMatchObject([{ action: "update", reason }]);
  });

  it("is null where nobody said it", async () => {
    const world = await makeWorld(h);
    const changes = [
      await change("PUT /api/placements/:placement", world, { status: "active" }),
      await change("PATCH /api/placements/:placement/status", world, { status: "inactive", reason: "" }),
      await change("PATCH /api/placements/:placement/status", world, { status: "active" }),
    ];
    expect(changes).toMatchObject([[{ reason: null }], [{ reason: null }], [{ reason: null }]]);
  });
});

describe("no record is left", () => {
  it("of what was refused", async () => {
    const world = await makeWorld(h);
    const other = await makeWorld(h);
    await makePlacement(h.db, world.site.id);
    const refusals = [
      await change("PUT /api/v1/publishers/:publisher", world, { name: other.publisher.name }),
      await change("PUT /api/v1/offers/:offer", world, { targeting: { includeSites: [newId("site")] } }),
      await change("PUT /api/site/:site", { ...world, site: other.site }, { name: "Stolen" }),
      await change("DELETE /api/site/:site", world),
      await change("PUT /api/placements/:placement", world, { siteId: newId("site"), name: "Moved" }),
    ];
    expect(refusals).toEqual([[], [], [], [], []]);
  });

  it("of what stays as it is", async () => {
    const world = await makeWorld(h);
    expect(await change("PUT /api/site/:site", world, { name: world.site.name })).toEqual([]);
    expect(await change("POST /api/site", world, { name: world.site.name })).toEqual([]);
  });

  it("of what goes with what was deleted, row by row", async () => {
    const world = await makeWorld(h);
    const rows = await change("DELETE /api/v1/publishers/:publisher", world);
    expect(rows).toMatchObject([{ resource_id: world.publisher.id, before: null, after: null }]);
    expect(await h.rows("select id from sites where id = $1", [world.site.id])).toEqual([]);
  });
});

it("an id is one of an event, and sorts by time", async () => {
  const rows = await h.rows<{ id: string }>("select id from audit_log order by created_at desc limit 50");
  for (const { id } of rows) expect(id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{9}[ef][0-9a-hjkmnp-tv-z]{15}$/);
  expect(
    dataOf<unknown[]>(
      await api(h, "GET", "/api/v1/audit", {
        token: tokenOf({ route: "GET /api/v1/audit", by: "admin" }, await makeWorld(h)),
      }),
    ),
  ).toHaveLength(50);
});
