import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, idOf, invalid, keyOf, said, timestamp, wrapped } from "../../../support/api.ts";
import { makePlatform } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { listTokens, makeTokenCase, type Rights } from "../../../support/routes/tokens.ts";
import { SECRETS } from "../../../support/secrets.ts";

const ADMIN = SECRETS.ADMIN_TOKEN;
const FORBIDDEN = [403, wrapped("FORBIDDEN")];
const FULL = [409, wrapped("CONFLICT")];
const MOST = 50;

type Issued = { id: string; name: string; bearer: string } & Required<Rights>;

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
});

const makeCase = () => makeTokenCase(h, platform.id);

const NONE: Rights = { revenueAccess: false, grossAccess: false };
const MORE: [less: Rights, more: Rights][] = [
  [NONE, { revenueAccess: true, grossAccess: false }],
  [NONE, { revenueAccess: false, grossAccess: true }],
  [{ revenueAccess: true, grossAccess: false }, { grossAccess: true }],
  [
    { revenueAccess: false, grossAccess: true },
    { revenueAccess: true, grossAccess: true },
  ],
];

describe("a token that may less", () => {
  it.each([
    ...MORE,
    [{ access: "READ" }, { access: "WRITE" }],
    [{ access: "READ" }, { revenueAccess: false }],
  ] as const)("%j is not shown the bearer of one that has more access, %j", async (less, more) => {
    const { ask, give } = await makeCase();
    const [own, other] = [await give(less), await give(more)];
    const bearers = new Map((await listTokens(ask, own.bearer)).map(({ id, bearer }) => [id, bearer]));
    expect([bearers.get(own.id), bearers.get(other.id)]).toEqual([own.bearer, null]);
  });

  it.each(MORE)("%j cannot rotate one that has more access, %j: nothing is changed", async (less, more) => {
    const { ask, give, valid } = await makeCase();
    const [own, other] = [await give(less), await give(more)];
    const before = await valid();
    for (const body of [{}, { overlapSeconds: 60 }]) {
      expect(said(await ask("POST", `/${other.id}/rotate`, body, own.bearer))).toEqual(FORBIDDEN);
    }
    expect(await valid()).toEqual(before);
    expect((await ask("GET", "", undefined, other.bearer)).status).toBe(200);
    const rotated = dataOf<Issued>(await ask("POST", `/${own.id}/rotate`, {}, own.bearer));
    expect(rotated).toMatchObject({ revenueAccess: false, grossAccess: false, ...less });
  });

  it.each(MORE)("%j cannot issue one that has more access, %j", async (less, more) => {
    const { ask, give, valid } = await makeCase();
    const own = await give(less);
    const before = await valid();
    expect(said(await ask("POST", "", { name: "More", ...more }, own.bearer))).toEqual(FORBIDDEN);
    expect(await valid()).toEqual(before);
  });

  it("is issued by one that has more access, and by managers with any rights", async () => {
    const { ask, privateKey } = await makeCase();
    const some = { access: "READ", revenueAccess: false, grossAccess: false };
    expect(dataOf(await ask("POST", "", { name: "Less", ...some }, privateKey))).toMatchObject(some);
    const all = { access: "WRITE", revenueAccess: true, grossAccess: true };
    for (const token of [platform.token, ADMIN]) {
      expect(dataOf(await ask("POST", "", { name: "All", ...all }, token))).toMatchObject(all);
    }
    expect(said(await ask("POST", "", { name: "None", access: "NONE" }))).toEqual(
      invalid("access: must be one of READ, WRITE"),
    );
  });

  it("is shown as the one with the same rights, in the six fields of the list", async () => {
    const { ask, give, privateKey } = await makeCase();
    await give({ access: "READ" });
    const shape = { id: idOf("tok"), name: expect.any(String), createdAt: timestamp, bearer: keyOf("lan_sk_") };
    const [read, first] = await listTokens(ask, privateKey);
    expect(read).toEqual({ ...shape, revenueAccess: true, grossAccess: false });
    expect(first).toEqual({ ...shape, revenueAccess: true, grossAccess: false, bearer: privateKey });
  });
});

describe("a token that may only read", () => {
  it("is shown as such, reads, and writes nothing", async () => {
    const { id, ask, privateKey, valid } = await makeCase();
    const token = dataOf<Issued>(await ask("POST", "", { name: "Reports", access: "READ" }));
    expect(token).toMatchObject({ access: "READ", revenueAccess: true, grossAccess: false });
    expect(dataOf(await ask("GET", `/${token.id}`, undefined, token.bearer))).toMatchObject({ access: "READ" });
    const head = await h.fetch("/api/site", { method: "HEAD", headers: { authorization: `Bearer ${token.bearer}` } });
    expect(head.status).toBe(200);
    const before = await valid();
    const message = "This token may only read, with GET; call with a token whose access is WRITE";
    for (const [method, path] of [
      ["POST", ""],
      ["PUT", `/${token.id}`],
      ["POST", `/${token.id}/rotate`],
      ["DELETE", `/${token.id}`],
    ] as const) {
      const refused = await ask(method, path, method === "DELETE" ? undefined : { name: "More" }, token.bearer);
      expect(said(refused)).toEqual([403, { success: false, error: { code: "FORBIDDEN", message } }]);
    }
    const site = await api(h, "POST", "/api/site", { token: token.bearer, body: "{" });
    expect(said(site)).toEqual(FORBIDDEN);
    expect(await h.rows("select from sites where publisher_id = $1", [id])).toEqual([]);
    expect(await valid()).toEqual(before);

    const rotated = dataOf<Issued>(await ask("POST", `/${token.id}/rotate`, {}));
    expect(rotated).toMatchObject({ name: "Reports", access: "READ" });
    expect((await ask("DELETE", `/${rotated.id}`)).status).toBe(200);
    expect((await listTokens(ask)).map(({ bearer }) => bearer)).toEqual([privateKey]);
  });

  it("is not enough to be left alone with", async () => {
    const { ask, give } = await makeCase();
    await give({ access: "READ" });
    const first = (await listTokens(ask)).at(-1)?.id;
    expect(said(await ask("DELETE", `/${first}`, undefined, ADMIN))).toEqual([409, wrapped("CONFLICT")]);
  });
});

describe("the number of a publisher's tokens", () => {
  it("is at most fifty, however many are issued at once; one may still be rotated at once", async () => {
    const { id, ask, give, valid } = await makeCase();
    for (let i = 0; i < MOST - 6; i++) await give({});
    const issue = () => ask("POST", "", { name: "One more" });
    const issued = await Promise.all(Array.from({ length: 15 }, issue));
    expect(issued.filter(({ status }) => status === 201)).toHaveLength(5);
    for (const answer of issued.filter(({ status }) => status !== 201)) expect(said(answer)).toEqual(FULL);
    expect(await valid()).toHaveLength(MOST);
    expect(await listTokens(ask)).toHaveLength(MOST);

    const [own] = await h.rows<{ id: string }>(
      "select id from api_tokens where publisher_id = $1 and name = 'One more'",
      [id],
    );
    expect(said(await ask("POST", `/${own?.id}/rotate`, { overlapSeconds: 60 }))).toEqual(FULL);
    expect(await valid()).toHaveLength(MOST);
    const next = dataOf<Issued>(await ask("POST", `/${own?.id}/rotate`, {}));
    expect(said(await issue())).toEqual(FULL);
    expect((await ask("DELETE", `/${next.id}`)).status).toBe(200);
    expect((await issue()).status).toBe(201);
    expect(said(await issue())).toEqual(FULL);
  });

  it("is not passed by rotations with an overlap at once either", async () => {
    const { id, ask, give } = await makeCase();
    const given = [];
    for (let i = 0; i < MOST - 6; i++) given.push(await give({}));
    const rotations = given.slice(0, 10).map((token) => ask("POST", `/${token.id}/rotate`, { overlapSeconds: 60 }));
    const answers = await Promise.all(rotations);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => "201"),
      ...Array.from({ length: 5 }, () => "409"),
    ]);
    const [row] = await h.rows<{ n: number }>(
      "select count(*)::int as n from api_tokens where publisher_id = $1 and (expires_at is null or expires_at > now())",
      [id],
    );
    expect(row?.n).toBe(MOST);
  });
});

describe("a change of a token", () => {
  it("takes what it may not change as it was read, and nothing else", async () => {
    const { ask, give } = await makeCase();
    const token = await give({ access: "READ", revenueAccess: true, grossAccess: false });
    const read = dataOf<Record<string, unknown>>(await ask("GET", `/${token.id}`));
    const stored = async () =>
      h.rows("select name, access, revenue_access, gross_access from api_tokens where id = $1", [token.id]);
    const before = await stored();
    for (const [field, value] of Object.entries({ access: "WRITE", revenueAccess: false, grossAccess: true })) {
      expect(said(await ask("PUT", `/${token.id}`, { ...read, name: "New", [field]: value }))).toEqual(
        invalid(`${field}: cannot be changed`),
      );
    }
    for (const [field, value] of Object.entries({ access: "WRITE", name: "New" })) {
      const body = { grossAccess: true, [field]: value };
      expect(said(await ask("PATCH", `/${token.id}/access`, body, platform.token))).toEqual(
        invalid(`${field}: cannot be changed`),
      );
    }
    expect(await stored()).toEqual(before);
    expect((await ask("PUT", `/${token.id}`, { ...read, name: "New" })).status).toBe(200);
    expect(
      (await ask("PATCH", `/${token.id}/access`, { ...read, name: "New", grossAccess: true }, platform.token)).status,
    ).toBe(200);
    expect(await stored()).toEqual([{ name: "New", access: "READ", revenue_access: true, gross_access: true }]);
  });
});
