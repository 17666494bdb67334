import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginPacing, findPaced, setPaces } from "../../../db/demand/caps/paces.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { makeAdvertiser, makeOffer, makeOffers, makeUsage } from "../../support/factories.ts";

let database: OpenDatabase;
let advertiserId: string;
beforeAll(async () => {
  database = await openDatabase();
  advertiserId = (await makeAdvertiser(database.db)).id;
});
afterAll(() => database.close());

const LAST = 2 ** 31 - 1;
const today = () => new Date().toISOString().slice(0, 10);
const isOn = async (serial: number) => {
  const { rows } = await database.pool.query<{ is_on: boolean }>("select is_on from offer_paces where serial = $1", [
    serial,
  ]);
  return rows[0]?.is_on;
};

describe("paced offers", () => {
  it("are found some at a time, each once, wherever one begins", async () => {
    await makeOffers(database.db, advertiserId, 25, () => ({ pacing: "EVEN", dailyCap: 5 }));
    const { offers: all } = await findPaced(database.db, { after: 0, until: LAST }, 1_000);
    const serials = all.map(({ serial }) => serial);
    expect(serials.length).toBeGreaterThanOrEqual(25);
    expect(await beginPacing(database.db, serials.length)).toBe(0);
    for (let i = 0; i < 5; i++) {
      const start = await beginPacing(database.db, 10);
      const found: number[] = [];
      for (const { after: first, until } of [
        { after: start, until: LAST },
        { after: 0, until: start },
      ]) {
        for (let after: number | null = first; after !== null;) {
          const some: Awaited<ReturnType<typeof findPaced>> = await findPaced(database.db, { after, until }, 10);
          found.push(...some.offers.map(({ serial }) => serial));
          after = some.last;
        }
      }
      expect(found.toSorted((a, b) => a - b)).toEqual(serials);
    }
  });

  it("tell what is used of their caps, today and ever", async () => {
    const { id, serial } = await makeOffer(database.db, advertiserId, { pacing: "EVEN", dailyCap: 50 });
    await makeUsage(database.db, id, today(), 3);
    await makeUsage(database.db, id, "2026-01-01", 4);
    const { offers, now } = await findPaced(database.db, { after: serial - 1, until: serial }, 1);
    expect(offers).toMatchObject([
      { serial, usedToday: 3, usedEver: 7, dailyCap: 50, step: 32, pacedAt: null, pending: 0 },
    ]);
    expect(now).toBeGreaterThan(Date.UTC(2026, 0, 1));
  });

  it("outdate the network's document when a step changed, and at no other time", async () => {
    const { id, serial } = await makeOffer(database.db, advertiserId, { pacing: "EVEN", dailyCap: 50 });
    const pace = { serial, step: 9, billed: 1.5, exposure: 2.5, used: 3, pacedAt: 1_700_000_000_000 };
    expect(await setPaces(database.db, [pace])).toEqual(["network"]);
    expect(await setPaces(database.db, [{ ...pace, billed: 2 }])).toEqual([]);
    const { offers } = await findPaced(database.db, { after: serial - 1, until: serial }, 1);
    expect(offers).toMatchObject([{ ...pace, billed: 2 }]);
    await database.pool.query("update offers set pacing = 'ASAP' where id = $1", [id]);
    expect(await setPaces(database.db, [{ ...pace, step: 1 }])).toEqual([]);
    expect(await isOn(serial)).toBeUndefined();
  });

  it("are paced only while they may serve now or later", async () => {
    const later = new Date(Date.now() + 3_600_000);
    const { id, serial } = await makeOffer(database.db, advertiserId, {
      pacing: "EVEN",
      lifetimeCap: 5,
      startsAt: later,
      endsAt: new Date(later.getTime() + 3_600_000),
    });
    expect(await isOn(serial)).toBe(true);
    await makeUsage(database.db, id, today(), 5);
    expect(await isOn(serial)).toBe(false);
    await database.pool.query("update offers set lifetime_cap = 9, capped_through = null where id = $1", [id]);
    expect(await isOn(serial)).toBe(true);
    // As if its end had come: no change tells of that.
    await database.pool.query("alter table offers disable trigger offers_paced_updated");
    await database.pool.query("update offers set starts_at = null, ends_at = now() where id = $1", [id]);
    await database.pool.query("alter table offers enable trigger offers_paced_updated");
    await beginPacing(database.db, 10);
    expect(await isOn(serial)).toBe(false);
    await database.pool.query("update offers set ends_at = now() + interval '1 hour' where id = $1", [id]);
    expect(await isOn(serial)).toBe(true);
  });
});
