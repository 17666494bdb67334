import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeCaps, offersById } from "../../../db/demand/caps/caps.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { deleteOffer } from "../../../db/demand/delete-offer.ts";
import { updateOffer, type OfferChange } from "../../../db/demand/offers.ts";
import { DAY, makeHit } from "../../support/tracking/hits.ts";
import { makeAdvertiser, makeOffer, makeUsage } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

const ADMIN = { kind: "admin" } as const;
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10);
const TODAY = dayOf(0);

let h: Harness;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const cappedThrough = async (id: string) =>
  (await h.rows<{ day: string | null }>("select capped_through::text as day from offers where id = $1", [id]))[0]?.day;
const announced = async () =>
  (await h.rows<{ n: number }>("select count(*)::int as n from publish_outbox where document_key = 'network'"))[0]?.n;
const click = (offerId: string, daysAgo = 0) =>
  recordHits(h.db, [makeHit({ offerId, occurredAt: Date.now() - daysAgo * DAY })]);

type Caps = { dailyCap?: number; lifetimeCap?: number };

describe("an offer's usage", () => {
  it.each<[Caps, number[], string | null]>([
    [{}, [9], null],
    [{ dailyCap: 3 }, [2], null],
    [{ dailyCap: 3 }, [3], TODAY],
    [{ dailyCap: 3 }, [1, 3], null],
    [{ lifetimeCap: 4 }, [3], null],
    [{ lifetimeCap: 4 }, [1, 1, 2], "infinity"],
    [{ lifetimeCap: 4 }, [0, 5], "infinity"],
    [{ dailyCap: 3, lifetimeCap: 4 }, [3], TODAY],
    [{ dailyCap: 3, lifetimeCap: 4 }, [4], "infinity"],
  ])("within %j, of %j today and before, is capped through %s", async (caps, usedByDay, expected) => {
    const { id } = await makeOffer(h.db, advertiserId, caps);
    for (const [daysAgo, used] of usedByDay.entries()) await makeUsage(h.db, id, dayOf(daysAgo), used);
    expect(await cappedThrough(id)).toBe(expected);
  });

  it("is judged for the offers that are named only, and announced when that changed only", async () => {
    const [named, other] = await Promise.all([1, 2].map(() => makeOffer(h.db, advertiserId, { dailyCap: 1 })));
    await h.rows("insert into offer_usage select id, $3, 1 from unnest(array[$1, $2]) id", [
      named?.id,
      other?.id,
      TODAY,
    ]);
    const before = Number(await announced());
    expect((await judgeCaps(h.db, offersById([named?.id ?? ""]))).rows).toHaveLength(1);
    expect((await judgeCaps(h.db, offersById([named?.id ?? ""]))).rows).toHaveLength(0);
    expect(await announced()).toBe(before + 1);
    expect([await cappedThrough(named?.id ?? ""), await cappedThrough(other?.id ?? "")]).toEqual([TODAY, null]);
  });

  it("of an earlier day is over without an announcement", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 2, cappedThrough: dayOf(1) });
    const before = await announced();
    expect((await judgeCaps(h.db, offersById([id]))).rows).toHaveLength(0);
    expect(await announced()).toBe(before);
  });
});

describe("a cap is judged", () => {
  it("when hits are stored", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 2, lifetimeCap: 3 });
    const seen = [];
    for (const daysAgo of [0, 0, 0, 1, 1]) {
      const { outdated } = await click(id, daysAgo);
      seen.push([outdated.length > 0, await cappedThrough(id)]);
    }
    expect(seen).toEqual([
      [false, null],
      [true, TODAY],
      [false, TODAY],
      [true, "infinity"],
      [false, "infinity"],
    ]);
  });

  it("when it is changed", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 5 });
    await makeUsage(h.db, id, TODAY, 3);
    const changes: [OfferChange, string | null][] = [
      [{ title: "Another" }, null],
      [{ lifetimeCap: 3 }, "infinity"],
      [{ title: "Once more" }, "infinity"],
      [{ lifetimeCap: 4, dailyCap: 3 }, TODAY],
      [{ dailyCap: 4 }, null],
      [{ dailyCap: 1, status: "paused" }, TODAY],
      [{ dailyCap: null, lifetimeCap: null }, null],
    ];
    for (const [change, expected] of changes) {
      await updateOffer(h.db, ADMIN, id, change);
      expect([change, await cappedThrough(id)]).toEqual([change, expected]);
    }
  });

  it("and stays so in the archive", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 1 });
    await click(id);
    expect((await deleteOffer(h.db, ADMIN, id)).value).toEqual({ tag: expect.any(String) });
    expect(await cappedThrough(id)).toBe("infinity");
  });

  it("by what it is once a change of it under way has been committed", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 100 });
    const other = new pg.Client(h.postgresUrl);
    await other.connect();
    try {
      await other.query("begin");
      await other.query("update offers set lifetime_cap = 1 where id = $1", [id]);
      const recorded = click(id);
      const waiting = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await h.until(
        () => h.count(waiting),
        (n) => n > 0,
      );
      await other.query("commit");
      expect(await recorded).toMatchObject({ outdated: [documentKey.network] });
    } finally {
      await other.end();
    }
    expect(await cappedThrough(id)).toBe("infinity");
  });

  it("with the days that other consumers count at the same time", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 20 });
    const hits = Array.from({ length: 20 }, (_, i) =>
      makeHit({ offerId: id, occurredAt: Date.now() - (i % 10) * DAY }),
    );
    const results = await Promise.all(hits.map((hit) => recordHits(h.db, [hit])));
    expect(results.some((result) => result.outdated.length > 0)).toBe(true);
    expect(await cappedThrough(id)).toBe("infinity");
  });
});
