import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, invalid, missing, said, timestamp, wrapped } from "../../../support/api.ts";
import { makePlatform } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { listTokens, makeTokenCase } from "../../../support/routes/tokens.ts";
import { SECRETS } from "../../../support/secrets.ts";

const ADMIN = SECRETS.ADMIN_TOKEN;
const FORBIDDEN = [403, wrapped("FORBIDDEN")];

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
});

const makeCase = () => makeTokenCase(h, platform.id);

describe("the list of the contract", () => {
  it("has all tokens, or a page of them, in the same envelope", async () => {
    const { ask, give, privateKey } = await makeCase();
    for (let i = 0; i < 3; i++) await give({});
    const all = await listTokens(ask);
    expect(all).toHaveLength(4);
    expect(all.at(-1)?.bearer).toBe(privateKey);
    const answer = await ask("GET", "?skip=1&take=2");
    expect(said(answer)).toEqual([200, { success: true, data: all.slice(1, 3) }]);
    expect(await listTokens(ask, undefined, "?skip=3")).toEqual(all.slice(3));
    expect(await listTokens(ask, undefined, "?take=1")).toEqual(all.slice(0, 1));
    expect(said(await ask("GET", "?take=0"))).toEqual(invalid("take: must be between 1 and 100"));
    expect(said(await ask("GET", "?take=101"))).toEqual(invalid("take: must be between 1 and 100"));
    expect(said(await ask("GET", "?skip=-1"))).toEqual(
      invalid(`skip: must be between 0 and ${Number.MAX_SAFE_INTEGER}`),
    );
  });
});

const listFor = (query: string, token: string) => api(h, "GET", `/api/v1/api-tokens${query}`, { token });

describe("a publisher's tokens, for its platform", () => {
  it("are listed without bearers, a page at a time", async () => {
    const { id, give } = await makeCase();
    const { id: second } = await give({ access: "READ" });
    for (const token of [platform.token, ADMIN]) {
      const answer = await listFor(`?publisherId=${id}&take=1`, token);
      const row = { id: second, name: '{"access":"READ"}', access: "READ", revenueAccess: true, grossAccess: false };
      const data = [{ ...row, createdAt: timestamp, expiresAt: null, lastUsedOn: null }];
      const pagination = { total: 2, skip: 0, take: 1, hasMore: true };
      expect(said(answer)).toEqual([200, { success: true, data, pagination }]);
    }
  });

  it("are not for others: another platform, a publisher, or where there is no publisher", async () => {
    const { id, privateKey } = await makeCase();
    const stranger = await makePlatform(h.db);
    expect(said(await listFor(`?publisherId=${id}`, stranger.token))).toEqual(FORBIDDEN);
    expect(said(await listFor(`?publisherId=${id}`, privateKey))).toEqual([401, wrapped("UNAUTHORIZED")]);
    for (const unknown of [newId("publisher"), "pub_1"]) {
      expect(said(await listFor(`?publisherId=${unknown}`, platform.token))).toEqual(missing("Publisher", unknown));
    }
    expect(said(await listFor("", platform.token))).toEqual(invalid("publisherId: is required"));
    expect(said(await listFor(`?publisherId=${id}&x=1`, platform.token))).toEqual(invalid("x: is not known"));
  });
});
