import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { replayDeadLetters } from "../../functions/events/dead-letters.ts";
import { makeAdvertiser, makeOffer } from "../support/factories.ts";
import { startHarness, type Delivered, type Harness } from "../support/harness.ts";
import { expectExactCounts, hitsOf, makeHit, message, MINUTE, storedHits } from "../support/tracking/hits.ts";

let h: Harness;
let env: Env;
let letters: Env["DEAD_LETTERS"];

beforeAll(async () => {
  h = await startHarness();
  env = await h.env();
  letters = env.DEAD_LETTERS;
  await h.cron();
});
beforeEach(() => h.rows("truncate tracking_rejects"));
afterAll(() => h.close());

type Letter = { id: string; text: string };

const bury = (messages: Delivered[]) => h.deliver(messages, "lanyap-events-dead");

/** Reads what KV holds, in the order in which it lists it. */
const values = async () => {
  const { keys } = await letters.list();
  return Promise.all(keys.map(async ({ name }) => (await letters.get(name)) ?? "[]"));
};
const kept = async () => (await values()).flatMap((value) => JSON.parse(value) as Letter[]);
const keptIds = async () => (await kept()).map(({ id }) => id);

describe("dead letters", () => {
  it("are kept whole until the cron has counted them, each once", async () => {
    const hit = makeHit();
    const letter = message(hit);
    expect(await bury([letter])).toMatchObject({ outcome: "ok", ackAll: true });
    expect(await kept()).toEqual([{ id: letter.id, text: JSON.stringify(letter.body) }]);
    expect(await storedHits(h, hit.offerId)).toBe(0);

    await h.cron();
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await kept()).toEqual([]);

    await bury([letter]);
    await Promise.all([h.cron(), h.cron()]);
    await h.deliver([letter]);
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await kept()).toEqual([]);
    await expectExactCounts(h);
  });

  it("stay while somebody has their offer locked, and hold up no others", async () => {
    const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, { lifetimeCap: 9 });
    const hit = makeHit();
    const letter = message(makeHit({ offerId }));
    await bury([letter, message(hit)]);
    const other = new pg.Client(h.postgresUrl);
    await other.connect();
    try {
      await other.query("begin");
      await other.query("select from offers where id = $1 for update", [offerId]);
      await h.cron();
      expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
      expect(await keptIds()).toContain(letter.id);
    } finally {
      await other.end();
    }
    await h.cron();
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1"]);
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await kept()).toEqual([]);
    await expectExactCounts(h);
  });

  it("stay for 30 days at most, also those that are 30 days old by then", async () => {
    const timestamp = new Date(Date.now() - 10 * 24 * 60 * MINUTE);
    await bury([{ ...message(makeHit()), timestamp }]);
    const [old] = (await letters.list()).keys;
    expect(old?.expiration).toBe(Math.ceil(timestamp.getTime() / 1_000) + 20 * 24 * 3_600 + 10 * 24 * 3_600);
    await letters.delete(old?.name ?? "");
    await bury([{ ...message(makeHit()), timestamp: new Date(Date.now() - 31 * 24 * 60 * MINUTE) }]);
    expect(await kept()).toHaveLength(1);
    await h.cron();
    expect(await kept()).toEqual([]);
  });

  it("stay while the database is down", async () => {
    const hit = makeHit();
    await bury([message(hit), message(makeHit())]);
    h.database.down = true;
    await h.cron();
    h.database.down = false;
    expect(await kept()).toHaveLength(2);
    expect(h.logs().join("\n")).toContain("replaying dead letters failed");
    await h.cron();
    expect(await kept()).toEqual([]);
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
  });

  it("are replayed in one run, however many they are", async () => {
    const { offerId } = makeHit();
    for (let batch = 0; batch < 25; batch++) {
      await bury(Array.from({ length: 100 }, () => message(makeHit({ offerId }))));
    }
    await h.cron();
    expect(await kept()).toEqual([]);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 2500"]);
  });

  it("are replayed from 150 bundles with the subrequests of a run", async () => {
    for (let i = 0; i < 155; i++) await bury([message(makeHit())]);
    let left = 240;
    const reserve = (wanted: number): boolean => {
      if (wanted <= left) left -= wanted;
      else return false;
      return true;
    };
    h.database.trips.length = 0;
    await replayDeadLetters(env, reserve);
    expect(await keptIds()).toHaveLength(5);
    // Each bundle is a removal, and each chunk a listing and a reading.
    expect(h.database.trips.length + 150 + 5 * 2).toBeLessThanOrEqual(240);
    await h.cron();
    expect(await kept()).toEqual([]);
  });

  it("are replayed oldest first, and a run that ends early leaves the youngest", async () => {
    const now = Date.now();
    const buried = Array.from({ length: 64 }, (_, age) => ({
      ...message(makeHit()),
      timestamp: new Date(now - age * MINUTE),
    }));
    // Two arrive together, the younger one first.
    for (let i = 0; i < buried.length; i += 2) await bury(buried.slice(i, i + 2));
    const byAge = buried.map(({ id }) => id).toReversed();
    expect(await keptIds()).toEqual(byAge);
    let chunks = 1;
    await replayDeadLetters(env, () => chunks-- > 0);
    expect(await keptIds()).toEqual(byAge.slice(60));
    await h.cron();
    expect(await keptIds()).toEqual([]);
  });

  it("are kept apart where together they were too long to be read", async () => {
    const body = { padding: "x".repeat(120_000) };
    const buried = Array.from({ length: 12 }, () => ({ id: newId("event"), body }));
    await bury(buried);
    const lengths = (await values()).map((value) => value.length);
    expect(lengths.length).toBeGreaterThan(2);
    for (const length of lengths) expect(length).toBeLessThan(600_000);
    expect((await keptIds()).toSorted()).toEqual(buried.map(({ id }) => id).toSorted());
    await h.cron();
    expect(await h.count("tracking_rejects")).toBe(12);
  });

  it("that cannot be understood are rejected and hold up no other", async () => {
    const hit = makeHit();
    const surrogate = makeHit({ sessionHash: "\ud800" });
    await letters.put("a-broken-letter", '{"type":"hit",');
    await letters.put("a-lone-surrogate", JSON.stringify(message(surrogate).body));
    await bury([message(hit), { id: "too-big-for-json", body: { type: "hit", hit, count: 10n } }]);
    await h.cron();
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await storedHits(h, surrogate.offerId)).toBe(0);
    expect(await values()).toEqual([]);
    const rejects = await h.rows("select id, body from tracking_rejects order by id");
    expect(rejects).toMatchObject([
      { id: "a-broken-letter", body: expect.stringContaining('{\\"type\\":\\"hit\\",') },
      { id: "a-lone-surrogate", body: expect.stringContaining("\\ud800") },
      { id: "too-big-for-json" },
    ]);
  });

  it("that the previous version kept, one by one under their ids, are replayed too", async () => {
    const hit = makeHit();
    await letters.put(newId("event"), JSON.stringify(message(hit).body));
    await h.cron();
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await values()).toEqual([]);
  });

  it("of ad request counts are counted once too", async () => {
    const placementId = newId("placement");
    const reasons = { no_eligible_offer: 1 };
    const row = { hour: Date.now(), placementId, country: "US", arm: "0", requests: 5, fills: 4, reasons };
    const flush = { id: newId("event"), rows: [row], facts: [] };
    const letter = { id: newId("event"), body: { type: "requests", flush } };
    await h.deliver([letter], "lanyap-events-dead");
    await h.cron();
    await h.deliver([letter]);
    expect(
      await h.rows("select requests::int, fills::int from daily_counters where placement_id = $1", [placementId]),
    ).toEqual([{ requests: 5, fills: 4 }]);
  });
});
