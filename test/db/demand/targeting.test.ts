import { getTableColumns } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { offers } from "../../../db/schema/demand.ts";
import { REQUEST_COLUMNS, TARGETING_COLUMNS, type TargetingColumn } from "../../../db/schema/targeting.ts";
import { openDatabase, type OpenDatabase } from "../../support/database/opened.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";

let database: OpenDatabase;
let advertiserId: string;

beforeAll(async () => {
  database = await openDatabase();
  advertiserId = (await makeAdvertiser(database.db)).id;
});
afterAll(() => database.close());

const CHANGED: Record<TargetingColumn, unknown> = {
  countries: ["CH"],
  categoryIds: ["1.1"],
  ageDemographics: ["AGE_18_24"],
  genderDemographics: ["MIXED"],
  includePublishers: [newId("publisher")],
  excludePublishers: [newId("publisher")],
  includeSites: [newId("site")],
  excludeSites: [newId("site")],
  languages: ["rm"],
  currencies: ["CHF"],
  amountMin: 1,
  amountMax: 1_000,
  paymentTypes: ["crypto"],
};

/** Reads all columns of an offer by which candidates are found, and when it last changed. */
const readRanks = async (serial: number) => {
  const { rows } = await database.pool.query(
    `select o.changed_at::text, r.*,
       (select array_agg(x.target) from offer_exclusions x where x.serial = o.serial) as excluded
     from offers o join offer_ranks r on r.serial = o.serial where o.serial = $1`,
    [serial],
  );
  return rows[0] as { changed_at: string } & Record<string, unknown>;
};

describe("a change of targeting, column by column,", () => {
  it.each(TARGETING_COLUMNS)("%s: changes how the offer is found, and lists the offer as changed", async (column) => {
    await makeInventory(database.db);
    const { serial } = await makeOffer(database.db, advertiserId, { currencies: ["USD"] });
    const { changed_at: before, ...ranks } = await readRanks(serial);
    await database.pool.query(`update offers set ${getTableColumns(offers)[column].name} = $1 where serial = $2`, [
      CHANGED[column],
      serial,
    ]);
    const { changed_at: after, ...changed } = await readRanks(serial);
    expect(changed).not.toEqual(ranks);
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
  });

  // An offer that asks something of requests must not take an open one's place, nor share a gate with different
  // demands.
  it.each(REQUEST_COLUMNS)("%s: has a gate of its own, because requests decide", async (column) => {
    const isOfAmounts = column === "amountMin" || column === "amountMax";
    const { serial } = await makeOffer(database.db, advertiserId, isOfAmounts ? { currencies: ["USD"] } : {});
    const { gate } = await readRanks(serial);
    await database.pool.query(`update offers set ${getTableColumns(offers)[column].name} = $1 where serial = $2`, [
      CHANGED[column],
      serial,
    ]);
    const changed = await readRanks(serial);
    expect(changed).toMatchObject({ is_open: false });
    expect(changed["gate"]).not.toBe(gate);
  });
});
