import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilCapsHold } from "../../../db/demand/caps/caps.ts";
import { importOffers } from "../../../db/demand/transfer/import.ts";
import { updateOffer, type OfferChange } from "../../../db/demand/offers.ts";
import { reverseConversion } from "../../../db/tracking/conversions/reverse.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { newId } from "../../../db/core/ids.ts";
import { isUnavailable } from "../../../db/core/errors.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { expectExactCounts, hitsOf, makeHit } from "../../support/tracking/hits.ts";

const GATE = 4_712;

const ADMIN = { kind: "admin" } as const;

/** Names the lock by which the previous version keeps all counting apart from all first caps. */
const ALL = "hashtextextended('caps', 0)";

let h: Harness;
let other: pg.Client;
let another: pg.Client;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
  [other, another] = [new pg.Client(h.postgresUrl), new pg.Client(h.postgresUrl)];
  await Promise.all([other.connect(), another.connect()]);
  // Whoever gives an offer this title waits right before its commit.
  await other.query(`
    create function wait_at_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end';
    create constraint trigger gate after update on offers deferrable initially deferred
      for each row when (old.title <> new.title and new.title = 'held') execute function wait_at_gate()`);
});
afterAll(async () => {
  await Promise.all([other.end(), another.end()]);
  await h.close();
});

const anOffer = async (columns: object = {}) => (await makeOffer(h.db, advertiserId, columns)).id;
const click = async (...offerIds: string[]) =>
  recordHits(
    h.db,
    offerIds.map((offerId) => makeHit({ offerId })),
  );
const change = async (id: string, columns: OfferChange) => updateOffer(h.db, ADMIN, id, columns);
const hold = async (client: pg.Client, id: string) => {
  await client.query("begin");
  await client.query("select from offers where id = $1 for no key update", [id]);
};
const waiting = async () => h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");

/** Tells whether work ends without waiting for a lock; `already` counts the waits of others. */
const isFree = async (work: Promise<unknown>, already: number): Promise<boolean> => {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const [free] = await h.until(
    async () => [isDone, await waiting()] as const,
    ([settled, n]) => settled || n > already,
  );
  if (free) await done;
  return free;
};

const importOne = async (id: string, columns: OfferChange) =>
  importOffers(h.db, ADMIN, [{ nr: 1, id, change: columns, creatives: [] }], true, false);

const usage = async (id: string) =>
  h.rows(
    `select (select sum(used)::int from offer_usage where offer_id = $1) as used,
      (select sum(billed)::int from daily_counters where offer_id = $1) as billed`,
    [id],
  );

describe("first caps keep nobody from counting on other offers", () => {
  it("while an import that gives them is under way", async () => {
    const [first, second, mine] = [await anOffer(), await anOffer(), await anOffer()];
    await other.query(`begin; select pg_advisory_xact_lock(${GATE})`);
    const rows = [first, second].map((id, nr) => ({
      nr,
      id,
      change: { lifetimeCap: 2, title: "held" },
      creatives: [],
    }));
    const imported = importOffers(h.db, ADMIN, rows, true, false);
    await h.until(waiting, (n) => n > 0);
    expect(await isFree(click(mine), 1)).toBe(true);
    // Tries often enough, however long the rest takes on a busy machine.
    const counted = untilCapsHold(async () => click(first), 60);
    await h.until(waiting, (n) => n > 1);
    expect(await isFree(click(mine), 2)).toBe(true);
    await other.query("commit");
    await Promise.all([imported, counted]);
    await click(first, first);
    expect(await hitsOf(h, first)).toEqual(["click counted 2", "click over_cap 1"]);
  });

  it("while the cap waits for who counts, and that one for another offer", async () => {
    const [capped, free] = [await anOffer({ lifetimeCap: 10 }), await anOffer()];
    await hold(other, capped);
    const counted = click(capped, free, free);
    await h.until(waiting, (n) => n > 0);
    expect(await isFree(change(free, { lifetimeCap: 1 }), 1)).toBe(true);
    await other.query("commit");
    await counted;
    expect(await hitsOf(h, free)).toEqual(["click counted 1", "click over_cap 1"]);
  });
});

describe("a capped offer is changed without a look at its counters", () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ["by a change of something else", (id) => change(id, { name: "Another" })],
    ["by a change of its cap", (id) => change(id, { lifetimeCap: 1, dailyCap: 1 })],
    ["by an import that names its cap", (id) => importOne(id, { lifetimeCap: 3, name: "Another" })],
  ])("%s", async (_, write) => {
    const id = await anOffer({ lifetimeCap: 3 });
    await click(id);
    // Makes counters differ from the kept usage, to tell which of them is read.
    const bill = (billed: number) => h.rows("update daily_counters set billed = $1 where offer_id = $2", [billed, id]);
    await bill(2);
    await write(id);
    expect(await usage(id)).toEqual([{ used: 1, billed: 2 }]);
    await bill(1);
  });
});

describe("a first cap is kept to", () => {
  it("by who began to count before, though somebody has the offer at that moment", async () => {
    const [capped, free] = [await anOffer({ lifetimeCap: 10 }), await anOffer()];
    await hold(other, capped);
    const counted = click(capped, free, free, free);
    await h.until(waiting, (n) => n > 0);
    await change(free, { lifetimeCap: 2 });
    await hold(another, free);
    await other.query("commit");
    // Begins again, and waits for the offer as for any that has a cap.
    await h.until(
      async () =>
        h.count(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%for no key update%' and query not like '%nowait%'`),
      (n) => n > 0,
    );
    await another.query("commit");
    await counted;
    expect(await hitsOf(h, capped)).toEqual(["click counted 1"]);
    expect(await hitsOf(h, free)).toEqual(["click counted 2", "click over_cap 1"]);
    expect(await usage(free)).toEqual([{ used: 2, billed: 2 }]);
    await expectExactCounts(h);
  });

  it("by a reversal at the same time", async () => {
    const [capped, id] = [await anOffer({ lifetimeCap: 10 }), await anOffer({ pricing: "CPA" })];
    const report = () =>
      Object.assign(makeHit({ offerId: id }), {
        kind: "conversion" as const,
        transactionId: newId("event"),
        amountMicros: 1,
        currency: "USD",
      });
    const [first, second] = [report(), report()];
    await recordHits(h.db, [first, second]);
    await hold(other, capped);
    const counted = recordHits(h.db, [makeHit({ offerId: capped }), report()]);
    await h.until(waiting, (n) => n > 0);
    await change(id, { lifetimeCap: 2 });
    await reverseConversion(h.db, { advertiserId, transactionId: first.transactionId }, null);
    await other.query("commit");
    await counted;
    expect(await usage(id)).toEqual([{ used: 2, billed: 2 }]);
    await expectExactCounts(h);
  });
});

describe("beside the previous version", () => {
  it("a first cap waits for who counts by the lock of all offers", async () => {
    const id = await anOffer();
    await other.query(`begin; select pg_advisory_xact_lock_shared(${ALL})`);
    expect(await isFree(change(id, { lifetimeCap: 1 }), 0)).toBe(false);
    await other.query("commit");
    await h.until(
      async () => h.count("offers where id = $1 and lifetime_cap = 1", [id]),
      (n) => n === 1,
    );
  });

  it("one that it gives is refused with nothing done while others count without it", async () => {
    const [id, quiet] = [await anOffer(), await anOffer()];
    await other.query("begin; lock table daily_hits in share row exclusive mode");
    const counted = click(id);
    await h.until(waiting, (n) => n > 0);
    await another.query(`begin; select pg_advisory_xact_lock(${ALL})`);
    await another.query("update offers set lifetime_cap = 1 where id = $1", [quiet]);
    const refused = await another
      .query("update offers set lifetime_cap = 1 where id = $1", [id])
      .catch((e: unknown) => e);
    expect(isUnavailable(refused)).toBe(true);
    await another.query("rollback");
    await other.query("commit");
    await counted;
    expect(await hitsOf(h, id)).toEqual(["click counted 1"]);
  });
});
