import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { languageCode } from "../../../functions/decision/language.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

const MIGRATION = readFileSync("db/migrations/0029_language_codes.sql", "utf8");

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

it("offers from before are kept by the codes that requests have now", async () => {
  const { id: advertiser } = await makeAdvertiser(h.db);
  const sent = [["iw", "fr", "he"], ["zzz", "deu", "ger", "de", "en"], ["de", "fr"], []];
  const offers = await Promise.all(sent.map((languages) => makeOffer(h.db, advertiser, { languages })));
  const read = async () => {
    const rows = await h.rows<{ id: string; languages: string[]; changed_at: Date }>("select * from offers");
    return offers.map(({ id }) => rows.find((row) => row.id === id));
  };
  const before = await read();
  await h.rows(MIGRATION);
  const after = await read();
  expect(after.map((row) => row?.languages)).toEqual([["he", "fr"], ["zzz", "de", "en"], ["de", "fr"], []]);
  // What was right already stays as it is, also for candidates.
  expect(after.slice(2)).toEqual(before.slice(2));
});

it("the codes that are replaced are those that requests no longer have", () => {
  const pairs = [...MIGRATION.matchAll(/\b([a-z]{2,3}):([a-z]{2,3})\b/g)];
  expect(pairs.length).toBeGreaterThan(400);
  for (const [, other = "", own] of pairs) expect([other, languageCode(other)]).toEqual([other, own]);
});
