import { beforeAll, describe, expect, it } from "vitest";
import {
  api,
  dataOf,
  idOf,
  invalid,
  keyOf,
  missing,
  said,
  timestamp,
  wrapped,
  type Method,
} from "../../../support/api.ts";
import { makeInventory, makePlatform } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const ADMIN = SECRETS.ADMIN_TOKEN;
const MAX_OVERLAP = 30 * 86_400;
const today = () => new Date().toISOString().slice(0, 10);

type Token = { id: string; name: string; bearer: string; expiresAt: string | null };

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
});

/** A publisher with its first token and key, and ways to call its routes and to try its credentials. */
const makeCase = async () => {
  const { publisher } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const { id, privateKey, publicKey } = publisher;
  const ask = (method: Method, path: string, body?: object, token: string = privateKey) =>
    api(h, method, `/api/v1/publishers/${id}${path}`, { token, body });
  const opens = async (bearer: string) => (await api(h, "GET", "/api/site", { token: bearer })).status === 200;
  const list = async () => dataOf<Token[]>(await ask("GET", "/api-tokens", undefined));
  const [first] = await h.rows<{ id: string }>("select id from api_tokens where publisher_id = $1", [id]);
  return { id, privateKey, publicKey, ask, opens, list, tokenId: first?.id ?? "" };
};
/** The time that passes until a token or key with an overlap ends. */
const passOverlaps = (publisherId: string) =>
  Promise.all(
    ["api_tokens", "public_keys"].map((table) =>
      h.rows(
        `update ${table} set expires_at = now() - interval '1 second' where publisher_id = $1 and expires_at > now()`,
        [publisherId],
      ),
    ),
  );

const token = (given: object = {}) => ({
  id: idOf("tok"),
  name: "Default API Token",
  access: "WRITE",
  revenueAccess: true,
  grossAccess: false,
  createdAt: timestamp,
  expiresAt: null,
  lastUsedOn: null,
  ...given,
});

describe("private tokens", () => {
  it("are issued, shown with their last day of use, and renamed", async () => {
    const { ask, opens, list, tokenId } = await makeCase();
    const issued = await ask("POST", "/api-tokens", { name: " Reports " });
    const data = token({ name: "Reports", bearer: keyOf("lan_sk_") });
    expect(said(issued)).toEqual([201, { success: true, data, message: "Token issued successfully" }]);
    const { id, bearer } = dataOf<Token>(issued);
    const detail = async (of: string) => dataOf(await ask("GET", `/api-tokens/${of}`));
    expect(await detail(id)).toEqual(token({ id, name: "Reports" }));
    expect(await detail(tokenId)).toEqual(token({ id: tokenId, lastUsedOn: today() }));
    expect(await opens(bearer)).toBe(true);
    expect(await detail(id)).toMatchObject({ lastUsedOn: today() });

    const message = "Token updated successfully";
    const renamed = token({ id, name: "New", lastUsedOn: today() });
    expect(said(await ask("PUT", `/api-tokens/${id}`, { name: "New", grossAccess: false }))).toEqual([
      200,
      { success: true, data: renamed, message },
    ]);
    const shape = { revenueAccess: true, grossAccess: false, createdAt: timestamp, bearer: keyOf("lan_sk_") };
    expect(await list()).toEqual([
      { ...shape, id, name: "New", bearer },
      { ...shape, id: tokenId, name: "Default API Token" },
    ]);
  });

  it("have their use noted once a day", async () => {
    const { opens, privateKey, tokenId, ask } = await makeCase();
    await h.rows("update api_tokens set last_used_on = '2026-01-01' where id = $1", [tokenId]);
    const asPlatform = await ask("GET", `/api-tokens/${tokenId}`, undefined, platform.token);
    expect(dataOf(asPlatform)).toMatchObject({ lastUsedOn: "2026-01-01" });
    const version = async () =>
      (await h.rows<{ v: string }>("select xmin::text as v from api_tokens where id = $1", [tokenId]))[0]?.v;
    await opens(privateKey);
    const touched = await version();
    await opens(privateKey);
    expect(await version()).toBe(touched);
    const after = await ask("GET", `/api-tokens/${tokenId}`, undefined, platform.token);
    expect(dataOf(after)).toMatchObject({ lastUsedOn: today() });
  });

  it("are named by 1 to 255 characters", async () => {
    const { ask, tokenId } = await makeCase();
    for (const [method, path] of [
      ["POST", "/api-tokens"],
      ["PUT", `/api-tokens/${tokenId}`],
    ] as const) {
      expect(said(await ask(method, path, {}))).toEqual(invalid("name: is required"));
      expect(said(await ask(method, path, { name: " " }))).toEqual(invalid("name: must not be empty"));
      const long = invalid("name: must have at most 255 characters");
      expect(said(await ask(method, path, { name: "x".repeat(256) }))).toEqual(long);
      expect((await ask(method, path, { name: "x".repeat(255) })).status).toBeLessThan(300);
    }
  });

  it.each(["platform", "admin"])("get their access from the %s, one flag or both", async (kind) => {
    const { ask, tokenId } = await makeCase();
    const by = kind === "admin" ? ADMIN : platform.token;
    const set = async (body: object) => said(await ask("PATCH", `/api-tokens/${tokenId}/access`, body, by));
    const message = "Token access updated successfully";
    const steps: [object, object][] = [
      [{ grossAccess: true }, { revenueAccess: true, grossAccess: true }],
      [{ revenueAccess: false }, { revenueAccess: false, grossAccess: true }],
      [{}, { revenueAccess: false, grossAccess: true }],
      [
        { revenueAccess: true, grossAccess: false, name: "Default API Token", access: "WRITE" },
        { revenueAccess: true, grossAccess: false },
      ],
    ];
    for (const [sent, access] of steps) {
      expect(await set(sent)).toEqual([200, { success: true, data: token({ id: tokenId, ...access }), message }]);
    }
    expect(await set({ grossAccess: "yes" })).toEqual(invalid("grossAccess: must be a boolean"));
  });

  it("made with a token show no more money than that one", async () => {
    const { ask, tokenId } = await makeCase();
    const none = { revenueAccess: false, grossAccess: false };
    await ask("PATCH", `/api-tokens/${tokenId}/access`, none, ADMIN);
    expect(dataOf(await ask("POST", "/api-tokens", { name: "More" }))).toMatchObject(none);
    expect(dataOf(await ask("POST", `/api-tokens/${tokenId}/rotate`, {}))).toMatchObject(none);
    const byPlatform = await ask("POST", "/api-tokens", { name: "More" }, platform.token);
    expect(dataOf(byPlatform)).toMatchObject({ revenueAccess: true, grossAccess: false });
  });

  it("are rotated at once", async () => {
    const { ask, opens, list, privateKey, tokenId } = await makeCase();
    await ask("PATCH", `/api-tokens/${tokenId}/access`, { grossAccess: true }, ADMIN);
    const rotated = await ask("POST", `/api-tokens/${tokenId}/rotate`, {});
    const data = token({ grossAccess: true, bearer: keyOf("lan_sk_") });
    expect(said(rotated)).toEqual([201, { success: true, data, message: "Token rotated successfully" }]);
    const { id, bearer } = dataOf<Token>(rotated);
    expect(await opens(privateKey)).toBe(false);
    expect(said(await ask("GET", "/api-tokens"))).toEqual([401, wrapped("UNAUTHORIZED")]);
    expect(await opens(bearer)).toBe(true);
    for (const [method, path, body] of [
      ["GET", ""],
      ["PUT", "", { name: "X" }],
      ["POST", "/rotate", {}],
      ["DELETE", ""],
    ] as const) {
      const old = await ask(method, `/api-tokens/${tokenId}${path}`, body, bearer);
      expect(said(old)).toEqual(missing("Token", tokenId));
    }
    expect(await list().catch(() => "refused")).toBe("refused");
    expect(dataOf<Token[]>(await ask("GET", "/api-tokens", undefined, bearer))).toMatchObject([{ id, bearer }]);
  });

  it("are rotated with an overlap, in which both work", async () => {
    const { id: publisherId, ask, opens, list, privateKey, tokenId } = await makeCase();
    const { id, bearer } = dataOf<Token>(await ask("POST", `/api-tokens/${tokenId}/rotate`, { overlapSeconds: 3600 }));
    expect([await opens(privateKey), await opens(bearer)]).toEqual([true, true]);
    expect((await list()).map((one) => one.id)).toEqual([id, tokenId]);
    const { expiresAt } = dataOf<Token>(await ask("GET", `/api-tokens/${tokenId}`));
    expect(Math.abs(Date.parse(expiresAt ?? "") - Date.now() - 3_600_000)).toBeLessThan(60_000);

    await ask("POST", `/api-tokens/${tokenId}/rotate`, { overlapSeconds: MAX_OVERLAP });
    expect(dataOf(await ask("GET", `/api-tokens/${tokenId}`))).toMatchObject({ expiresAt });
    await passOverlaps(publisherId);
    expect([await opens(privateKey), await opens(bearer)]).toEqual([false, true]);
  });

  it.each([
    [-1, "must be at least 0"],
    [MAX_OVERLAP + 1, `must be at most ${MAX_OVERLAP}`],
    [1.5, "must be an integer"],
    ["60", "must be a number"],
  ])("have no overlap of %j", async (overlapSeconds, problem) => {
    const { ask, tokenId, publicKey } = await makeCase();
    for (const path of [`/api-tokens/${tokenId}`, `/public-keys/${publicKey}`]) {
      const refused = await ask("POST", `${path}/rotate`, { overlapSeconds });
      expect(said(refused)).toEqual(invalid(`overlapSeconds: ${problem}`));
    }
  });

  it("are revoked, which the next request feels; the last one without an end cannot be", async () => {
    const { id: publisherId, ask, opens, privateKey, tokenId } = await makeCase();
    const last = [409, wrapped("CONFLICT")];
    expect(said(await ask("DELETE", `/api-tokens/${tokenId}`))).toEqual(last);
    const { id, bearer } = dataOf<Token>(await ask("POST", `/api-tokens/${tokenId}/rotate`, { overlapSeconds: 60 }));
    expect(said(await ask("DELETE", `/api-tokens/${id}`))).toEqual(last);
    const done = [200, { success: true, message: "Token revoked successfully" }];
    expect(said(await ask("DELETE", `/api-tokens/${tokenId}`))).toEqual(done);
    expect([await opens(privateKey), await opens(bearer)]).toEqual([false, true]);

    const another = dataOf<Token>(await ask("POST", "/api-tokens", { name: "Another" }, bearer));
    expect(said(await ask("DELETE", `/api-tokens/${id}`, undefined, bearer))).toEqual(done);
    expect([await opens(bearer), await opens(another.bearer)]).toEqual([false, true]);
    expect(said(await ask("DELETE", `/api-tokens/${another.id}`, undefined, ADMIN))).toEqual(last);
    await passOverlaps(publisherId);
    expect(await opens(another.bearer)).toBe(true);
  });

  it("leave one when all are revoked at once", async () => {
    for (let round = 0; round < 5; round++) {
      const { id, ask, tokenId } = await makeCase();
      const others = await Promise.all(["A", "B", "C"].map((name) => ask("POST", "/api-tokens", { name })));
      const ids = [tokenId, ...others.map((answer) => dataOf<Token>(answer).id)];
      const answers = await Promise.all(
        ids.map((one) => ask("DELETE", `/api-tokens/${one}`, undefined, platform.token)),
      );
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "200", "200", "409"]);
      expect(await h.count("api_tokens where publisher_id = $1 and expires_at is null", [id])).toBe(1);
    }
  });
});
