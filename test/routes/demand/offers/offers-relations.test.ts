import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, invalid, said, type Method } from "../../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";

const PATH = "/api/v1/offers";

describe("an offer with its advertiser", () => {
  let h: Harness;
  let token: string;
  let offerId: string;
  let paused: { id: string; name: string; status: string };
  const ask = (method: Method, path: string, body?: object) => api(h, method, PATH + path, { token, body });

  beforeAll(async () => {
    h = await sharedHarness();
    const platform = await makePlatform(h.db);
    token = platform.token;
    const made = await makeAdvertiser(h.db, { platformId: platform.id, name: "Pine & Pebble", status: "paused" });
    paused = { id: made.id, name: "Pine & Pebble", status: "paused" };
    offerId = (await makeOffer(h.db, made.id)).id;
  });

  it("is listed and read so when that is asked for, and else without", async () => {
    const list = await ask("GET", "?include=relations&status=active");
    expect(dataOf(list)).toMatchObject([{ id: offerId, status: "active", advertiserId: paused.id }]);
    expect(dataOf<{ advertiser: object }[]>(list).map(({ advertiser }) => advertiser)).toEqual([paused]);
    expect(dataOf<{ advertiser: object }>(await ask("GET", `/${offerId}?include=relations`)).advertiser).toEqual(
      paused,
    );
    for (const plain of [dataOf<object[]>(await ask("GET", ""))[0], dataOf<object>(await ask("GET", `/${offerId}`))]) {
      expect(plain).toHaveProperty("id", offerId);
      expect(plain).not.toHaveProperty("advertiser");
    }
  });

  it("is put back as it was read, under the same tag with and without", async () => {
    const read = await ask("GET", `/${offerId}?include=relations`);
    const tag = (await ask("GET", `/${offerId}`)).headers.get("etag");
    expect(read.headers.get("etag")).toBe(tag);
    const answer = await ask("PUT", `/${offerId}`, dataOf<object>(read));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBe(tag);
    expect(await h.rows("select name, status from advertisers where id = $1", [paused.id])).toEqual([
      { name: paused.name, status: paused.status },
    ]);
  });

  it.each(["", `/:id`])("takes no other relation: %s", async (path) => {
    const answer = await ask("GET", `${path.replace(":id", offerId)}?include=everything`);
    expect(said(answer)).toEqual(invalid("include: must be relations"));
  });
});
