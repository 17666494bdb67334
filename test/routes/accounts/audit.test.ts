import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, idOf, invalid, missing, said, timestamp, wrapped, type Method } from "../../support/api.ts";
import { makeInventory, makePlatform, makeSite } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

/** A publisher and a site, each switched three times, and the tokens that may see it. */
const makeHistory = async () => {
  const platform = await makePlatform(h.db);
  const { publisher, site } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const tokens = { publisher: publisher.privateKey, platform: platform.token, admin: SECRETS.ADMIN_TOKEN };
  const headers = { "cf-connecting-ip": "2001:db8::1" };
  const patch = (path: string, body: object, token = tokens.publisher) =>
    api(h, "PATCH" satisfies Method, path, { token, body, headers });
  for (const [root, token] of [
    [`/api/v1/publishers/${publisher.id}`, tokens.platform],
    [`/api/site/${site.id}`, tokens.publisher],
  ] as const) {
    await patch(`${root}/status`, { status: "inactive", reason: "Paused" });
    await patch(`${root}/ads`, { adsEnabled: false });
    await patch(`${root}/status`, { status: "active" }, token);
  }
  const roots = { Publisher: `/api/v1/publishers/${publisher.id}`, Site: `/api/site/${site.id}` };
  return { platform, publisher, site, tokens, roots };
};
type History = Awaited<ReturnType<typeof makeHistory>>;

const KINDS = ["Publisher", "Site"] as const;
const CALLERS = ["publisher", "platform", "admin"] as const;
const events = (path: string, token: string, query = "") => api(h, "GET", `${path}/events${query}`, { token });

const expectedOf = ({ platform, publisher, site }: History, kind: (typeof KINDS)[number]) => {
  const own = `publisher:${publisher.id}`;
  const payload = {
    ...(kind === "Site" ? { siteId: site.id } : {}),
    publisherId: publisher.id,
    callerIpAddress: "2001:db8::1",
  };
  const type =
    kind === "Site" ? ["site_status_change", "site_ads_toggle"] : ["publisher_status_change", "publisher_ads_toggle"];
  const states = [
    { status: "active", adsEnabled: true },
    { status: "inactive", adsEnabled: true },
    { status: "inactive", adsEnabled: false },
    { status: "active", adsEnabled: false },
  ];
  return [
    [kind === "Site" ? own : `service:${platform.id}`, type[0], null, states[2], states[3]],
    [own, type[1], null, states[1], states[2]],
    [own, type[0], "Paused", states[0], states[1]],
  ].map(([source, eventType, reason, before, after]) => ({
    id: idOf("evt"),
    source,
    eventType,
    payload,
    reason,
    before,
    after,
    createdAt: timestamp,
  }));
};

describe.each(KINDS)("the events of a %s", (kind) => {
  it.each(CALLERS)("are read, newest first, by its %s", async (caller) => {
    const history = await makeHistory();
    expect(said(await events(history.roots[kind], history.tokens[caller]))).toEqual([
      200,
      {
        success: true,
        data: expectedOf(history, kind),
        pagination: { total: 3, skip: 0, take: 50, hasMore: false },
      },
    ]);
  });

  it("are paged", async () => {
    const { roots, tokens } = await makeHistory();
    const all = dataOf<object[]>(await events(roots[kind], tokens.publisher));
    for (const [query, from, to, pagination] of [
      ["?take=1", 0, 1, { total: 3, skip: 0, take: 1, hasMore: true }],
      ["?skip=1&take=2", 1, 3, { total: 3, skip: 1, take: 2, hasMore: false }],
      ["?skip=3", 3, 3, { total: 3, skip: 3, take: 50, hasMore: false }],
    ] as const) {
      expect((await events(roots[kind], tokens.publisher, query)).json).toEqual({
        success: true,
        data: all.slice(from, to),
        pagination,
      });
    }
  });

  it.each([
    ["take=0", "take: must be between 1 and 100"],
    ["take=101", "take: must be between 1 and 100"],
    ["skip=x", "skip: must be an integer"],
  ])("are refused with %s", async (query, detail) => {
    const { publisher, site } = await makeInventory(h.db);
    const root = kind === "Site" ? `/api/site/${site.id}` : `/api/v1/publishers/${publisher.id}`;
    expect(said(await events(root, publisher.privateKey, `?${query}`))).toEqual(invalid(detail));
  });

  it("are none before the first switch", async () => {
    const { publisher, site } = await makeInventory(h.db);
    const root = kind === "Site" ? `/api/site/${site.id}` : `/api/v1/publishers/${publisher.id}`;
    expect((await events(root, publisher.privateKey)).json).toEqual({
      success: true,
      data: [],
      pagination: { total: 0, skip: 0, take: 50, hasMore: false },
    });
  });

  it("are not for other publishers and platforms", async () => {
    const { roots, site } = await makeHistory();
    const stranger = await makeHistory();
    const refusal = kind === "Site" ? missing("Site", site.id) : [403, wrapped("FORBIDDEN")];
    for (const token of [stranger.tokens.publisher, stranger.tokens.platform]) {
      expect(said(await events(roots[kind], token))).toEqual(refusal);
    }
  });
});

describe("a site's events", () => {
  it("are its own, not its sibling's", async () => {
    const { publisher, tokens } = await makeHistory();
    const sibling = await makeSite(h.db, publisher.id);
    expect(dataOf(await events(`/api/site/${sibling.id}`, tokens.publisher))).toEqual([]);
  });
});

describe("the caller's address", () => {
  it("is what the edge saw, never what the caller claims", async () => {
    const { publisher, tokens, roots } = await makeHistory();
    const headers = {
      "x-forwarded-for": "198.51.100.1",
      "x-real-ip": "198.51.100.1",
      "cf-connecting-ip": "203.0.113.9",
    };
    await api(h, "PATCH", `${roots.Publisher}/ads`, { token: tokens.publisher, body: { adsEnabled: true }, headers });
    const [latest] = dataOf<object[]>(await events(roots.Publisher, tokens.publisher, "?take=1"));
    expect(latest).toMatchObject({ payload: { publisherId: publisher.id, callerIpAddress: "203.0.113.9" } });
  });
});
