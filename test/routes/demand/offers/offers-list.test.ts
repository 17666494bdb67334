import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, invalid, said, type Method } from "../../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlatform, offerBody } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const ADMIN = SECRETS.ADMIN_TOKEN;

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;
let advertiserId: string;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
  advertiserId = (await makeAdvertiser(h.db, { platformId: platform.id })).id;
});

const ask = (method: Method, path: string, body?: object, token: string = platform.token) =>
  api(h, method, `/api/v1/offers${path}`, { token, body });

describe("the list", () => {
  it("shows a platform its own, newest first, page by page", async () => {
    const own = await makePlatform(h.db);
    const advertiser = await makeAdvertiser(h.db, { platformId: own.id });
    const made = [];
    for (let hour = 0; hour < 3; hour++) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, hour));
      made.unshift((await makeOffer(h.db, advertiser.id, { createdAt })).id);
    }
    const list = async (query: string, token = own.token) => {
      const { json } = await ask("GET", `?${query}`, undefined, token);
      const { data, pagination } = json as { data: { id: string }[]; pagination: object };
      return { ids: data.map(({ id }) => id), pagination };
    };
    const page = { total: 3, skip: 0, take: 50, hasMore: false };
    expect(await list("")).toEqual({ ids: made, pagination: page });
    expect(await list(`platformId=${own.id}`, ADMIN)).toEqual({ ids: made, pagination: page });
    expect(await list(`advertiserId=${advertiser.id}`, ADMIN)).toEqual({ ids: made, pagination: page });
    const second = { ids: made.slice(1, 2), pagination: { ...page, skip: 1, take: 1, hasMore: true } };
    expect(await list("skip=1&take=1")).toEqual(second);
    expect((await list(`platformId=${platform.id}`)).ids).toEqual([]);
    expect((await list(`advertiserId=${advertiserId}`)).ids).toEqual([]);
    expect((await list(`advertiserId=adv_1`)).ids).toEqual([]);
  });

  it("shows whole offers", async () => {
    const given = offerBody(advertiserId, {
      status: "paused",
      targeting: { countries: ["DE"], categories: ["B2B > CRM"] },
    });
    const made = dataOf<object>(await ask("POST", "", given));
    expect(dataOf<object[]>(await ask("GET", "?status=paused"))).toContainEqual(made);
  });

  it("filters by status and searches the texts, taking % and _ and \\ for what they are", async () => {
    const own = await makePlatform(h.db);
    const { id } = await makeAdvertiser(h.db, { platformId: own.id });
    await makeOffer(h.db, id, { name: "1", title: "50% off" });
    await makeOffer(h.db, id, { name: "2", header: "50 off" });
    await makeOffer(h.db, id, { name: "3_a", description: String.raw`line\nbreak` });
    await makeOffer(h.db, id, { name: "4", ctaText: "50% off", status: "paused" });
    const found = async (query: Record<string, string>) => {
      const answer = await ask("GET", `?${new URLSearchParams(query).toString()}`, undefined, own.token);
      return dataOf<{ name: string }[]>(answer).map(({ name }) => name);
    };
    expect(await found({ search: "50%" })).toEqual(["1"]);
    expect(await found({ search: "50" })).toEqual(["2", "1"]);
    expect(await found({ search: "_" })).toEqual(["3_a"]);
    expect(await found({ search: "\\" })).toEqual(["3_a"]);
    expect(await found({ search: "OFF" })).toEqual(["2", "1"]);
    expect(await found({ status: "paused" })).toEqual(["4"]);
    expect(await found({ status: "paused", search: "OFF" })).toEqual([]);
  });

  it.each([
    ["status=deleted", "status: must be one of active, paused, archived"],
    ["take=101", "take: must be between 1 and 100"],
    ["advertiserId=", "advertiserId: must not be empty"],
    ["search=%00", "search: must not contain NUL or unpaired surrogates"],
  ])("refuses ?%s", async (query, problem) => {
    expect(said(await ask("GET", `?${query}`))).toEqual(invalid(problem));
  });
});
