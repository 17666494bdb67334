import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { makeAdvertiser, makeOffer } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { expectExactCounts, hitsOf, makeHit, message, storedHits } from "../support/tracking/hits.ts";

let h: Harness;
const ACKED = { outcome: "ok", ackAll: true, retryBatch: { retry: false } };

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => h.rows("truncate tracking_rejects"));
afterAll(() => h.close());

const rejects = () =>
  h.rows<{ id: string; reason: string; body: string }>("select id, reason, body from tracking_rejects order by id");

describe("a poisoned message", () => {
  const hit = makeHit();
  const cyclic: Record<string, unknown> = {};
  cyclic["itself"] = cyclic;
  const poison: [string, unknown][] = [
    ["null", null],
    ["a text", "hit"],
    ["a number", 7],
    ["an empty list", []],
    ["no type", { hit }],
    ["an unknown type", { type: "hits", hit }],
    ["a missing field", { type: "hit", hit: { ...hit, id: undefined } }],
    ["an unknown kind", { type: "hit", hit: { ...hit, kind: "purchase" } }],
    ["an unknown reason", { type: "hit", hit: { ...hit, reason: "counted" } }],
    ["an unknown way of closing", { type: "hit", hit: { ...hit, kind: "close", closing: "purchase" } }],
    ["another entity's id", { type: "hit", hit: { ...hit, offerId: hit.placementId } }],
    ["a time as text", { type: "hit", hit: { ...hit, occurredAt: "2026-11-21" } }],
    ["a time beyond all calendars", { type: "hit", hit: { ...hit, occurredAt: 8.64e15 + 1 } }],
    ["a negative time", { type: "hit", hit: { ...hit, occurredAt: -1 } }],
    ["a country that is none", { type: "hit", hit: { ...hit, country: "usa" } }],
    ["NUL in a text", { type: "hit", hit: { ...hit, sessionHash: "a\0b" } }],
    ["a conversion without its transaction", { type: "hit", hit: { ...hit, kind: "conversion" } }],
    ["a huge text", { type: "hit", hit: { ...hit, sessionHash: "x".repeat(100_000) } }],
    ["a day that is none", { type: "requests", flush: { id: newId("event"), rows: [{ day: "2026-02-30" }] } }],
    [
      "a year 0",
      {
        type: "requests",
        flush: {
          id: newId("event"),
          rows: [{ day: "0000-01-01", placementId: hit.placementId, country: "US", requests: 1, fills: 1 }],
        },
      },
    ],
  ];

  it.each(poison)("is rejected whole, and its batch counted: %s", async (_, body) => {
    const before = makeHit();
    const after = makeHit();
    const bad = { id: newId("event"), body };
    expect(await h.deliver([message(before), bad, message(after)])).toMatchObject(ACKED);
    expect(await hitsOf(h, before.offerId)).toEqual(["click counted 1"]);
    expect(await hitsOf(h, after.offerId)).toEqual(["click counted 1"]);
    const [reject, ...others] = await rejects();
    expect(others).toEqual([]);
    expect(reject).toMatchObject({ id: bad.id, body: JSON.stringify(body) });
    expect(reject?.reason).not.toBe("");
  });

  it.each<[string, unknown]>([
    ["a number too big for JSON", { type: "hit", count: 10n }],
    ["a value that holds itself", cyclic],
  ])("is rejected although JSON cannot write it: %s", async (_, body) => {
    const good = makeHit();
    const bad = { id: newId("event"), body };
    expect(await h.deliver([bad, message(good)])).toMatchObject(ACKED);
    expect(await hitsOf(h, good.offerId)).toEqual(["click counted 1"]);
    expect(await rejects()).toMatchObject([{ id: bad.id }]);
  });

  it("is found among a hundred, and rejected once when the batch comes again", async () => {
    const { offerId } = makeHit();
    const batch = Array.from({ length: 97 }, () => message(makeHit({ offerId })));
    const bad = ["\0", "a\0", "\0b"].map((sessionHash) => message(makeHit({ offerId, sessionHash })));
    const all = [...batch.slice(0, 30), ...bad, ...batch.slice(30)];
    expect(await h.deliver(all)).toMatchObject(ACKED);
    expect(await h.deliver(all.toReversed())).toMatchObject(ACKED);
    expect(await storedHits(h, offerId)).toBe(97);
    expect((await rejects()).map((reject) => reject.id)).toEqual(bad.map(({ id }) => id).sort());
    await expectExactCounts(h);
  });
});

it.each([
  ["somebody has locked", { lifetimeCap: 9 }, "select"],
  ["somebody gives its first cap", {}, "select pg_advisory_xact_lock(hashtext('caps'), serial)"],
])("hits of an offer that %s come again, and keep no others waiting", async (_, columns, take) => {
  const { id: advertiserId } = await makeAdvertiser(h.db);
  const [locked, capped] = [
    await makeOffer(h.db, advertiserId, columns),
    await makeOffer(h.db, advertiserId, { lifetimeCap: 9 }),
  ];
  const held = makeHit({ offerId: locked.id });
  const others = [makeHit({ offerId: capped.id }), makeHit()];
  const bad = { id: newId("event"), body: "poison" };
  const free = [...others.map(message), bad];
  const waiting = { ...message(held), attempts: 2 };
  const other = new pg.Client(h.postgresUrl);
  await other.connect();
  try {
    await other.query("begin");
    await other.query(`${take} from offers where id = $1 for no key update`, [locked.id]);
    const verdict = await h.deliver([waiting, ...free]);
    expect(verdict).toMatchObject({ ackAll: false, retryBatch: { retry: false } });
    expect(verdict.explicitAcks.toSorted()).toEqual(free.map(({ id }) => id).toSorted());
    expect(verdict.retryMessages).toEqual([{ msgId: waiting.id, delaySeconds: 10 }]);
    for (const { offerId } of others) expect(await hitsOf(h, offerId)).toEqual(["click counted 1"]);
    expect(await hitsOf(h, locked.id)).toEqual([]);
    expect(await rejects()).toMatchObject([{ id: bad.id }]);
  } finally {
    await other.end();
  }
  expect(await h.deliver([waiting])).toMatchObject(ACKED);
  expect(await hitsOf(h, locked.id)).toEqual(["click counted 1"]);
});

describe("a database that is down", () => {
  it.each([
    [1, 5],
    [2, 10],
    [8, 640],
    [9, 900],
    [100, 900],
  ])("has the batch come again after %i attempts in %i seconds", async (attempts, delaySeconds) => {
    const hit = makeHit();
    h.database.down = true;
    const delivery = { ...message(hit), attempts };
    expect(await h.deliver([delivery, { ...message(makeHit()), attempts: 101 }])).toMatchObject({
      ackAll: false,
      retryBatch: { retry: true, delaySeconds },
      explicitAcks: [],
    });
    h.database.down = false;
    expect(await h.deliver([delivery])).toMatchObject(ACKED);
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
  });

  it("keeps a batch of which only the rejects could not be written", async () => {
    const bad = { id: newId("event"), body: "poison" };
    h.database.down = true;
    expect(await h.deliver([bad])).toMatchObject({ retryBatch: { retry: true } });
    h.database.down = false;
    expect(await h.deliver([bad])).toMatchObject(ACKED);
    expect(await rejects()).toMatchObject([{ id: bad.id, body: '"poison"' }]);
  });
});
