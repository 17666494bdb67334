import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { expectExactCounts, hitsOf, makeHit, message, storedHits } from "../support/hits.ts";

let h: Harness;
let letters: Env["DEAD_LETTERS"];

beforeAll(async () => {
  h = await startHarness();
  letters = (await h.env()).DEAD_LETTERS;
  await runCron();
});
beforeEach(() => h.rows("truncate tracking_rejects"));
afterAll(() => h.close());

const runCron = () => h.worker.scheduled({ cron: "* * * * *" });
const kept = async () => (await letters.list()).keys.map((key) => key.name);
const bury = (messages: ReturnType<typeof message>[]) => h.deliver(messages, "lanyap-events-dead");

describe("dead letters", () => {
  it("are kept whole until the cron has counted them, each once", async () => {
    const hit = makeHit();
    const letter = message(hit);
    expect(await bury([letter])).toMatchObject({ outcome: "ok", explicitAcks: [letter.id] });
    expect(await kept()).toEqual([letter.id]);
    expect(JSON.parse((await letters.get(letter.id)) ?? "")).toEqual(letter.body);
    expect(await storedHits(h, hit.offerId)).toBe(0);

    await runCron();
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await kept()).toEqual([]);

    await bury([letter]);
    await Promise.all([runCron(), runCron()]);
    await h.deliver([letter]);
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await kept()).toEqual([]);
    await expectExactCounts(h);
  });

  it("stay while the database is down", async () => {
    const hit = makeHit();
    await bury([message(hit), message(makeHit())]);
    h.database.down = true;
    await runCron();
    h.database.down = false;
    expect(await kept()).toHaveLength(2);
    expect(h.logs().join("\n")).toContain("replaying dead letters failed");
    await runCron();
    expect(await kept()).toEqual([]);
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
  });

  it("are drained a hundred a run", async () => {
    const { offerId } = makeHit();
    const buried = Array.from({ length: 130 }, () => message(makeHit({ offerId })));
    await bury(buried.slice(0, 100));
    await bury(buried.slice(100));
    await runCron();
    expect(await kept()).toHaveLength(30);
    await runCron();
    expect(await kept()).toEqual([]);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 130"]);
  });

  it("that cannot be understood are rejected and hold up no other", async () => {
    const hit = makeHit();
    const surrogate = makeHit({ sessionHash: "\ud800" });
    await letters.put("a-broken-letter", '{"type":"hit",');
    await letters.put("a-lone-surrogate", JSON.stringify(message(surrogate).body));
    await bury([message(hit), { id: "too-big-for-json", body: { type: "hit", hit, count: 10n } } as never]);
    await runCron();
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await storedHits(h, surrogate.offerId)).toBe(0);
    expect(await kept()).toEqual([]);
    const rejects = await h.rows("select id, body from tracking_rejects order by id");
    expect(rejects).toMatchObject([
      { id: "a-broken-letter", body: expect.stringContaining('{\\"type\\":\\"hit\\",') },
      { id: "a-lone-surrogate", body: expect.stringContaining("\\ud800") },
      { id: "too-big-for-json" },
    ]);
  });

  it("of ad request counts are counted once too", async () => {
    const placementId = newId("placement");
    const reasons = { no_eligible_offer: 1 };
    const row = { hour: Date.now(), placementId, country: "US", arm: "0", requests: 5, fills: 4, reasons };
    const flush = { id: newId("event"), rows: [row], facts: [] };
    const letter = { id: newId("event"), body: { type: "requests", flush } };
    await h.deliver([letter], "lanyap-events-dead");
    await runCron();
    await h.deliver([letter]);
    expect(
      await h.rows("select requests::int, fills::int from daily_counters where placement_id = $1", [placementId]),
    ).toEqual([{ requests: 5, fills: 4 }]);
  });
});
