import { afterAll, beforeAll, expect, it } from "vitest";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { paceStepOf } from "../../../db/documents/paced.ts";
import type { NetworkDocument } from "../../../db/documents/types.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { makeAdvertiser, makeOffers } from "../../support/factories.ts";

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
  // As if there were other offers between them, and all of the steps of small shares were about.
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
