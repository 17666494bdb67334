import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, said, wrapped } from "../../../support/api.ts";
import { makeCreative } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { makeWorld, type Route, type World } from "../../../support/routes/every-route.ts";
import { keyed, keysOf, named, poster, replayed, routeOf } from "../../../support/routes/keyed.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

describe("what was refused leaves no key, and may be sent again with another body:", () => {
  type Refused = [what: string, status: number, route: Route["route"], wrong: (world: World) => unknown];
  const unit = { name: "Unit", pageType: "ORDER_PAGE" };
  const offer = { name: "Offer", title: "T", header: "H", description: "D", ctaText: "Y", declineButtonText: "N" };
  const whole = { ...offer, pricing: "CPC", bidMicros: 1, destinationUrl: "https://advertiser.example/" };
  const CASES: Refused[] = [
    ["a taken name", 409, "POST /api/v1/platforms", ({ platform }) => ({ name: platform.name })],
    [
      "a taken name",
      409,
      "POST /api/v1/publishers",
      ({ publisher: { name } }) => ({ name, contactName: "A", contactEmail: "a@b.example" }),
    ],
    ["an unknown category", 400, "POST /api/site", () => ({ ...named(), categoryName: "Nothing" })],
    ["an unknown site", 404, "POST /api/placements", () => ({ ...unit, siteId: newId("site") })],
    ["a taken name", 409, "POST /api/v1/advertisers", ({ advertiser: { name } }) => ({ name })],
    ["a stranger", 404, "POST /api/v1/offers", () => ({ ...whole, advertiserId: newId("advertiser") })],
    ["an invalid body", 400, "POST /api/v1/offers", () => ({})],
    [
      "a contradiction",
      400,
      "POST /api/v1/offers",
      ({ advertiser: { id } }) => ({ ...whole, advertiserId: id, pricing: "CPM" }),
    ],
  ];

  it.each(CASES)("%s, %i of %s", async (_, status, name, wrong) => {
    const world = await makeWorld(h);
    const route = routeOf(name);
    const key = newId("event");
    expect((await poster(h, route, world, key, wrong(world))()).status).toBe(status);
    expect(await keysOf(h, key)).toEqual([]);
    const right = await poster(h, route, world, key)();
    expect([right.status, replayed(right)]).toEqual([201, null]);
  });

  it("a token, a key and a creative too many", async () => {
    const world = await makeWorld(h);
    await h.rows(
      `insert into api_tokens (id, publisher_id, name, hash, bearer_ciphertext, revenue_access, gross_access)
       select 'tok_' || $1 || n, $1, 'Many', $1 || n, '', true, false from generate_series(1, 50) n`,
      [world.publisher.id],
    );
    await h.rows("insert into public_keys (key, publisher_id) select $1 || n, $1 from generate_series(1, 20) n", [
      world.publisher.id,
    ]);
    await makeCreative(h.db, world.offer.id);
    await makeCreative(h.db, world.offer.id);
    const routes = [
      "POST /api/v1/publishers/:publisher/api-tokens",
      "POST /api/v1/publishers/:publisher/public-keys",
      "POST /api/v1/offers/:offer/creatives",
    ] as const;
    for (const name of routes) {
      const key = newId("event");
      expect((await poster(h, routeOf(name), world, key)()).status).toBe(409);
      expect(await keysOf(h, key)).toEqual([]);
    }
  });
});

const creative = (n: number) => ({
  name: `Creative ${n}`,
  title: "T",
  header: "H",
  description: "D",
  ctaText: "Y",
  declineButtonText: "N",
  destinationUrl: "https://advertiser.example/",
});

describe("the first answer is given again, whatever became of things since:", () => {
  it("of a publisher's site that was renamed, and deleted", async () => {
    const { publisher } = await makeWorld(h);
    const { privateKey: token } = publisher;
    const call = { token, body: { ...named(), categoryName: "B2B > CRM" }, headers: keyed(newId("event")) };
    const first = await api(h, "POST", "/api/site", call);
    const { id } = dataOf<{ id: string }>(first);
    await api(h, "PUT", `/api/site/${id}`, { token, body: named() });
    expect(said(await api(h, "POST", "/api/site", call))).toEqual(said(first));
    await api(h, "DELETE", `/api/site/${id}`, { token });
    expect(said(await api(h, "POST", "/api/site", call))).toEqual(said(first));
  });

  it("of an offer whose advertiser is archived, and whose named site is gone", async () => {
    const world = await makeWorld(h);
    const { token } = world.platform;
    const route = routeOf("POST /api/v1/offers");
    const body = { ...route.body?.(world), targeting: { includeSites: [world.site.id] } };
    const post = poster(h, route, world, newId("event"), body);
    const first = await post();
    expect(first.status).toBe(201);
    await api(h, "DELETE", `/api/v1/advertisers/${world.advertiser.id}`, { token });
    await api(h, "DELETE", `/api/site/${world.site.id}`, { token: world.publisher.privateKey });
    expect(said(await post())).toEqual(said(first));
  });

  it("of an import that filled an offer's room for creatives, refused rows included", async () => {
    const world = await makeWorld(h);
    const { offer: made } = world;
    const body = [
      { id: made.id, creatives: [creative(1), creative(2)] },
      { id: newId("offer"), bidMicros: 1 },
    ];
    const post = poster(h, routeOf("POST /api/v1/offers/import"), world, newId("event"), body);
    const first = await post();
    expect(first.json).toMatchObject({ data: { updated: 1, refused: 1 } });
    const second = await post();
    expect([said(second), replayed(second)]).toEqual([said(first), "true"]);
    expect(await h.count("offer_creatives where offer_id = $1", [made.id])).toBe(3);
  });

  it("of messages to try again: a retry that names none takes no others", async () => {
    const { publisher } = await makeWorld(h);
    const reject = (id: string) =>
      h.rows("insert into tracking_rejects (id, reason, body, publisher_id) values ($1, 'Because', '{}', $2)", [
        id,
        publisher.id,
      ]);
    const [one, two] = [newId("event"), newId("event")];
    await reject(one);
    const call = { token: publisher.privateKey, body: {}, headers: keyed(newId("event")) };
    const replay = () => api(h, "POST", "/api/v1/rejects/replay", call);
    const first = await replay();
    expect(dataOf(first)).toEqual({ ids: [one] });
    await reject(two);
    const second = await replay();
    expect([said(second), replayed(second)]).toEqual([said(first), "true"]);
    const other = await api(h, "POST", "/api/v1/rejects/replay", { ...call, body: { ids: [two] } });
    expect(said(other)).toEqual([422, wrapped("IDEMPOTENCY_KEY_REUSED")]);
    const wrong = { ...call, body: { ids: [newId("event")] }, headers: keyed(newId("event")) };
    expect((await api(h, "POST", "/api/v1/rejects/replay", wrong)).status).toBe(404);
    expect(await keysOf(h, wrong.headers["idempotency-key"])).toEqual([]);
  });
});
