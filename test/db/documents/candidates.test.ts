import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey, type Narrowing } from "../../../db/documents/keys.ts";
import { ANY, bandOf } from "../../../db/documents/candidates/narrowing.ts";
import type { CandidatesDocument } from "../../../db/documents/types.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { makeAdvertiser, makeInventory, makeOffers, type makeOffer } from "../../support/factories.ts";
import { DAY } from "../../support/tracking/hits.ts";

let database: OpenDatabase;
let placementId: string;
let advertiserId: string;

beforeAll(async () => {
  database = await openDatabase();
  placementId = (await makeInventory(database.db)).placement.id;
});
beforeEach(async () => {
  await database.pool.query("truncate offers cascade");
  advertiserId = (await makeAdvertiser(database.db)).id;
});
afterAll(() => database.close());

const startsAt = (ms: number) => new Date(Date.now() + ms);

const candidates = async (narrowing?: Partial<Narrowing>, at = placementId): Promise<CandidatesDocument> => {
  const nothing = { language: ANY, currency: ANY, paymentType: ANY, band: ANY };
  const key = narrowing ? documentKey.narrow(at, "US", { ...nothing, ...narrowing }) : documentKey.candidates(at, "US");
  return (await buildDocuments(database.db, [key])).get(key)?.value as CandidatesDocument;
};

type Overrides = Parameters<typeof makeOffer>[2];

/** Makes offers, each of an advertiser of its own unless one is named: the first is worth most. */
const make = async (count: number, overrides: Overrides, advertiser?: string): Promise<string[]> => {
  const own = advertiser ? [] : await Promise.all(Array.from({ length: count }, () => makeAdvertiser(database.db)));
  const rows = await makeOffers(database.db, advertiserId, count, (i) => ({
    advertiserId: advertiser ?? own[i]?.id ?? "",
    ecpmMicros: 1_000_000 - i,
    ...overrides,
  }));
  return rows.map(({ id }) => id);
};
const ids = ({ offers }: CandidatesDocument) => offers.map(({ id }) => id);

/** Expects the best 28 offers, except at most four whose places went to random ones. */
const expectBest = (found: readonly string[], made: readonly string[]): void => {
  expect(found).toHaveLength(28);
  expect(made).toEqual(expect.arrayContaining([...found]));
  expect(found).toEqual(expect.arrayContaining(made.slice(0, 24)));
};

describe("candidates", () => {
  it("are the best 28 open offers, best first, and complete: nobody can come short of them", async () => {
    const made = await make(40, {});
    const found = await candidates();
    expectBest(ids(found), made);
    expect(found).toMatchObject({ cut: false, reopensAt: null });
  });

  it("are the best by the publisher's own part where it wants that, and those that pay it nothing come before the next priority", async () => {
    const { placement } = await makeInventory(database.db, { publisher: { rankBy: "REVENUE" } });
    const dear = await make(30, { publisherShareBps: 1_000 });
    const cheap = await make(24, { ecpmMicros: 500_000, publisherShareBps: 9_000 });
    const found = await candidates(undefined, placement.id);
    expect(ids(found).slice(0, 24).toSorted()).toEqual(cheap.toSorted());
    expect(dear).toEqual(expect.arrayContaining(ids(found).slice(24)));
    expect(found.offers).toHaveLength(28);
    expect(found.cut).toBe(false);
    expect(ids(await candidates())).toEqual(expect.arrayContaining(dear.slice(0, 24)));
    // Offers for other countries do not keep the cheap ones from being considered.
    await make(220, { countries: ["DE"], ecpmMicros: 2_000_000 });
    expect(
      ids(await candidates(undefined, placement.id))
        .slice(0, 24)
        .toSorted(),
    ).toEqual(cheap.toSorted());
    await database.pool.query("truncate offers cascade");
    const free = await make(5, { publisherShareBps: 0 });
    const next = await make(5, { priority: 2, publisherShareBps: 10_000 });
    const both = ids(await candidates(undefined, placement.id));
    expect(both.slice(0, 5).toSorted()).toEqual(free.toSorted());
    expect(both.slice(5)).toEqual(next);
  });

  it("are four by chance, so that each is one of them now and then", async () => {
    const made = await make(40, {});
    const drawn = new Set<string>();
    // An offer that is drawn with a probability of a tenth is missed 150 times in a row once in seven million cases.
    for (let i = 0; i < 150 && drawn.size < 40; i++) for (const id of ids(await candidates())) drawn.add(id);
    expect([...drawn].toSorted()).toEqual(made.toSorted());
  });

  it("has those by chance from what would fill their places anyway: its targeting, and the priority that comes next", async () => {
    const best = await make(20, {});
    const next = await make(30, { priority: 2 });
    await make(200, { priority: 3 });
    const german = await make(40, { languages: ["de"], priority: 1 });
    const drawn = new Set<string>();
    for (let i = 0; i < 10; i++) {
      const found = ids(await candidates());
      expect(found).toEqual(expect.arrayContaining([...best, ...next.slice(0, 4), ...german.slice(0, 24)]));
      const byChance = found.filter((id) => next.indexOf(id) >= 4 || german.indexOf(id) >= 24);
      expect(byChance.filter((id) => next.includes(id))).toHaveLength(4);
      expect(byChance).toHaveLength(8);
      expect(found).toHaveLength(56);
      for (const id of byChance) drawn.add(id);
    }
    expect(drawn.size).toBeGreaterThan(8);
  });

  it("are cut where paced ones are left out, of which each is out for sessions of its own; a narrower list has all", async () => {
    const pacing = { pacing: "EVEN", dailyCap: 1_000 } as const;
    const paced = await make(100, pacing);
    const broad = await candidates();
    expect(broad.offers).toHaveLength(28);
    expect(broad.cut).toBe(true);
    const narrow = await candidates({ language: "fr" });
    expect(ids(narrow)).toEqual(paced);
    expect(narrow.cut).toBe(false);
    // Where everybody may see 28, no answer comes short.
    await make(28, { priority: 2 });
    expect(await candidates()).toMatchObject({ cut: false });
  });

  it("are the best 28 of each targeting by requests too, as far as they stand before the last open one", async () => {
    const german = await make(40, { languages: ["de"] });
    const french = await make(10, { languages: ["fr"], priority: 3 });
    const gated = ids(await candidates());
    expectBest(gated.slice(0, 28), german);
    expect(gated.slice(28).toSorted()).toEqual(french.toSorted());
    const open = await make(30, { priority: 2 });
    const both = ids(await candidates());
    expectBest(both.slice(0, 28), german);
    expectBest(both.slice(28), open);
    expect(await candidates()).toMatchObject({ cut: false });
  });

  it("are cut where more targetings come before than there is room for, and a narrower list has what they hide", async () => {
    const languages = ["aa", "ab", "af", "am", "ar", "as", "az", "be", "bg", "bn", "bs", "ca"];
    for (const language of languages) await make(12, { languages: [language] }, advertiserId);
    const french = await make(3, { languages: ["fr"], priority: 2 });
    const broad = await candidates();
    expect(broad).toMatchObject({ cut: true });
    // Eight of each advertiser come first, so that the fewest answers come short.
    expect(
      languages.map((language) => broad.offers.filter((offer) => offer.languages.includes(language)).length),
    ).toEqual(expect.not.arrayContaining([0, 1, 2, 3, 4, 5, 6, 7]));
    const narrow = await candidates({ language: "fr" });
    expect(ids(narrow)).toEqual(french);
    expect(narrow).toMatchObject({ cut: false });
    expect(ids(await candidates({ language: "zz" }))).toEqual([]);
  });

  it.each([
    ["least", 57, { amountMin: 58 }, { amountMax: 57 }],
    ["most", 57, { amountMax: 56 }, { amountMin: 57 }],
  ])("of a band count as open only if they admit all of it: %s amounts", async (_, amount, others, ours) => {
    await make(60, { currencies: ["USD"], ...others });
    const fitting = await make(20, { currencies: ["USD"], priority: 2, ...ours });
    const whole = await make(5, { currencies: ["USD"], amountMin: 50, amountMax: 75, priority: 3 });
    const found = await candidates({ currency: "USD", band: bandOf(amount) });
    expect(ids(found)).toEqual(expect.arrayContaining([...fitting, ...whole]));
    expect(found.offers).toHaveLength(28 + 20 + 5);
    expect(found.cut).toBe(false);
  });

  it("have at most eight of an advertiser before others", async () => {
    const greedy = await make(20, {}, advertiserId);
    const others = await make(4, { priority: 3 });
    const found = await candidates();
    expect(ids(found)).toEqual([...greedy.slice(0, 8), ...others, ...greedy.slice(8)]);
  });

  it("have others of an advertiser whose best offers fill a whole list", async () => {
    await make(500, {}, advertiserId);
    const others = await make(6, { priority: 2 });
    // One of them may have a random place, before the others of its priority.
    const behind = ids(await candidates()).slice(8, 8 + others.length);
    expect(behind.toSorted()).toEqual(others.toSorted());
  });
});

describe("an offer that does not serve yet", () => {
  it("takes no place while its daily cap is reached, and tells when it will be back", async () => {
    await make(200, { cappedThrough: new Date().toISOString().slice(0, 10) });
    const open = await make(30, { priority: 2 });
    const found = await candidates();
    expectBest(
      ids(found).filter((id) => open.includes(id)),
      open,
    );
    expect(found.reopensAt).toBe((Math.floor(Date.now() / DAY) + 1) * DAY);
  });

  it("is listed shortly before its start; the first that is not is told", async () => {
    const soon = await make(1, { startsAt: startsAt(60_000) });
    const hour = startsAt(3_600_000);
    await make(3, { startsAt: hour });
    await make(1, { startsAt: startsAt(60_000), countries: ["DE"] });
    const found = await candidates();
    expect(ids(found)).toEqual(soon);
    expect(found).toMatchObject({ cut: false, reopensAt: hour.getTime() });
  });

  it("is told in time even behind many that are for others", async () => {
    await make(250, { startsAt: new Date(Date.now() + 3_600_000), countries: ["DE"] });
    const ours = new Date(Date.now() + 7_200_000);
    await make(1, { startsAt: ours });
    const { reopensAt } = await candidates();
    expect(reopensAt).not.toBeNull();
    expect(reopensAt).toBeLessThanOrEqual(ours.getTime());
  });

  it("reopens a list when a listed offer ends while others are left out", async () => {
    const endsAt = new Date(Date.now() + 3_600_000);
    await make(1, { endsAt });
    expect((await candidates()).reopensAt).toBeNull();
    await make(40, {});
    expect((await candidates()).reopensAt).toBe(endsAt.getTime());
  });
});
