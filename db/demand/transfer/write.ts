import { asc, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../../core/client.ts";
import { newId } from "../../core/ids.ts";
import { changedNetwork, networkStatements } from "../../documents/network-change.ts";
import type { Changed } from "../../documents/outdate.ts";
import { offerCreatives } from "../../schema/creatives.ts";
import { offers } from "../../schema/demand.ts";
import { holdCaps, judgeCaps, offersById, recountUsage } from "../caps/caps.ts";
import type { CreativeInput } from "../creatives.ts";
import { holdAdvertisers } from "../hold-advertisers.ts";
import { idsOf, type OfferInput } from "../offers.ts";
import { priorEcpm, priorEcpmOf } from "../pricing.ts";
import { isAmong, type Found } from "./find.ts";
import type { OfferRow, RowResult } from "./rows.ts";

/** Limits how many rows a statement inserts, since each of their columns is a parameter of it. */
const AT_ONCE = 250;

type Changes = readonly { id: string; change: object }[];

/** Makes the statement that changes rows of a table, each in its own columns; null for no change at all. */
const updateAll = (db: Db, table: PgTable, name: string, changes: Changes, more: SQL = sql``) => {
  const columns = getTableColumns(table);
  const renamed = changes.map(({ id, change }) => ({
    id,
    change: Object.fromEntries(
      Object.entries(change).flatMap(([key, value]) => {
        const column = columns[key];
        return value === undefined || !column ? [] : [[column.name, value as unknown]];
      }),
    ),
  }));
  const names = [...new Set(renamed.flatMap(({ change }) => Object.keys(change)))].toSorted();
  if (names.length === 0) return null;
  const listed = (row: string) => sql.raw(names.map((column) => `${row}.${column}`).join(", "));
  return db.execute(sql`
    update ${sql.raw(name)} o set ${sql.raw(names.map((column) => `${column} = n.${column}`).join(", "))}, updated_at = now()${more}
    from (
      select p.* from jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) as j (id text, change jsonb)
        join ${sql.raw(name)} x on x.id = j.id cross join lateral jsonb_populate_record(x, j.change) p
    ) n
    where o.id = n.id and (${listed("o")}) is distinct from (${listed("n")})`);
};

const chunks = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, i) => rows.slice(i * AT_ONCE, (i + 1) * AT_ONCE));

type Given = Partial<OfferInput>;

/** Returns the columns of a row's offer, with the ids of its categories. */
const columnsOf = <Input extends Given>({ categories, ...given }: Input, found: Found) => ({
  ...given,
  ...(categories ? { categoryIds: idsOf(categories, found.categories) } : {}),
});

const isCapping = ({ dailyCap, lifetimeCap }: Given): boolean =>
  typeof dailyCap === "number" || typeof lifetimeCap === "number";

const isArchiving = ({ change }: { change: Partial<CreativeInput> }) => change.status === "archived";

/** Makes the statement that ends an import's batch: it selects the results of its rows. */
export const tellResults = (db: Db, results: readonly RowResult[]) =>
  db.execute<{ results: RowResult[] }>(sql`select ${JSON.stringify(results)}::json as results`);

/**
 * Writes valid rows in one transaction: new offers, creatives, then changes of offers. These come last, since counting
 * waits until the end for an offer that gets its first cap. Creatives that are archived go before other creatives, to
 * make room.
 *
 * @param refused what became of the other rows
 * @returns what became of all rows, in their order
 */
export const writeRows = async (
  db: Db,
  rows: readonly OfferRow[],
  found: Found,
  refused: readonly RowResult[],
): Promise<Changed<RowResult[]>> => {
  // Ids of one millisecond sort at random, and new offers are listed by their ids.
  const fresh = rows.map(() => newId("offer")).toSorted();
  const named = rows.map((row, i) => ({ row, id: row.id ?? fresh[i] ?? "" }));
  const changed = rows.flatMap((row) => (row.id === null ? [] : [row]));
  const ids = changed.map(({ id }) => id);
  const inserted = named.flatMap(({ row, id }) => {
    if (row.id !== null) return [];
    const { pricing, bidMicros } = row.input;
    const made = { id, advertiserId: row.advertiserId, ecpmMicros: priorEcpm(pricing, bidMicros) };
    return [Object.assign(columnsOf(row.input, found), made)];
  });
  const changes = changed.map(({ id, change }) => {
    const { advertiserId: _, ...columns } = change;
    return { id, change: columnsOf(columns as Given, found) };
  });
  const capped = offersById(changed.filter(({ change }) => isCapping(change as Given)).map(({ id }) => id));
  const creatives = named.flatMap(({ row, id }) => row.creatives.map((creative) => ({ offerId: id, creative })));
  const added = creatives.flatMap(({ offerId, creative }) =>
    creative.id === null ? [Object.assign({ id: newId("creative"), offerId }, creative.input)] : [],
  );
  const edited = creatives.flatMap(({ creative }) => (creative.id === null ? [] : [creative]));
  const statements = [
    db
      .select({ id: offers.id })
      .from(offers)
      .where(isAmong(offers.id, ids))
      .orderBy(asc(offers.id))
      .for("no key update"),
    ...chunks(inserted).map((some) => db.insert(offers).values(some)),
    updateAll(db, offerCreatives, "offer_creatives", edited.filter(isArchiving)),
    updateAll(
      db,
      offerCreatives,
      "offer_creatives",
      edited.filter((creative) => !isArchiving(creative)),
    ),
    ...chunks(added).map((some) => db.insert(offerCreatives).values(some)),
    holdAdvertisers(db, offersById(ids)),
    holdCaps(db, capped),
    recountUsage(db, capped),
    updateAll(db, offers, "offers", changes, sql`, ecpm_micros = ${priorEcpmOf(sql`n.pricing`, sql`n.bid_micros`)}`),
    judgeCaps(db, offersById(ids)),
  ].filter((statement) => statement !== null);
  const [first, ...rest] = statements;
  if (!first) throw new Error("nothing was to be written");
  const written = named.map(({ row, id }): RowResult => ({
    nr: row.nr,
    status: row.id === null ? "created" : "updated",
    id,
  }));
  const told = tellResults(
    db,
    [...written, ...refused].toSorted((a, b) => a.nr - b.nr),
  );
  const all = [first, ...rest, ...networkStatements(db), told];
  const results = await db.change(all as never as Parameters<Db["batch"]>[0]);
  const [noted, built, { rows: answer }] = results.slice(-3) as unknown as Parameters<typeof changedNetwork> extends [
    unknown,
    infer N,
    infer B,
  ]
    ? [N, B, Awaited<typeof told>]
    : never;
  return changedNetwork(answer[0]?.results ?? [], noted, built);
};
