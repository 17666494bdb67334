import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, idOf, invalid, said, timestamp } from "../../support/api.ts";
import { makeInventory, makePlatform, makeSite } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

type Row = { id: string; name: string };

const ask = (what: string, token: string, query = "") => api(h, "GET", `/api/v1/directory/${what}${query}`, { token });
const idsOf = async (what: string, token: string, query = "") =>
  dataOf<Row[]>(await ask(what, token, query)).map(({ id }) => id);

const me = async (token: string) => said(await api(h, "GET", "/api/v1/me", { token }));

/** Makes a platform with a publisher that has two sites, one of them without a placement. */
const makeTenant = async () => {
  const platform = await makePlatform(h.db);
  const made = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const bare = await makeSite(h.db, made.publisher.id, { status: "pending", domain: `${made.site.id}.example` });
  return { platform, ...made, bare };
};

describe("the directory", () => {
  it("tells of publishers, sites and placements all that a list shows", async () => {
    const { platform, publisher, site, placement, bare } = await makeTenant();
    const page = { skip: 0, take: 50, hasMore: false };
    expect(said(await ask("publishers", publisher.privateKey))).toEqual([
      200,
      {
        success: true,
        data: [
          {
            id: publisher.id,
            name: publisher.name,
            contactName: "Toni Test",
            contactEmail: publisher.contactEmail,
            contactPhone: null,
            status: "active",
            adsEnabled: true,
            elevatedLimits: false,
            platformId: platform.id,
            platformName: platform.name,
            sites: 2,
            placements: 1,
            activePlacements: 1,
            createdAt: timestamp,
            updatedAt: timestamp,
          },
        ],
        pagination: { total: 1, ...page },
      },
    ]);
    const siteRow = {
      adsEnabled: true,
      publisherId: publisher.id,
      publisherName: publisher.name,
      createdAt: timestamp,
      updatedAt: timestamp,
    };
    expect(said(await ask("sites", platform.token))).toEqual([
      200,
      {
        success: true,
        data: [
          {
            ...siteRow,
            id: bare.id,
            name: bare.name,
            domain: bare.domain,
            status: "pending",
            placements: 0,
            activePlacements: 0,
          },
          {
            ...siteRow,
            id: site.id,
            name: site.name,
            domain: null,
            status: "active",
            placements: 1,
            activePlacements: 1,
          },
        ],
        pagination: { total: 2, ...page },
      },
    ]);
    expect(said(await ask("placements", SECRETS.ADMIN_TOKEN, `?publisherId=${publisher.id}`))).toEqual([
      200,
      {
        success: true,
        data: [
          {
            id: placement.id,
            name: placement.name,
            pageType: placement.pageType,
            isLiveMode: true,
            status: "active",
            siteId: site.id,
            siteName: site.name,
            siteStatus: "active",
            siteAdsEnabled: true,
            publisherId: publisher.id,
            publisherName: publisher.name,
            createdAt: timestamp,
            updatedAt: timestamp,
          },
        ],
        pagination: { total: 1, ...page },
      },
    ]);
    expect(placement.id).toEqual(idOf("plc"));
  });

  it("keeps publishers and platforms to what is their own, also when they ask for another's by id", async () => {
    const [one, other] = [await makeTenant(), await makeTenant()];
    for (const [what, id, own] of [
      ["publishers", other.publisher.id, [one.publisher.id]],
      ["sites", other.site.id, [one.bare.id, one.site.id]],
      ["placements", other.placement.id, [one.placement.id]],
    ] as const) {
      for (const token of [one.publisher.privateKey, one.platform.token]) {
        expect(await idsOf(what, token)).toEqual(own);
        expect(await idsOf(what, token, `?id=${id}`)).toEqual([]);
      }
      expect(await idsOf(what, SECRETS.ADMIN_TOKEN, `?id=${id}`)).toEqual([id]);
    }
    expect(await idsOf("sites", one.platform.token, `?publisherId=${other.publisher.id}`)).toEqual([]);
  });

  it("searches and filters", async () => {
    const { platform, publisher, site, placement, bare } = await makeTenant();
    const both = [bare.id, site.id];
    const cases: [what: string, query: string, found: string[]][] = [
      ["publishers", `search=${publisher.contactEmail.toUpperCase()}`, [publisher.id]],
      ["publishers", "search=toni test", [publisher.id]],
      ["publishers", "search=nobody", []],
      ["publishers", "status=inactive", []],
      ["publishers", "adsEnabled=true", [publisher.id]],
      ["publishers", "platformId=plat_other", []],
      ["sites", `search=${site.id}`, both],
      ["sites", `search=${bare.domain}`, [bare.id]],
      ["sites", "search=%25", []],
      ["sites", "status=pending", [bare.id]],
      ["sites", "adsEnabled=false", []],
      ["sites", "take=1&skip=1", [site.id]],
      ["placements", `search=${site.name}`, [placement.id]],
      ["placements", `search=${placement.name}`, [placement.id]],
      ["placements", `siteId=${bare.id}`, []],
      ["placements", "isLiveMode=false", []],
      ["placements", "status=active", [placement.id]],
    ];
    for (const [what, query, found] of cases) {
      expect([query, await idsOf(what, platform.token, `?${query}`)]).toEqual([query, found]);
    }
  });

  it.each([
    ["publishers?status=paused", "status: must be one of active, inactive"],
    ["sites?adsEnabled=1", "adsEnabled: must be true or false"],
    ["placements?isLiveMode=yes", "isLiveMode: must be true or false"],
    ["sites?search=", "search: must not be empty"],
  ])("refuses %s", async (what, message) => {
    expect(said(await ask(what, SECRETS.ADMIN_TOKEN))).toEqual(invalid(message));
  });
});

describe("GET /api/v1/me", () => {
  const all = { access: "WRITE", revenueAccess: true, grossAccess: true };

  it("tells whose a credential is, and what it may", async () => {
    const { platform, publisher } = await makeTenant();
    expect(await me(SECRETS.ADMIN_TOKEN)).toEqual([
      200,
      { success: true, data: { kind: "admin", id: null, name: null, ...all } },
    ]);
    expect(await me(platform.token)).toEqual([
      200,
      { success: true, data: { kind: "platform", id: platform.id, name: platform.name, ...all } },
    ]);
    expect(await me(publisher.privateKey)).toEqual([
      200,
      {
        success: true,
        data: { kind: "publisher", id: publisher.id, name: publisher.name, ...all, grossAccess: false },
      },
    ]);
  });

  it("tells a token that may only read so", async () => {
    const { publisher } = await makeTenant();
    const { bearer } = dataOf<{ bearer: string }>(
      await api(h, "POST", `/api/v1/publishers/${publisher.id}/api-tokens`, {
        token: publisher.privateKey,
        body: { name: "Reader", access: "READ", revenueAccess: false },
      }),
    );
    expect(await me(bearer)).toMatchObject([200, { data: { access: "READ", revenueAccess: false } }]);
  });
});
