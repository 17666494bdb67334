import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { paceStepOf } from "../../../db/documents/paced.ts";
import type { CandidatesDocument, NetworkDocument } from "../../../db/documents/types.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeOffers } from "../../support/factories.ts";

const OFFERS = 10_000;

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

const network = async () => {
  const built = await buildDocuments(database.db, [documentKey.network]);
  return built.get(documentKey.network)?.value as NetworkDocument;
};

it("tells the steps of 10,000 paced offers, among ten times as many others, within 64 KB", async () => {
  const { id: advertiserId } = await makeAdvertiser(database.db);
  const serials: number[] = [];
  for (let i = 0; i < OFFERS; i += 500) {
    const made = await makeOffers(database.db, advertiserId, 500, () => ({ pacing: "EVEN", dailyCap: 100 }));
    serials.push(...made.map(({ serial }) => serial));
  }
  // As if there were other offers between them, and all steps of small shares were in use.
  const set = `select o.serial, p.step from offers o join offer_paces p on p.serial = o.serial where o.advertiser_id = $1`;
  await database.pool.query("update offer_paces set step = (serial * 7919) % 120 where serial = any ($1)", [serials]);
  await database.pool.query("update offers set status = 'paused' where advertiser_id = $1 and serial % 100 = 0", [
    advertiserId,
  ]);
  const { rows } = await database.pool.query<{ serial: number; step: number }>(set, [advertiserId]);
  const document = await network();
  expect(rows).toHaveLength(OFFERS);
  for (const { serial, step } of rows) {
    expect(paceStepOf(document, { serial })).toBe(serial % 100 === 0 ? 0 : step);
  }
  const bytes = (spread: number) => {
    const groups = document.paced?.map(([step = 0, ...gaps]) => [step].concat(gaps.map((gap) => gap * spread)));
    return JSON.stringify({ ...document, paced: groups }).length;
  };
  expect(document.offers.flat().length).toBeGreaterThan(100);
  expect(bytes(1)).toBeLessThan(64 * 1_024);
  expect(bytes(10)).toBeLessThan(64 * 1_024);
});

/** Lists the ids of the offers that a list of candidates holds. */
const listed = async (key: ReturnType<typeof documentKey.candidates>) => {
  const built = await buildDocuments(database.db, [key]);
  const document = built.get(key)?.value as CandidatesDocument | null | undefined;
  return new Set(document?.offers.map(({ id }) => id));
};

describe("candidates", () => {
  it("hold 28 offers that all sessions may see, whatever is paced, in broad lists and in narrower ones", async () => {
    const { site, placement } = await makeInventory(database.db);
    const { id: advertiserId } = await makeAdvertiser(database.db);
    const here = { includeSites: [site.id] };
    const even = { ...here, pacing: "EVEN", dailyCap: 100, bidMicros: 9_000_000 } as const;
    const paced = await makeOffers(database.db, advertiserId, 60, () => even);
    await makeOffers(database.db, advertiserId, 28, () => here);
    const facts = { language: "-", currency: "-", paymentType: "-", band: "-" };
    for (const key of [documentKey.candidates(placement.id, "US"), documentKey.narrow(placement.id, "US", facts)]) {
      const ids = await listed(key);
      const { rows } = await database.pool.query("select from offers where id = any ($1) and pacing = 'ASAP'", [
        [...ids],
      ]);
      expect(rows.length).toBeGreaterThanOrEqual(28);
      // Of the 28 paced offers, eight are another advertiser's, and four have random places.
      expect(paced.filter(({ id }) => ids.has(id)).length).toBeGreaterThanOrEqual(16);
    }
  });

  it("take an offer for an open one again as soon as it is paced no more", async () => {
    const { id: advertiserId } = await makeAdvertiser(database.db);
    const { id, serial } = await makeOffer(database.db, advertiserId, { pacing: "EVEN", dailyCap: 1 });
    const read = async () => {
      const { rows } = await database.pool.query(
        "select is_open, is_paced, gate = 0 as is_free from offer_ranks where serial = $1",
        [serial],
      );
      return rows as unknown[];
    };
    expect(await read()).toEqual([{ is_open: false, is_paced: true, is_free: false }]);
    await database.pool.query("update offers set pacing = 'ASAP' where id = $1", [id]);
    expect(await read()).toEqual([{ is_open: true, is_paced: false, is_free: true }]);
  });
});
