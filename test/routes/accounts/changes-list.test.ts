import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, idOf, invalid, said, timestamp } from "../../support/api.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { makeWorld, type World } from "../../support/routes/every-route.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;
let world: World;
let other: World;

/** Makes changes of a publisher, its site and a platform's offer, in this order. */
const makeChanges = async () => {
  const own = await makeWorld(h);
  const { publisher, site, offer, platform } = own;
  const changes: [path: string, token: string, body: object][] = [
    [`/api/v1/publishers/${publisher.id}`, publisher.privateKey, { name: `First ${publisher.id}` }],
    [`/api/site/${site.id}`, publisher.privateKey, { name: "Second" }],
    [`/api/v1/offers/${offer.id}`, platform.token, { name: "Third" }],
    [`/api/site/${site.id}`, publisher.privateKey, { orderVolume: 4 }],
  ];
  for (const [path, token, body] of changes) {
    const headers = { "x-request-id": "change-1", "cf-connecting-ip": "203.0.113.7" };
    expect((await api(h, "PUT", path, { token, body, headers })).status).toBe(200);
  }
  return own;
};

beforeAll(async () => {
  h = await sharedHarness();
  world = await makeChanges();
  other = await makeChanges();
});

const list = (query: string, token: string) => api(h, "GET", `/api/v1/audit?${query}`, { token });
type Record = { id: string; resource: { kind: string; id: string }; publisherId: string | null; createdAt: string };
const found = async (query: string, token: string) =>
  dataOf<Record[]>(await list(query, token)).map(({ resource }) => `${resource.kind} ${resource.id}`);

const siteOf = ({ site }: World) => `site ${site.id}`;
const publisherOf = ({ publisher }: World) => `publisher ${publisher.id}`;
const offerOf = ({ offer }: World) => `offer ${offer.id}`;

describe("GET /api/v1/audit", () => {
  it("tells times in UTC with milliseconds, also of old records, and leaves texts that look like times", async () => {
    const { offer, platform } = await makeWorld(h);
    const name = "2026-12-01T00:00:00.5+00:00";
    const body = { name, startsAt: "2026-12-01T01:00:00.5+01:00", endsAt: null };
    const changed = await api(h, "PUT", `/api/v1/offers/${offer.id}`, { token: platform.token, body });
    expect(changed.status).toBe(200);
    const query = `resource=offer&id=${offer.id}`;
    const [told] = dataOf<{ before: object; after: object }[]>(await list(query, platform.token));
    expect(told).toMatchObject({ before: { startsAt: null }, after: { name, startsAt: "2026-12-01T00:00:00.500Z" } });
    await h.rows(
      `update audit_log set before = '{"createdAt": "2025-01-02T03:04:05.678901+00:00", "endsAt": "hidden"}' where resource_id = $1`,
      [offer.id],
    );
    const [old] = dataOf<{ before: object }[]>(await list(query, platform.token));
    expect(old?.before).toEqual({ createdAt: "2025-01-02T03:04:05.678Z", endsAt: "hidden" });
  });

  it("shows a publisher its own things, newest first", async () => {
    const { publisher, site, platform } = world;
    const answer = await list("take=1", publisher.privateKey);
    expect(said(answer)).toEqual([
      200,
      {
        success: true,
        data: [
          {
            id: idOf("evt"),
            actor: { kind: "publisher", id: publisher.id },
            resource: { kind: "site", id: site.id },
            action: "update",
            publisherId: publisher.id,
            platformId: platform.id,
            before: { orderVolume: null },
            after: { orderVolume: 4 },
            reason: null,
            requestId: "change-1",
            callerIpAddress: "203.0.113.7",
            createdAt: timestamp,
          },
        ],
        pagination: { total: 3, skip: 0, take: 1, hasMore: true },
      },
    ]);
    expect(await found("", publisher.privateKey)).toEqual([siteOf(world), siteOf(world), publisherOf(world)]);
  });

  it("shows a platform its own and its publishers'", async () => {
    expect(await found("", world.platform.token)).toEqual([
      siteOf(world),
      offerOf(world),
      siteOf(world),
      publisherOf(world),
    ]);
  });

  it("shows the administrator all", async () => {
    const all = await found(`publisherId=${other.publisher.id}`, SECRETS.ADMIN_TOKEN);
    expect(all).toEqual([siteOf(other), siteOf(other), publisherOf(other)]);
    expect(await found(`id=${world.offer.id}`, SECRETS.ADMIN_TOKEN)).toEqual([offerOf(world)]);
  });

  it("shows nobody what is another's", async () => {
    const { publisher, platform } = world;
    for (const token of [publisher.privateKey, platform.token]) {
      expect(await found(`publisherId=${other.publisher.id}`, token)).toEqual([]);
      expect(await found(`id=${other.site.id}`, token)).toEqual([]);
    }
    expect(await found("resource=offer", publisher.privateKey)).toEqual([]);
  });

  it("filters by kind, id, action, publisher and time", async () => {
    const { platform, publisher, site } = world;
    const token = platform.token;
    expect(await found("resource=offer", token)).toEqual([offerOf(world)]);
    expect(await found(`resource=site&id=${site.id}&skip=1`, token)).toEqual([siteOf(world)]);
    expect(await found(`resource=site&id=${publisher.id}`, token)).toEqual([]);
    expect(await found("action=delete", token)).toEqual([]);
    expect(await found(`action=update&publisherId=${publisher.id}`, token)).toHaveLength(3);
    const [last, , , first] = dataOf<Record[]>(await list("", token));
    expect(await found(`from=${last?.createdAt}`, token)).toContain(siteOf(world));
    expect(await found(`to=${first?.createdAt}`, token)).toEqual([]);
    expect(await found(`from=${first?.createdAt}&to=2999-01-01T00:00:00Z`, token)).toHaveLength(4);
    expect(await found("from=2999-01-01T00:00:00Z", token)).toEqual([]);
  });

  it.each([
    ["resource=shop", /^resource: must be one of platform, platformToken, publisher, token, publicKey, site, /],
    ["action=rename", /^action: must be one of create, update, delete, erase$/],
    ["from=20261101", /^from: must be an ISO 8601 time with its zone$/],
    ["from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", /^to: must be after from$/],
    ["from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z", /^to: must be after from$/],
    ["id=%00", /^id: must not contain NUL/],
    ["kind=site", /^kind: is not known$/],
  ])("refuses %s", async (query, problem) => {
    const answer = await list(query, world.platform.token);
    expect(said(answer)).toEqual(invalid(expect.stringMatching(problem) as string));
  });
});
