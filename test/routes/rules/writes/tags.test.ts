import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, invalid, missing, said, wrapped, type Call, type Method } from "../../../support/api.ts";
import { makePlacement } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { fingerprint, makeWorld, type World } from "../../../support/routes/every-route.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

type Write = [method: Method, path: string, body?: object];

/** Describes a resource: where it is read, by whom, and its writes, the last of which takes it away. */
type Resource = {
  table: string;
  id: (world: World) => string;
  path: string;
  by: "publisher" | "platform";
  writes: Write[];
};

const name = { name: "Renamed" };

/** Lists every resource that is read by itself. */
const RESOURCES: [what: string, resource: Resource][] = [
  [
    "a publisher",
    {
      table: "publishers",
      id: ({ publisher }) => publisher.id,
      path: "/api/v1/publishers/:id",
      by: "publisher",
      writes: [
        ["PUT", "", { contactName: "Robin" }],
        ["PATCH", "/status", { status: "inactive" }],
        ["PATCH", "/ads", { adsEnabled: false }],
        ["PATCH", "/order", { rankBy: "REVENUE" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a publisher's order, and its limits",
    {
      table: "publishers",
      id: ({ publisher }) => publisher.id,
      path: "/api/v1/publishers/:id/order",
      by: "platform",
      writes: [
        ["PATCH", "", { holdoutPercent: 7 }],
        ["PATCH", "/../limits", { elevatedLimits: false }],
      ],
    },
  ],
  [
    "a token",
    {
      table: "api_tokens",
      id: ({ tokenId }) => tokenId,
      path: "/api/v1/publishers/:publisher/api-tokens/:id",
      by: "platform",
      writes: [
        ["PUT", "", name],
        ["PATCH", "/access", { grossAccess: true }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a site",
    {
      table: "sites",
      id: ({ site }) => site.id,
      path: "/api/site/:id",
      by: "publisher",
      writes: [
        ["PUT", "", { description: "New" }],
        ["PATCH", "/status", { status: "inactive" }],
        ["PATCH", "/ads", { adsEnabled: false }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a placement",
    {
      table: "placements",
      id: ({ placement }) => placement.id,
      path: "/api/placements/:id",
      by: "publisher",
      writes: [
        ["PUT", "", { data: { brandName: "New" } }],
        ["PATCH", "/status", { status: "active" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "an advertiser",
    {
      table: "advertisers",
      id: ({ advertiser }) => advertiser.id,
      path: "/api/v1/advertisers/:id",
      by: "platform",
      writes: [
        ["PUT", "", name],
        ["PATCH", "/status", { status: "paused" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "an offer",
    {
      table: "offers",
      id: ({ offer }) => offer.id,
      path: "/api/v1/offers/:id",
      by: "platform",
      writes: [
        ["PUT", "", { bidMicros: 7_000 }],
        ["PATCH", "/status", { status: "paused" }],
        ["DELETE", ""],
      ],
    },
  ],
  [
    "a creative",
    {
      table: "offer_creatives",
      id: ({ creative }) => creative.id,
      path: "/api/v1/offers/:offer/creatives/:id",
      by: "platform",
      writes: [
        ["PUT", "", { weight: 3 }],
        ["PATCH", "/status", { status: "paused" }],
        ["DELETE", ""],
      ],
    },
  ],
];

/** Makes a world, and what asks for a resource in it. */
const situate = async (resource: Resource) => {
  const world = await makeWorld(h);
  const path = resource.path
    .replace(":id", resource.id(world))
    .replace(":publisher", world.publisher.id)
    .replace(":offer", world.offer.id);
  const token = resource.by === "publisher" ? world.publisher.privateKey : world.platform.token;
  const ask = (method: Method, below = "", { body, ...call }: Call = {}) =>
    api(h, method, path + below, { token, ...(body === undefined ? {} : { body }), ...call });
  const tagNow = async () => (await ask("GET")).headers.get("etag") ?? "";
  return { id: resource.id(world), world, ask, tagNow };
};

/** Lists what changes a resource and leaves it there: its writes, and a change of no member where that is one. */
const changesOf = ({ table, writes }: Resource): Write[] => [
  ...writes.filter(([method]) => method !== "DELETE"),
  ...writes.flatMap(([method, below]): Write[] =>
    method === "PUT" && table !== "api_tokens" ? [[method, below, {}]] : [],
  ),
];

const tagPattern: unknown = expect.stringMatching(/^"[0-9a-f]{16}"$/);
const match = (tag: string) => ({ "if-match": tag });
const stale = (etag: string) => [412, wrapped("PRECONDITION_FAILED", { etag })];
const FOREIGN = '"0123456789abcdef"';

describe.each(RESOURCES)("%s", (_, resource) => {
  it("has a tag that stays as long as it does", async () => {
    const { ask } = await situate(resource);
    const [first, second] = [await ask("GET"), await ask("GET")];
    expect(first.headers.get("etag")).toEqual(tagPattern);
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(first.json).not.toHaveProperty("data.tag");
  });

  it.each(resource.writes)("%s %s is refused for another version, and changes nothing", async (method, below, body) => {
    const { ask, tagNow } = await situate(resource);
    const tag = await tagNow();
    const before = await fingerprint(h);
    const refused = await ask(method, below, { body, headers: match(FOREIGN) });
    expect(said(refused)).toEqual(stale(tag));
    expect(refused.headers.get("etag")).toBe(tag);
    expect(await fingerprint(h)).toEqual(before);
  });

  it.each(resource.writes)("%s %s takes the version that was read, by a weak tag too", async (method, below, body) => {
    const { ask, tagNow } = await situate(resource);
    const tag = await tagNow();
    const written = await ask(method, below, { body, headers: match(`${FOREIGN}, W/${tag}`) });
    expect(written.status).toBe(200);
    if (method === "DELETE") return;
    expect(written.headers.get("etag")).toEqual(tagPattern);
    expect(written.headers.get("etag")).not.toBe(tag);
    expect(written.headers.get("etag")).toBe(await tagNow());
    expect(written.json).not.toHaveProperty("data.tag");
    expect(said(await ask(method, below, { body, headers: match(tag) }))).toEqual(stale(await tagNow()));
  });

  it.each(changesOf(resource))(
    "%s %s with %j keeps tag and row where it changes nothing, and is refused for another version",
    async (method, below, body) => {
      const { id, ask, tagNow } = await situate(resource);
      const row = () => h.rows(`select * from ${resource.table} where id = $1`, [id]);
      expect((await ask(method, below, { body })).status).toBe(200);
      const [before, tag] = [await row(), await tagNow()];
      const again = await ask(method, below, { body, headers: match(tag) });
      expect([again.status, again.headers.get("etag")]).toEqual([200, tag]);
      expect(await row()).toEqual(before);
      expect(said(await ask(method, below, { body, headers: match(FOREIGN) }))).toEqual(stale(tag));
      expect([await row(), await tagNow()]).toEqual([before, tag]);
    },
  );

  it.each(resource.writes)("%s %s refuses what is no tag", async (method, below, body) => {
    const { ask } = await situate(resource);
    const answer = await ask(method, below, { body, headers: match("abc") });
    expect(said(answer)).toEqual(invalid("If-Match: must be * or tags in quotes, as ETag has them"));
  });

  it("takes any version with *, and without the header", async () => {
    const { ask } = await situate(resource);
    const [[method, below, body] = ["PUT", ""] as const] = resource.writes;
    for (const headers of [match("*"), {}]) expect((await ask(method, below, { body, headers })).status).toBe(200);
  });

  it("is changed by one of two at a time who read the same version", async () => {
    const { ask, tagNow } = await situate(resource);
    const [[method, below, body] = ["PUT", ""] as const] = resource.writes;
    const headers = match(await tagNow());
    const both = await Promise.all([1, 2].map(() => ask(method, below, { body, headers })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  });

  it.each([
    ["with a change", 0],
    ["with what would change nothing", 1],
  ])("is not changed by who waited for another change of it: %s", async (_what, before) => {
    const { id, ask, tagNow } = await situate(resource);
    const [[method, below, body] = ["PUT", ""] as const] = resource.writes;
    for (let i = 0; i < before; i++) expect((await ask(method, below, { body })).status).toBe(200);
    const headers = match(await tagNow());
    const other = new pg.Client({ connectionString: h.postgresUrl });
    await other.connect();
    try {
      await other.query("begin");
      await other.query(`update ${resource.table} set created_at = created_at - interval '1 day' where id = $1`, [id]);
      const waiting = ask(method, below, { body, headers });
      const [{ pid }] = (await other.query("select pg_backend_pid() as pid")).rows as [{ pid: number }];
      const blocked = () => h.count("pg_stat_activity where $1::int = any (pg_blocking_pids(pid))", [pid]);
      await h.until(blocked, (n) => n > 0);
      await other.query("commit");
      expect(said(await waiting)).toEqual(stale(await tagNow()));
    } finally {
      await other.end();
    }
  });
});

const resourceOf = (what: string) => RESOURCES.find(([named]) => named === what)?.[1] as Resource;
const of = (what: string) => situate(resourceOf(what));

describe("a tag", () => {
  it("of an offer is not moved by what is counted, nor by its creatives", async () => {
    const { id, world, tagNow } = await of("an offer");
    const tag = await tagNow();
    await h.rows("update offers set capped_through = 'infinity', taper = 2, changed_at = now() where id = $1", [id]);
    await h.rows("insert into offer_usage (offer_id, day, used) values ($1, current_date, 5)", [id]);
    const path = `/api/v1/offers/${id}/creatives/${world.creative.id}`;
    const body = { destinationUrl: "https://elsewhere.example/" };
    expect((await api(h, "PUT", path, { token: world.platform.token, body })).status).toBe(200);
    expect(await tagNow()).toBe(tag);
  });

  it("of a token is not moved by its use, nor by another key that encrypts it", async () => {
    const { id, tagNow } = await of("a token");
    const tag = await tagNow();
    await h.rows("update api_tokens set last_used_on = '2026-01-01', bearer_ciphertext = 'other' where id = $1", [id]);
    expect(await tagNow()).toBe(tag);
  });

  it("of a site is not moved by who makes it again, nor by a placement that comes onto it by its name", async () => {
    const { world, ask, tagNow } = await of("a site");
    const { privateKey: token } = world.publisher;
    const tag = await tagNow();
    const { json } = await ask("GET");
    const { name: storeName } = (json as { data: { name: string } }).data;
    const made = { name: storeName, description: "Other" };
    expect((await api(h, "POST", "/api/site", { token, body: made })).status).toBe(200);
    const placement = { ...name, pageType: "ORDER_PAGE", storeName, storeUrl: "https://other.example/" };
    expect(said(await api(h, "POST", "/api/placements", { token, body: placement }))).toMatchObject([
      201,
      { data: { siteId: world.site.id } },
    ]);
    expect(await tagNow()).toBe(tag);
  });

  it.each(["an advertiser", "an offer", "a creative"])("of %s stays when it is archived again", async (what) => {
    const { id, world, ask } = await of(what);
    const { table } = resourceOf(what);
    // Somebody has seen the offer: what was never seen is deleted.
    await h.rows("update offers set daily_cap = 5 where id = $1", [world.offer.id]);
    const first = await ask("DELETE");
    expect(first.headers.get("etag")).toEqual(tagPattern);
    const row = () => h.rows(`select * from ${table} where id = $1`, [id]);
    const before = await row();
    const headers = match(first.headers.get("etag") ?? "");
    expect((await ask("DELETE", "", { headers })).headers.get("etag")).toBe(first.headers.get("etag"));
    expect(await row()).toEqual(before);
    expect((await ask("DELETE", "", { headers: match(FOREIGN) })).status).toBe(412);
  });

  it("comes with what is created, and with what is archived", async () => {
    const { world } = await of("an offer");
    const { token } = world.platform;
    const made = await api(h, "POST", "/api/v1/advertisers", { token, body: { name: newId("event") } });
    expect(made.headers.get("etag")).toEqual(tagPattern);
    const path = `/api/v1/advertisers/${world.advertiser.id}`;
    const archived = await api(h, "DELETE", path, { token });
    expect(archived.json).toMatchObject({ message: "Advertiser archived successfully" });
    expect(archived.headers.get("etag")).toBe((await api(h, "GET", path, { token })).headers.get("etag"));
  });

  it.each(["abc", '"abc', 'W/abc, "d"', "*, *", '"a" "b" c'])("must be one: %s is told", async (header) => {
    const { ask } = await of("a site");
    const answer = await ask("PUT", "", { body: name, headers: match(header) });
    expect(said(answer)).toEqual(invalid("If-Match: must be * or tags in quotes, as ETag has them"));
  });

  it("of nobody's making never matches", async () => {
    const { ask, tagNow } = await of("a site");
    const headers = match(`"", "a b", "'; --", "ä"`);
    expect(said(await ask("PUT", "", { body: name, headers }))).toEqual(stale(await tagNow()));
  });

  it("matters not where there is nothing, nor where a rule forbids the change whatever the version", async () => {
    const { ask, world } = await of("a site");
    const id = newId("site");
    const { privateKey: token } = world.publisher;
    const gone = await api(h, "PUT", `/api/site/${id}`, { token, body: name, headers: match(FOREIGN) });
    expect(said(gone)).toEqual(missing("Site", id));
    await makePlacement(h.db, world.site.id);
    const headers = match(FOREIGN);
    expect(said(await ask("DELETE", "", { headers }))).toEqual([403, wrapped("FORBIDDEN", { activePlacements: 1 })]);
  });
});
