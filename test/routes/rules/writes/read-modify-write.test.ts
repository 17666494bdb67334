import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { makePlatform, makeSite } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { makeWorld, type World } from "../../../support/routes/every-route.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
let world: World;

beforeAll(async () => {
  h = await sharedHarness();
  world = await makeWorld(h);
});

type Resource = Record<string, unknown>;
type Trip = {
  read: () => string;
  /** Names the resource in a list, where it is read from one. */
  inList?: () => string;
  method: "PUT" | "PATCH";
  write?: () => string;
  token: () => string;
  change: () => Resource;
};

const publisher = () => world.publisher.privateKey;
const platform = () => world.platform.token;
const token = () => `/api/v1/publishers/${world.publisher.id}/api-tokens/${world.tokenId}`;
const creativePath = () => `/api/v1/offers/${world.offer.id}/creatives/${world.creative.id}`;
const name = () => ({ name: newId("event") });

/** Lists every resource that can be changed, how it is read, and one change. */
const TRIPS: [what: string, trip: Trip][] = [
  [
    "a platform",
    {
      read: () => "/api/v1/platforms",
      inList: () => world.platform.id,
      method: "PUT",
      write: () => `/api/v1/platforms/${world.platform.id}`,
      token: () => SECRETS.ADMIN_TOKEN,
      change: name,
    },
  ],
  [
    "a publisher's limits",
    {
      read: () => "/api/v1/publishers?include=relations",
      inList: () => world.publisher.id,
      method: "PATCH",
      write: () => `/api/v1/publishers/${world.publisher.id}/limits`,
      token: platform,
      change: () => ({ elevatedLimits: false }),
    },
  ],
  [
    "a placement",
    { read: () => `/api/placements/${world.placement.id}`, method: "PUT", token: publisher, change: name },
  ],
  [
    "a placement's status",
    {
      read: () => `/api/placements/${world.placement.id}`,
      method: "PUT",
      token: publisher,
      change: () => ({ status: "active" }),
    },
  ],
  ["a token", { read: token, method: "PUT", token: platform, change: name }],
  [
    "a token of the list",
    {
      read: () => `/api/v1/publishers/${world.publisher.id}/api-tokens`,
      inList: () => world.tokenId,
      method: "PUT",
      write: token,
      token: publisher,
      change: name,
    },
  ],
  [
    "a token's access",
    {
      read: token,
      method: "PATCH",
      write: () => `${token()}/access`,
      token: platform,
      change: () => ({ grossAccess: true }),
    },
  ],
  [
    "an advertiser",
    { read: () => `/api/v1/advertisers/${world.advertiser.id}`, method: "PUT", token: platform, change: name },
  ],
  [
    "an advertiser's status",
    {
      read: () => `/api/v1/advertisers/${world.advertiser.id}`,
      method: "PUT",
      token: platform,
      change: () => ({ status: "paused" }),
    },
  ],
  ["an offer", { read: () => `/api/v1/offers/${world.offer.id}`, method: "PUT", token: platform, change: name }],
  [
    "an offer of the list",
    {
      read: () => `/api/v1/offers?advertiserId=${world.advertiser.id}`,
      inList: () => world.offer.id,
      method: "PUT",
      write: () => `/api/v1/offers/${world.offer.id}`,
      token: platform,
      change: () => ({ status: "paused" }),
    },
  ],
];

const readOne = async ({ read, inList, token: by }: Trip): Promise<Resource> => {
  const data = dataOf<Resource | Resource[]>(await api(h, "GET", read(), { token: by() }));
  if (!inList) return data as Resource;
  const found = (data as Resource[]).find(({ id }) => id === inList());
  if (!found) throw new Error(`${inList()} is not in the list`);
  return found;
};

describe("a client that reads, changes one member and puts the whole back", () => {
  it.each(TRIPS)("changes just that: %s", async (_, trip) => {
    const before = await readOne(trip);
    const change = trip.change();
    const path = (trip.write ?? trip.read)();
    const answer = await api(h, trip.method, path, { token: trip.token(), body: { ...before, ...change } });
    expect(said(answer)).toMatchObject([200, { success: true }]);
    const after = await readOne(trip);
    const shown = Object.fromEntries(Object.entries(change).filter(([member]) => member in before));
    expect(after).toEqual({ ...before, ...shown, ...("updatedAt" in before ? { updatedAt: after["updatedAt"] } : {}) });
  });
});

describe("whose something is", () => {
  it.each<[field: string, path: () => string, by: () => string, other: () => Promise<string>]>([
    [
      "siteId",
      () => `/api/placements/${world.placement.id}`,
      publisher,
      async () => (await makeSite(h.db, world.publisher.id)).id,
    ],
    ["siteId", () => `/api/placements/${world.placement.id}`, publisher, async () => newId("site")],
    [
      "platformId",
      () => `/api/v1/advertisers/${world.advertiser.id}`,
      () => SECRETS.ADMIN_TOKEN,
      async () => (await makePlatform(h.db)).id,
    ],
    ["advertiserId", () => `/api/v1/offers/${world.offer.id}`, platform, async () => newId("advertiser")],
  ])("cannot be changed: %s", async (field, path, by, other) => {
    const before = dataOf<Resource>(await api(h, "GET", path(), { token: by() }));
    const body = { name: "Moved", [field]: await other() };
    const answer = await api(h, "PUT", path(), { token: by(), body });
    expect(said(answer)).toEqual(invalid(`${field}: cannot be changed`));
    expect(dataOf(await api(h, "GET", path(), { token: by() }))).toEqual(before);
  });

  it.each<[field: string, path: () => string, by: () => string, other: () => string]>([
    ["siteId", () => `/api/placements/${world.placement.id}`, publisher, () => newId("site")],
    ["platformId", () => `/api/v1/advertisers/${world.advertiser.id}`, platform, () => newId("platform")],
    ["advertiserId", () => `/api/v1/offers/${world.offer.id}`, platform, () => newId("advertiser")],
    ["offerId", creativePath, platform, () => newId("offer")],
  ])("may come with a switch, and cannot be changed by it: %s", async (field, path, by, other) => {
    const read = async () => dataOf<Resource>(await api(h, "GET", path(), { token: by() }));
    const switched = (value: unknown, status: unknown) =>
      api(h, "PATCH", `${path()}/status`, { token: by(), body: { status, [field]: value } });
    const before = await read();
    const next = field === "siteId" ? "inactive" : "archived";
    expect(said(await switched(other(), next))).toEqual(invalid(`${field}: cannot be changed`));
    expect(await read()).toEqual(before);
    expect((await switched(before[field], before["status"])).status).toBe(200);
    expect((await switched(before[field], next)).status).toBe(200);
    expect(await read()).toMatchObject({ [field]: before[field], status: next });
  });
});
