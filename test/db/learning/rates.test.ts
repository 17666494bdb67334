import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importOffers } from "../../../db/demand/transfer/import.ts";
import { updateOffer } from "../../../db/demand/offers.ts";
import { storeBounds } from "../../../db/learning/bounds.ts";
import { addLearned, type Learned } from "../../../db/learning/rates.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

const ADMIN = { kind: "admin" } as const;
const SUMS = { clicks: 100, exposure: 1_000, conversions: 0, clicked: 0 };
const RATES = { clickRate: 0.02, conversionRate: 0.05 };

let h: Harness;
let other: pg.Client;

beforeAll(async () => {
  h = await startHarness();
  other = new pg.Client({ connectionString: h.postgresUrl });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await h.close();
});

/** Adds to what is known of offers and advertisers. */
const fold = (offers: readonly string[], advertisers: readonly string[]): Promise<boolean> => {
  const learned: Learned = {
    cells: [],
    offers: offers.map((offerId) => ({
      ...SUMS,
      counted: SUMS.clicked,
      offerId,
      advertiserClickRate: 0.02,
      advertiserConversionRate: 0.05,
      boundRate: null,
    })),
    days: [],
    advertisers: advertisers.map((advertiserId) => ({ ...SUMS, ...RATES, advertiserId })),
    places: [],
    slots: [],
    network: { ...SUMS, ...RATES },
  };
  return addLearned(h.db, [], learned);
};

/** Makes two known offers of two advertisers whose ids have the opposite order. */
const makeTwo = async () => {
  const made = await Promise.all([makeAdvertiser(h.db), makeAdvertiser(h.db)]);
  const advertisers = made.map(({ id }) => id).toSorted((a, b) => (a < b ? 1 : -1));
  const offers: string[] = [];
  for (const id of advertisers) offers.push((await makeOffer(h.db, id)).id);
  await fold(offers, advertisers);
  return { advertisers, offers };
};

const waiting = () => h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
/** Waits until a number of statements wait for locks of others. */
const untilWaiting = (statements: number) => h.until(waiting, (found) => found >= statements);

describe("what is learned is added while offers change", () => {
  it("and neither locks the other out, where an offer gets another title", async () => {
    const { advertisers, offers } = await makeTwo();
    const [, offer = ""] = offers;
    await other.query("begin");
    await other.query("select from rate_advertisers where advertiser_id = any ($1) for update", [advertisers]);
    const adding = fold(offers, advertisers);
    await untilWaiting(1);
    const editing = updateOffer(h.db, ADMIN, offer, { title: "Another" });
    await untilWaiting(2);
    await other.query("commit");
    expect(await Promise.all([adding, editing])).toMatchObject([true, { value: { offer: { title: "Another" } } }]);
  });

  it.each([
    ["another title", "title = 'Another'"],
    ["another pricing", "pricing = 'CPA'"],
  ])("and neither locks the other out, where one gets %s and then one another title", async (_, change) => {
    const { advertisers, offers } = await makeTwo();
    const [first, second] = offers;
    await other.query("begin");
    await other.query(`update offers set ${change} where id = $1`, [first]);
    const adding = fold(offers, advertisers);
    await untilWaiting(1);
    await other.query("update offers set title = 'Another' where id = $1", [second]);
    await other.query("commit");
    expect(await adding).toBe(true);
  });
});

/** Imports the same change of some offers. */
const bringIn = (ids: readonly string[], change: { title?: string; bidMicros?: number }) =>
  importOffers(
    h.db,
    ADMIN,
    ids.map((id, i) => ({ nr: i + 1, id, change, creatives: [] })),
    true,
    false,
  );

it("an import waits for what is learned where offers show something else, and not where they show the same", async () => {
  const { offers } = await makeTwo();
  const [{ title } = { title: "" }] = await h.rows<{ title: string }>("select title from offers where id = $1", [
    offers[0],
  ]);
  await other.query("begin");
  await other.query("select from rate_network for no key update");
  expect(await bringIn(offers, { title, bidMicros: 123_456 })).toMatchObject({ value: [{}, {}] });
  const shown = bringIn(offers, { title: "Another" });
  await untilWaiting(1);
  await other.query("commit");
  expect(await shown).toMatchObject({ value: [{}, {}] });
  expect(await h.count("offers where title = 'Another' and bid_micros = 123456 and id = any ($1)", [offers])).toBe(2);
});

it("two imports that change titles of the same advertisers' offers both happen, whatever the order of their rows", async () => {
  const advertisers: string[] = [];
  for (let i = 0; i < 8; i++) advertisers.push((await makeAdvertiser(h.db)).id);
  const makeOf = async (owners: readonly string[]) => {
    const ids: string[] = [];
    for (const id of owners) ids.push((await makeOffer(h.db, id)).id);
    await fold(ids, advertisers);
    return ids;
  };
  // In the table, as in the import, they come the other way round.
  const both = [await makeOf(advertisers), await makeOf(advertisers.toReversed())];
  await other.query("begin");
  await other.query("select from rate_advertisers where advertiser_id = any ($1) for update", [advertisers]);
  const imports = both.map((ids) => bringIn(ids, { title: "Another" }));
  await untilWaiting(2);
  await other.query("commit");
  const updated = { value: advertisers.map(() => ({ status: "updated" })) };
  expect(await Promise.all(imports)).toMatchObject([updated, updated]);
  expect(await h.count("offers where title = 'Another' and id = any ($1)", [both.flat()])).toBe(16);
});

it("a bound is kept by an offer that is there, and still paid as when the bound was worked out", async () => {
  const { id: advertiserId } = await makeAdvertiser(h.db);
  const made = await Promise.all([1, 2].map(() => makeOffer(h.db, advertiserId, { pricing: "CPC" })));
  const [kept = "", changed = ""] = made.map(({ id }) => id);
  const bound = { advertiserClickRate: 0.02, advertiserConversionRate: 0.05, boundRate: 0.5 };
  await storeBounds(h.db, [
    { ...bound, offerId: kept, pricing: "CPC" },
    { ...bound, offerId: changed, pricing: "CPA" },
    { ...bound, offerId: "ofr_gone", pricing: "CPC" },
  ]);
  expect(
    await h.rows("select offer_id, bound_rate from rate_offers where offer_id = any ($1)", [
      [kept, changed, "ofr_gone"],
    ]),
  ).toEqual([{ offer_id: kept, bound_rate: 0.5 }]);
});
