import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { hashSecret } from "../../../db/core/secrets/secrets.ts";
import {
  api,
  dataOf,
  disallowed,
  idOf,
  invalid,
  keyOf,
  missing,
  said,
  taken,
  timestamp,
  type Method,
} from "../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

const keys = { conversionSecret: keyOf("lan_cs_"), pixelKey: keyOf("lan_px_") };

const PATH = "/api/v1/advertisers";
const ADMIN = SECRETS.ADMIN_TOKEN;

type Advertiser = { id: string; name: string; platformId: string | null; status: string } & Partial<
  Record<keyof typeof keys, string>
>;

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
});

const ask = (method: Method, path: string, body?: object, token: string = platform.token) =>
  api(h, method, `${PATH}${path}`, { token, body });
const names = async (query: string, token?: string) =>
  dataOf<Advertiser[]>(await ask("GET", `?${query}`, undefined, token)).map(({ name }) => name);
const ownerOfNew = async (body: object, token?: string) =>
  dataOf<Advertiser>(await ask("POST", "", { name: newId("advertiser"), ...body }, token)).platformId;
const nameOf = (length: number) => newId("advertiser").padEnd(length, "x");
const secretHash = async (id: string) =>
  (await h.rows<{ hash: string }>("select conversion_secret_hash as hash from advertisers where id = $1", [id]))[0]
    ?.hash;

const shape = (given: object) => ({
  id: idOf("adv"),
  platformId: platform.id,
  status: "active",
  reach: "PLATFORM",
  createdAt: timestamp,
  updatedAt: timestamp,
  ...given,
});

describe("a new advertiser", () => {
  it("is answered whole, with its conversion secret and pixel key, which only its hash is looked up by", async () => {
    const answer = await ask("POST", "", { name: "  Acme  " });
    const message = "Advertiser created successfully";
    expect(said(answer)).toEqual([201, { success: true, data: shape({ name: "Acme", ...keys }), message }]);
    const made = dataOf<Advertiser>(answer);
    expect(await secretHash(made.id)).toBe(await hashSecret(made.conversionSecret ?? ""));
    const [row] = await h.rows<{ sealed: string }>(
      "select conversion_secret_ciphertext as sealed from advertisers where id = $1",
      [made.id],
    );
    expect(row?.sealed).not.toContain(made.conversionSecret);
    expect(said(await ask("GET", `/${made.id}`))).toEqual([200, { success: true, data: made }]);
  });

  it.each<[string, object, string[]]>([
    ["no name", {}, ["name: is required"]],
    ["an empty name", { name: " " }, ["name: must not be empty"]],
    ["a long name", { name: nameOf(256) }, ["name: must have at most 255 characters"]],
    ["a number for a name", { name: 5 }, ["name: must be a string"]],
    ["NUL in its name", { name: "a\0b" }, ["name: must not contain NUL or unpaired surrogates"]],
    ["a number for a platform", { name: "X", platformId: 5 }, ["platformId: must be a string"]],
  ])("is refused with %s", async (_, body, problems) => {
    expect(said(await ask("POST", "", body))).toEqual(invalid(...problems));
  });

  it("may have a name of 255 characters, once for each owner", async () => {
    const name = nameOf(255);
    expect((await ask("POST", "", { name })).status).toBe(201);
    expect(said(await ask("POST", "", { name }))).toEqual(taken("Advertiser", name));
    expect((await ask("POST", "", { name }, ADMIN)).status).toBe(201);
    expect(said(await ask("POST", "", { name }, ADMIN))).toEqual(taken("Advertiser", name));
    expect(await h.count("advertisers where name = $1", [name])).toBe(2);
  });

  it("is the platform's own, which it may say, and whose the administrator says", async () => {
    const other = await makePlatform(h.db);
    expect(await ownerOfNew({ platformId: platform.id })).toBe(platform.id);
    for (const platformId of [other.id, newId("platform"), null]) {
      const refused = await ask("POST", "", { name: newId("advertiser"), platformId });
      expect(said(refused)).toEqual(invalid("platformId: must be left out, or your own"));
    }
    expect(await ownerOfNew({ platformId: other.id }, ADMIN)).toBe(other.id);
    expect(await ownerOfNew({ platformId: null }, ADMIN)).toBeNull();
    expect(await ownerOfNew({}, ADMIN)).toBeNull();
    for (const platformId of [newId("platform"), "plat_1"]) {
      const refused = await ask("POST", "", { name: newId("advertiser"), platformId }, ADMIN);
      expect(said(refused)).toEqual(missing("Platform", platformId));
    }
  });
});

const listed = (data: object[], skip: number, take: number, hasMore: boolean) => [
  200,
  { success: true, data, pagination: { total: 3, skip, take, hasMore } },
];

describe("the list", () => {
  it("shows a platform its own, newest first, without secrets; the administrator all", async () => {
    const own = await makePlatform(h.db);
    const made = [];
    for (const [hour, name] of ["first", "second", "third"].entries()) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, hour));
      made.unshift(await makeAdvertiser(h.db, { name: `${name} ${own.id}`, platformId: own.id, createdAt }));
    }
    const rows = made.map(({ id, name }) => shape({ id, name, platformId: own.id }));
    expect(said(await ask("GET", "", undefined, own.token))).toEqual(listed(rows, 0, 50, false));
    const page = await ask("GET", "?skip=1&take=1", undefined, own.token);
    expect(said(page)).toEqual(listed(rows.slice(1, 2), 1, 1, true));
    expect(said(await ask("GET", `?platformId=${own.id}`, undefined, ADMIN))).toEqual(listed(rows, 0, 50, false));
    expect(await names(`platformId=${own.id}`)).toEqual([]);
    expect(await names("platformId=nobody", ADMIN)).toEqual([]);
    expect((await names(`search=${own.id}`, ADMIN)).length).toBe(3);
  });

  it("filters by status and by text, taking % and _ and \\ for what they are", async () => {
    const own = await makePlatform(h.db);
    const all = ["100% Cotton", "100 Cotton", "snake_case", "snakeXcase", String.raw`back\slash`, "back/slash"];
    for (const name of all) await makeAdvertiser(h.db, { name, platformId: own.id });
    await makeAdvertiser(h.db, { name: "Paused 100%", status: "paused", platformId: own.id });
    const found = async (query: Record<string, string>) =>
      (await names(new URLSearchParams(query).toString(), own.token)).toSorted();
    expect(await found({ search: "100%" })).toEqual(["100% Cotton", "Paused 100%"]);
    expect(await found({ search: "100%", status: "active" })).toEqual(["100% Cotton"]);
    expect(await found({ search: "_" })).toEqual(["snake_case"]);
    expect(await found({ search: "\\" })).toEqual([String.raw`back\slash`]);
    expect(await found({ search: " COTTON " })).toEqual(["100 Cotton", "100% Cotton"]);
    expect(await found({ search: "'; drop table offers" })).toEqual([]);
    expect(await found({ status: "paused" })).toEqual(["Paused 100%"]);
    expect(await found({ status: "archived" })).toEqual([]);
  });

  it.each([
    ["take=0", "take: must be between 1 and 100"],
    ["take=101", "take: must be between 1 and 100"],
    ["skip=-1", "skip: must be between 0 and 9007199254740991"],
    ["status=deleted", "status: must be one of active, paused, archived"],
    ["search=", "search: must not be empty"],
    ["search=a&search=b", "search: must be given once"],
  ])("refuses ?%s", async (query, problem) => {
    expect(said(await ask("GET", `?${query}`))).toEqual(invalid(problem));
  });
});

const make = (given: object = {}) => makeAdvertiser(h.db, { platformId: platform.id, ...given });

describe("an advertiser", () => {
  it("is renamed, which says nothing of its secret", async () => {
    const { id, name } = await make();
    const message = "Advertiser updated successfully";
    const data = shape({ id, name: "Renamed" });
    expect(said(await ask("PUT", `/${id}`, { name: "Renamed" }))).toEqual([200, { success: true, data, message }]);
    expect(said(await ask("PUT", `/${id}`, {}))).toEqual([200, { success: true, data, message }]);
    const { id: other } = await make({ name });
    expect(said(await ask("PUT", `/${other}`, { name: "Renamed" }))).toEqual(taken("Advertiser", "Renamed"));
    expect((await ask("PUT", `/${id}`, { name: "Renamed" })).status).toBe(200);
    expect(said(await ask("PUT", `/${id}`, { name: "" }))).toEqual(invalid("name: must not be empty"));
  });

  it("is opened to the network, and closed again, by the administrator alone", async () => {
    const { id } = await make();
    for (const reach of ["NETWORK", "PLATFORM"]) {
      expect(dataOf(await ask("PUT", `/${id}`, { reach }, ADMIN))).toMatchObject({ id, reach });
      const other = reach === "NETWORK" ? "PLATFORM" : "NETWORK";
      const refused = invalid("reach: may only be changed by the administrator");
      expect(said(await ask("PUT", `/${id}`, { name: "New", reach: other }))).toEqual(refused);
      expect((await ask("PUT", `/${id}`, { reach })).status).toBe(200);
      expect(await h.rows("select reach, name = 'New' as renamed from advertisers where id = $1", [id])).toEqual([
        { reach, renamed: false },
      ]);
    }
    expect(said(await ask("PUT", `/${id}`, { reach: "network" }, ADMIN))).toEqual(
      invalid("reach: must be one of PLATFORM, NETWORK"),
    );
  });

  it("of the network's own serves everywhere", async () => {
    const { id } = await makeAdvertiser(h.db);
    const refused = invalid("reach: must be NETWORK for an advertiser of the network's own");
    expect(said(await ask("PUT", `/${id}`, { reach: "PLATFORM" }, ADMIN))).toEqual(refused);
    expect(dataOf(await ask("PUT", `/${id}`, { reach: "NETWORK" }, ADMIN))).toMatchObject({ reach: "NETWORK" });
  });

  it.each(["paused", "archived", "active"])("is switched to %s", async (status) => {
    const { id, name } = await make();
    const message = `Advertiser status updated to ${status}`;
    const answer = await ask("PATCH", `/${id}/status`, { status, reason: "Because" });
    expect(said(answer)).toEqual([200, { success: true, data: shape({ id, name, status }), message }]);
  });

  it("is switched to nothing else", async () => {
    const { id } = await make();
    for (const status of ["deleted", "ACTIVE", 5, null, ["active"]]) {
      const answer = await ask("PATCH", `/${id}/status`, { status });
      expect(said(answer)).toEqual(disallowed("status", status, "active | paused | archived"));
    }
    expect(said(await ask("PATCH", `/${id}/status`, {}))).toEqual(invalid("status: is required"));
  });

  it("gets a new conversion secret and pixel key, and the old ones end", async () => {
    const { id, conversionSecret: old, pixelKey: oldPixelKey } = await make();
    const answer = await ask("POST", `/${id}/conversion-secret`);
    const message = "Conversion secret rotated successfully";
    expect(said(answer)).toEqual([201, { success: true, data: { id, ...keys }, message }]);
    const { conversionSecret = "", pixelKey } = dataOf<Advertiser>(answer);
    expect(conversionSecret).not.toBe(old);
    expect(pixelKey).not.toBe(oldPixelKey);
    expect(await secretHash(id)).toBe(await hashSecret(conversionSecret));
    expect(dataOf(await ask("GET", `/${id}`))).toMatchObject({ conversionSecret, pixelKey });
  });

  it("is deleted where it never had an offer, archived else", async () => {
    const bare = await make();
    const deleted = { success: true, message: "Advertiser deleted successfully" };
    expect(said(await ask("DELETE", `/${bare.id}`))).toEqual([200, deleted]);
    expect(said(await ask("DELETE", `/${bare.id}`))).toEqual(missing("Advertiser", bare.id));

    const { id } = await make();
    const offer = await makeOffer(h.db, id);
    const archived = { success: true, message: "Advertiser archived successfully" };
    expect(said(await ask("DELETE", `/${id}`))).toEqual([200, archived]);
    expect(dataOf(await ask("GET", `/${id}`))).toMatchObject({ status: "archived" });
    expect(await h.rows("select status from offers where id = $1", [offer.id])).toEqual([{ status: "active" }]);
    // Hits of an offer that is gone may still come, and have to be somebody's.
    const former = await make();
    const { id: gone } = await makeOffer(h.db, former.id);
    await api(h, "DELETE", `/api/v1/offers/${gone}`, { token: platform.token });
    expect(await h.count("offers where id = $1", [gone])).toBe(0);
    expect(said(await ask("DELETE", `/${former.id}`))).toEqual([200, archived]);
    expect(dataOf(await ask("GET", `/${former.id}`))).toMatchObject({ status: "archived" });
  });
});
