import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeApiToken } from "../../../../db/accounts/credentials/api-tokens.ts";
import { apiTokens } from "../../../../db/schema/accounts.ts";
import { api, said, timestamp, wrapped, type Answer, type Method } from "../../../support/api.ts";
import { makeAdvertiser, makeInventory, makePlatform } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { addressOf, makeWorld, ROUTES, tokenOf } from "../../../support/routes/every-route.ts";
import { SECRETS } from "../../../support/secrets.ts";

const LIMIT = 5;
const ADMIN = SECRETS.ADMIN_TOKEN;

let h: Harness;

beforeAll(async () => {
  h = await startHarness({ vars: { WRITES_PER_MINUTE: String(LIMIT) } });
});
afterAll(() => h.close());

/** A publisher with a platform of its own, a second token and one that may only read. */
const makeCase = async () => {
  const platform = await makePlatform(h.db);
  const { publisher, site } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const give = async (access: "READ" | "WRITE") => {
    const { bearer, row } = await makeApiToken(publisher.id, access, SECRETS.TOKEN_ENCRYPTION_KEY);
    await h.db.insert(apiTokens).values({ ...row, access });
    return bearer;
  };
  return { platform, publisher, site, second: await give("WRITE"), reading: await give("READ") };
};
type Case = Awaited<ReturnType<typeof makeCase>>;

/** Changes a publisher, by any of those that may. */
const write = ({ publisher }: Case, token: string, body: unknown = { adsEnabled: true }) =>
  api(h, "PATCH", `/api/v1/publishers/${publisher.id}/ads`, { token, body });

const limits = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));

const spend = async (one: Case, token: string, count = LIMIT) => {
  for (let i = 0; i < count; i++) expect((await write(one, token, {})).status).toBe(400);
};

const expectRefused = (answer: Answer) => {
  const retryAfter = Number(answer.headers.get("retry-after"));
  expect(said(answer)).toEqual([429, wrapped("RATE_LIMIT_EXCEEDED", { retryAfter })]);
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(60);
  expect(limits(answer)).toEqual([String(LIMIT), "0", timestamp]);
};

describe("a principal's writes", () => {
  it("are limited for a publisher over all routes and tokens, and change nothing beyond that", async () => {
    const one = await makeCase();
    const { publisher, site, second } = one;
    const calls: [Method, string, object][] = [
      ["PUT", `/api/site/${site.id}`, { orderVolume: 1 }],
      ["POST", "/api/site", { name: "Second" }],
      ["PUT", `/api/v1/publishers/${publisher.id}`, { contactName: "Kim" }],
      ["POST", `/api/v1/publishers/${publisher.id}/public-keys`, {}],
      ["PATCH", `/api/v1/publishers/${publisher.id}/ads`, { adsEnabled: false }],
    ];
    const answers: Answer[] = [];
    for (const [i, [method, path, body]] of calls.entries()) {
      const token = i % 2 === 0 ? publisher.privateKey : second;
      answers.push(await api(h, method, path, { token, body }));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200]);
    const [, , reset] = limits(answers[0]!);
    expect(answers.map(limits)).toEqual(["4", "3", "2", "1", "0"].map((left) => [String(LIMIT), left, reset]));
    for (const token of [publisher.privateKey, second]) {
      expectRefused(await api(h, "PUT", `/api/site/${site.id}`, { token, body: { orderVolume: 2 } }));
      expectRefused(await write(one, token));
    }
    const [row] = await h.rows(
      "select s.order_volume::int as volume, p.ads_enabled as ads from sites s join publishers p on p.id = s.publisher_id where s.id = $1",
      [site.id],
    );
    expect(row).toEqual({ volume: 1, ads: false });
  });

  it("leave reading, site switches, other publishers and those above alone", async () => {
    const one = await makeCase();
    const { platform, publisher, site } = one;
    await spend(one, publisher.privateKey);
    expectRefused(await write(one, publisher.privateKey));
    const read = await api(h, "GET", `/api/site/${site.id}`, { token: publisher.privateKey });
    expect([read.status, ...limits(read)]).toEqual([200, null, null, null]);
    const body = { adsEnabled: true };
    const switched = await api(h, "PATCH", `/api/site/${site.id}/ads`, { token: publisher.privateKey, body });
    expect([switched.status, ...limits(switched)]).toEqual([200, "50", "49", timestamp]);
    expect((await write(one, platform.token)).status).toBe(200);
    const other = await makeCase();
    expect(limits(await write(other, other.publisher.privateKey))[1]).toBe("4");
  });

  it("are limited for a platform over all its publishers and tokens, also new ones", async () => {
    const one = await makeCase();
    const { platform } = one;
    await spend(one, platform.token, 3);
    const rotate = await api(h, "POST", `/api/v1/platforms/${platform.id}/token`, {
      token: ADMIN,
      body: { overlapSeconds: 60 },
    });
    const { token: next } = (rotate.json as { data: { token: string } }).data;
    await spend(one, next, 2);
    for (const token of [platform.token, next]) expectRefused(await write(one, token));
    expect((await write(one, one.publisher.privateKey)).status).toBe(200);
  });

  it("are exact with twenty at once", async () => {
    const one = await makeCase();
    const answers = await Promise.all(Array.from({ length: 20 }, () => write(one, one.publisher.privateKey)));
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed.map((answer) => limits(answer)[1] ?? "").toSorted()).toEqual(["0", "1", "2", "3", "4"]);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer);
  });

  it("are counted behind 401 and before 400; a token that may only read takes none of them", async () => {
    const one = await makeCase();
    const { publisher, reading } = one;
    for (let i = 0; i < LIMIT + 1; i++) {
      const unknown = await write(one, `${publisher.privateKey}x`, "{");
      expect([...said(unknown), ...limits(unknown)]).toEqual([401, wrapped("UNAUTHORIZED"), null, null, null]);
      const forbidden = await write(one, reading, "{");
      expect([...said(forbidden), ...limits(forbidden)]).toEqual([403, wrapped("FORBIDDEN"), null, null, null]);
    }
    await spend(one, publisher.privateKey);
    expectRefused(await write(one, publisher.privateKey, "{"));
    expectRefused(await api(h, "PUT", "/api/site/site_1", { token: publisher.privateKey, body: "{" }));
  });
});

describe("every write", () => {
  const SWITCHES = /^PATCH \/api\/site\/:site\/(?:status|ads)$/;

  it.each(ROUTES.filter(({ route }) => !route.startsWith("GET ")))("says its limit: $route", async (route) => {
    const world = await makeWorld(h);
    const { method, path } = addressOf(route, world);
    const answer = await api(h, method, path, { token: tokenOf(route, world), body: route.body?.(world) });
    expect(limits(answer)[0]).toBe(SWITCHES.test(route.route) ? "150" : String(LIMIT));
  });

  it("but conversions, which advertisers' servers report as they come", async () => {
    const { conversionSecret } = await makeAdvertiser(h.db);
    for (let i = 0; i < LIMIT + 2; i++) {
      const body = { transactionId: "nobody's" };
      const answer = await api(h, "POST", "/conversion/reversal", { token: conversionSecret, body });
      expect([answer.status, ...limits(answer)]).toEqual([404, null, null, null]);
    }
  });
});
