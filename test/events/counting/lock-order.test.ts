import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { reverseConversion } from "../../../db/tracking/conversions/reverse.ts";
import type { Conversion, Hit } from "../../../db/tracking/hits.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { expectExactCounts, hitsOf, makeHit } from "../../support/tracking/hits.ts";

/** Lists the tables in the order in which all counting locks their rows. */
const ORDER = [
  "recent_billings",
  "recent_lessons",
  "events",
  "counted_repeats",
  "daily_counters",
  "daily_parts",
  "daily_hits",
  "offer_usage",
  "creative_counters",
];

let h: Harness;
let advertiserId: string;
let placementId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
  placementId = (await makeInventory(h.db)).placement.id;
});
afterAll(() => h.close());

const shown = (offerId: string, more: Partial<Hit> = {}): Hit => makeHit({ offerId, placementId, part: 1, ...more });
const conversion = (offerId: string, more: Partial<Hit> = {}): Conversion =>
  Object.assign(shown(offerId, more), {
    kind: "conversion" as const,
    transactionId: newId("event"),
    amountMicros: 5_000_000,
    currency: "USD",
  });
const reverse = ({ transactionId }: Conversion) => reverseConversion(h.db, { advertiserId, transactionId }, null);

/** Returns the tables of {@link ORDER} in the order in which something writes them. */
const tablesOf = async (write: () => Promise<unknown>): Promise<string[]> => {
  await h.rows("truncate written");
  await write();
  const rows = await h.rows<{ name: string }>("select name from written group by name order by min(nr)");
  return rows.map(({ name }) => name);
};

const noteWrites = async () => {
  await h.rows("create table written (nr integer generated always as identity, name text not null)");
  await h.rows(`
    create function note_write() returns trigger language plpgsql as $$
    begin
      insert into written (name) values (tg_table_name);
      return new;
    end $$`);
  for (const table of ORDER) {
    await h.rows(
      `create trigger a_note_write before insert or update on ${table} for each row execute function note_write()`,
    );
  }
};
const ignoreWrites = async () => {
  for (const table of ORDER) await h.rows(`drop trigger a_note_write on ${table}`);
};

describe("counting and reversing write tables in one order", () => {
  beforeAll(noteWrites);
  afterAll(ignoreWrites);

  it("with everything there is to write, of one hit and of many", async () => {
    for (const count of [1, 200]) {
      const { id } = await makeOffer(h.db, advertiserId, { pricing: "CPA", lifetimeCap: 1_000 });
      const twin = shown(id);
      const conversions = Array.from({ length: count }, () => conversion(id, { creative: 2 }));
      await recordHits(h.db, [twin]);
      const { id: clicked } = await makeOffer(h.db, advertiserId);
      const sessionHash = newId("event");
      const seen = shown(clicked, { sessionHash, kind: "impression" });
      const hits = [...conversions, shown(id, { decisionId: twin.decisionId }), seen, shown(clicked, { sessionHash })];
      expect(await tablesOf(() => recordHits(h.db, hits))).toEqual(ORDER);
      const [first] = conversions;
      expect(await tablesOf(async () => first && reverse(first))).toEqual(
        ORDER.filter((name) => !name.startsWith("recent_") && name !== "counted_repeats"),
      );
    }
  });
});

describe("counting and reversing at once", () => {
  it("never lock each other out, whatever rows they share", async () => {
    const [paid, clicked] = await Promise.all([
      makeOffer(h.db, advertiserId, { pricing: "CPA" }),
      makeOffer(h.db, advertiserId, { pricing: "CPC" }),
    ]);
    const creative = { creative: 2 };
    for (let round = 0; round < 5; round++) {
      const conversions = Array.from({ length: 10 }, () => conversion(paid.id, creative));
      await recordHits(h.db, conversions);
      await Promise.all(
        conversions.flatMap((one) => [
          reverse(one),
          recordHits(h.db, [
            shown(paid.id, { kind: "impression", sessionHash: `session ${round}`, ...creative }),
            shown(clicked.id, { sessionHash: newId("event") }),
            conversion(paid.id, creative),
          ]),
        ]),
      );
    }
    expect(await hitsOf(h, paid.id)).toContain("conversion reversed 50");
    await expectExactCounts(h);
  });

  it("beside changes of the texts of these offers, and learning", async () => {
    const made = await Promise.all([1, 2, 3].map(() => makeOffer(h.db, advertiserId, { pricing: "CPA" })));
    const ids = made.map(({ id }) => id);
    const hits = () => ids.toReversed().flatMap((id) => [conversion(id), shown(id), shown(id, { kind: "impression" })]);
    for (let round = 0; round < 8; round++) {
      await recordHits(h.db, hits());
      await Promise.all([
        recordHits(h.db, hits()),
        h.rows("update offers set title = $1 where id = any ($2)", [`Title ${round}`, ids]),
        recordHits(h.db, hits()),
        h.cron(),
      ]);
    }
    await h.cron();
    expect(h.logs().filter((text) => /deadlock|learn failed/.test(text))).toEqual([]);
    expect(await h.count("daily_counters where not is_learned and offer_id <> ''")).toBe(0);
    expect(await h.count("changed_creatives where offer_id = any ($1)", [ids])).toBe(3);
    await expectExactCounts(h);
  });
});
