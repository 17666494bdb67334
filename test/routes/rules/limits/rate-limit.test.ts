import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { apiTokens } from "../../../../db/schema/accounts.ts";
import { encryptSecret } from "../../../../db/core/secrets/sealed.ts";
import { hashSecret, makeKey } from "../../../../db/core/secrets/secrets.ts";
import {
  api,
  disallowed,
  flat,
  invalid,
  missing,
  said,
  timestamp,
  wrapped,
  type Answer,
} from "../../../support/api.ts";
import { makeInventory, makePlatform, makeSite } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const LIMIT = 50;
const ELEVATED_LIMIT = 150;
const WINDOW_S = 60;

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

type Inventory = Awaited<ReturnType<typeof makeInventory>>;

const switchAds = ({ publisher, site }: Inventory, body: unknown = { adsEnabled: true }, id = site.id) =>
  api(h, "PATCH", `/api/site/${id}/ads`, { token: publisher.privateKey, body });

const switchStatus = ({ publisher, site }: Inventory, body: unknown = { status: "active" }, id = site.id) =>
  api(h, "PATCH", `/api/site/${id}/status`, { token: publisher.privateKey, body });

const times = async (count: number, call: (index: number) => Promise<Answer>) => {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i += 1) answers.push(await call(i));
  return answers;
};

const atOnce = (count: number, call: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

const limits = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));

const remaining = (answer: Answer) => Number(limits(answer)[1]);
const countdown = (from: number, length: number) => Array.from({ length }, (_, i) => from - i);

const records = ({ publisher }: Inventory) => h.count("webhook_logs where publisher_id = $1", [publisher.id]);

/** Uses a window up with calls that count and change nothing. */
const spend = async (inventory: Inventory, count = LIMIT) => {
  const answers = await atOnce(count, () => switchAds(inventory, {}));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
};

const expectRefused = (answer: Answer) => {
  const retryAfter = Number(answer.headers.get("retry-after"));
  expect(said(answer)).toEqual([429, wrapped("RATE_LIMIT_EXCEEDED", { retryAfter })]);
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(WINDOW_S);
  expect(limits(answer)).toEqual([expect.any(String), "0", timestamp]);
};

describe("the window of a publisher", () => {
  it("admits 50 calls of both routes and all sites, and refuses the 51st", async () => {
    const inventory = await makeInventory(h.db);
    const other = await makeSite(h.db, inventory.publisher.id);
    const calls = [
      () => switchAds(inventory),
      () => switchStatus(inventory),
      () => switchAds(inventory, { adsEnabled: true }, other.id),
      () => switchStatus(inventory, { status: "active" }, other.id),
    ];
    const answers = await times(LIMIT, (i) => calls[i % calls.length]!());
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map(remaining)).toEqual(countdown(LIMIT - 1, LIMIT));
    const [first] = answers;
    for (const answer of answers) {
      expect(limits(answer)).toEqual([String(LIMIT), expect.any(String), limits(first!)[2]]);
      expect(answer.headers.get("retry-after")).toBeNull();
    }
    for (const call of calls) {
      const refused = await call();
      expectRefused(refused);
      expect(limits(refused)).toEqual([String(LIMIT), "0", limits(first!)[2]]);
    }
    expect(await records(inventory)).toBe(LIMIT);
  });

  it("is exact with sixty calls at once", async () => {
    const inventory = await makeInventory(h.db);
    const answers = await atOnce(60, (i) => (i % 2 === 0 ? switchAds(inventory) : switchStatus(inventory)));
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed.map(remaining).sort((a, b) => b - a)).toEqual(countdown(LIMIT - 1, LIMIT));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(10);
    for (const answer of refused) expectRefused(answer);
    expect(await records(inventory)).toBe(LIMIT);
  });

  it("starts with its first call and lasts a minute", async () => {
    const inventory = await makeInventory(h.db);
    const before = Date.now();
    const end = Date.parse(limits(await switchAds(inventory))[2] ?? "");
    expect(end).toBeGreaterThanOrEqual(before + WINDOW_S * 1000);
    expect(end).toBeLessThanOrEqual(Date.now() + WINDOW_S * 1000);
  });

  it("outlives the eviction of the object that keeps it", async () => {
    const inventory = await makeInventory(h.db);
    const first = await switchAds(inventory);
    const { id } = inventory.publisher;
    for (const left of [48, 47]) {
      await h.worker.evictDurableObject("RATE_LIMITER", { name: id });
      expect(limits(await switchAds(inventory))).toEqual([String(LIMIT), String(left), limits(first)[2]]);
    }
    await spend(inventory, 47);
    await h.worker.evictDurableObject("RATE_LIMITER", { name: id });
    expectRefused(await switchAds(inventory));
  });

  it("is one for all tokens of the publisher, and no other publisher's", async () => {
    const inventory = await makeInventory(h.db);
    const second = makeKey("private");
    const id = newId("token");
    await h.db.insert(apiTokens).values({
      id,
      publisherId: inventory.publisher.id,
      name: "Second",
      hash: await hashSecret(second),
      bearerCiphertext: await encryptSecret(second, id, SECRETS.TOKEN_ENCRYPTION_KEY),
      revenueAccess: false,
      grossAccess: false,
    });
    await spend(inventory);
    expectRefused(await switchAds(inventory));
    const publisher = { ...inventory.publisher, privateKey: second };
    expectRefused(await switchAds({ ...inventory, publisher }));
    expect(remaining(await switchAds(await makeInventory(h.db)))).toBe(LIMIT - 1);
  });
});

describe("calls that fail", () => {
  it("count, and say what is left", async () => {
    const inventory = await makeInventory(h.db);
    const unknown = newId("site");
    const foreign = (await makeInventory(h.db)).site.id;
    const calls: [() => Promise<Answer>, readonly unknown[]][] = [
      [() => switchStatus(inventory, { status: "off" }), disallowed("status", "off", "active | inactive")],
      [() => switchAds(inventory, {}), invalid("adsEnabled: is required")],
      [() => switchAds(inventory, "{"), invalid("body: is not valid JSON")],
      [() => switchAds(inventory, " ".repeat(65 * 1024)), [413, flat("PAYLOAD_TOO_LARGE")]],
      [() => switchAds(inventory, { adsEnabled: true }, unknown), missing("Site", unknown)],
      [() => switchStatus(inventory, { status: "active" }, foreign), missing("Site", foreign)],
      [() => switchStatus(inventory, { status: "active" }, "site_x"), missing("Site", "site_x")],
    ];
    for (const [i, [call, expected]] of calls.entries()) {
      const answer = await call();
      expect(said(answer)).toEqual(expected);
      expect(limits(answer)).toEqual([String(LIMIT), String(LIMIT - 1 - i), timestamp]);
    }
    expect(await records(inventory)).toBe(0);
  });

  it("are judged in the order 401, 429, 400, 404", async () => {
    const inventory = await makeInventory(h.db);
    await spend(inventory);
    expectRefused(await switchStatus(inventory, { status: "off" }, newId("site")));
    expectRefused(await switchAds(inventory, "{"));
    const unauthorized = await api(h, "PATCH", `/api/site/${inventory.site.id}/ads`, { body: {} });
    expect(said(unauthorized)).toEqual([401, wrapped("UNAUTHORIZED")]);
    expect(limits(unauthorized)).toEqual([null, null, null]);
    const fresh = await makeInventory(h.db);
    expect((await switchStatus(fresh, { status: "off" }, newId("site"))).status).toBe(400);
  });

  it("change nothing when they are refused", async () => {
    const inventory = await makeInventory(h.db);
    await spend(inventory);
    expectRefused(await switchAds(inventory, { adsEnabled: false }));
    expectRefused(await switchStatus(inventory, { status: "inactive" }));
    const query = `select status, ads_enabled from sites where id = $1`;
    expect(await h.rows(query, [inventory.site.id])).toEqual([{ status: "active", ads_enabled: true }]);
    expect(await records(inventory)).toBe(0);
  });
});

describe("other routes", () => {
  it("count apart, also for a publisher that has reached its own, and reading knows no limit", async () => {
    const inventory = await makeInventory(h.db);
    const { publisher, site } = inventory;
    await spend(inventory);
    const token = publisher.privateKey;
    const own = `/api/v1/publishers/${publisher.id}`;
    const writes = [
      await api(h, "PUT", `/api/site/${site.id}`, { token, body: { status: "active" } }),
      await api(h, "PATCH", `${own}/ads`, { token, body: { adsEnabled: true } }),
      await api(h, "PATCH", `${own}/status`, { token, body: { status: "active" } }),
    ];
    expect(writes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(writes.map(remaining)).toEqual(countdown(999_999, 3));
    for (const path of [`/api/site/${site.id}`, `/api/site/${site.id}/events`]) {
      const answer = await api(h, "GET", path, { token });
      expect([answer.status, ...limits(answer)]).toEqual([200, null, null, null]);
    }
  });
});

describe("the elevated tier", () => {
  it.each(["publisher", "platform"])("admits 150 calls when the %s has it", async (tier) => {
    const platform = await makePlatform(h.db, { elevatedLimits: tier === "platform" });
    const publisher = { platformId: platform.id, elevatedLimits: tier === "publisher" };
    const inventory = await makeInventory(h.db, { publisher });
    await spend(inventory, ELEVATED_LIMIT - 5);
    const answers = await atOnce(10, () => switchAds(inventory));
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed.map(remaining).sort((a, b) => b - a)).toEqual([4, 3, 2, 1, 0]);
    expect(limits(passed[0]!)[0]).toBe(String(ELEVATED_LIMIT));
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer);
  });

  it("begins and ends within a window, which goes on counting", async () => {
    const inventory = await makeInventory(h.db);
    await spend(inventory);
    const elevate = (elevatedLimits: boolean) =>
      api(h, "PATCH", `/api/v1/publishers/${inventory.publisher.id}/limits`, {
        token: SECRETS.ADMIN_TOKEN,
        body: { elevatedLimits },
      });
    await elevate(true);
    expect(limits(await switchAds(inventory)).slice(0, 2)).toEqual([String(ELEVATED_LIMIT), "99"]);
    await elevate(false);
    expectRefused(await switchAds(inventory));
  });
});
