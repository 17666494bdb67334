import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { languageCode } from "../../../functions/decision/language.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

const migration = (name: string) => readFileSync(`db/migrations/${name}.sql`, "utf8");
const CODES = migration("0029_language_codes");
const NORWEGIAN = migration("0038_norwegian");

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

/** Makes offers for languages as they were stored before a migration, and reads them before and after it. */
const migrate = async (sql: string, kept: string[][]) => {
  const { id: advertiser } = await makeAdvertiser(h.db);
  const offers = await Promise.all(kept.map((languages) => makeOffer(h.db, advertiser, { languages })));
  const read = async () => {
    const rows = await h.rows<{ id: string; languages: string[]; updated_at: Date; mask: string; asked: string }>(
      `select o.*, r.languages::text as mask, targeting_mask('languages', o.languages)::text as asked
       from offers o join offer_ranks r on r.serial = o.serial`,
    );
    return offers.map(({ id }) => rows.find((row) => row.id === id));
  };
  const before = await read();
  await h.rows(sql);
  return { before, after: await read() };
};

describe("offers from before are kept by the codes that requests have now", () => {
  it.each([
    [
      "other codes",
      CODES,
      [["iw", "fr", "he"], ["zzz", "deu", "ger", "de", "en"], ["de", "fr"], []],
      [
        ["he", "fr"],
        ["zzz", "de", "en"],
      ],
    ],
    ["Norwegian", NORWEGIAN, [["nb"], ["sv", "nn", "da", "no", "nb"], ["no", "sv"], []], [["no"], ["sv", "no", "da"]]],
  ])("%s", async (_, sql, kept, changed) => {
    const { before, after } = await migrate(sql, kept);
    expect(after.slice(0, 2).map((row) => row?.languages)).toEqual(changed);
    // They are found by the new codes, and nobody has changed them.
    expect(after.map((row) => row?.mask)).toEqual(after.map((row) => row?.asked));
    expect(after.map((row) => row?.updated_at)).toEqual(before.map((row) => row?.updated_at));
    // What was right already stays as it is, also for candidates.
    expect(after.slice(2)).toEqual(before.slice(2));
  });
});

it("requests of last week, which forecasts ask, are in Norwegian", async () => {
  const { placement } = await makeInventory(h.db);
  await h.rows(
    `insert into request_facts (hour, placement_id, country, language, count)
     select now() - interval '1 day', $1, 'NO', unnest($2::text[]), 4`,
    [placement.id, ["nb", "nn", "no", "se", null]],
  );
  await h.rows(NORWEGIAN);
  const facts = await h.rows("select language from request_facts where placement_id = $1 order by id", [placement.id]);
  expect(facts.map(({ language }) => language as unknown)).toEqual(["no", "no", "no", "se", null]);
});

it("the codes that are replaced are those that requests no longer have", () => {
  const pairs = [...CODES.matchAll(/\b([a-z]{2,3}):([a-z]{2,3})\b/g)];
  expect(pairs.length).toBeGreaterThan(400);
  for (const [, other = "", own = ""] of pairs) {
    const now = own === "nb" || own === "nn" ? "no" : own;
    expect([other, languageCode(other), languageCode(own)]).toEqual([other, now, now]);
  }
});
