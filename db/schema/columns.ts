import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { check, text, timestamp, type ExtraConfigColumn } from "drizzle-orm/pg-core";

/** Declares a column for a point in time, to the millisecond, as answers show it. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const createdAt = () => moment("created_at").notNull().defaultNow();
/** Selects the present UTC day. */
export const today = sql`(now() at time zone 'UTC')::date`;

export const updatedAt = () => moment("updated_at").notNull().defaultNow();

/** Sorts an indexed column as `order by … desc` does, nulls first. In an index, `desc()` alone puts nulls last. */
export const descending = (column: ExtraConfigColumn) => column.desc().nullsFirst();

/** Declares a text array that is never null: an empty one means "any". */
export const anyOf = (name: string) =>
  text(name)
    .array()
    .notNull()
    .default(sql`'{}'::text[]`);

const quoted = (values: readonly string[]): string =>
  values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");

const list = (values: readonly string[]): SQL => sql.raw(`array[${quoted(values)}]::text[]`);

/** Tells whether a column holds one of some values. It spells the condition the same in a query and in its index. */
export const isOneOf = (column: AnyColumn | SQL, values: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(quoted(values))})`;

/** Checks that a column holds one of a closed set of values. Null passes, as in every SQL check. */
export const checkOneOf = (name: string, column: AnyColumn, values: readonly string[]) =>
  check(name, sql`${column} = any (${list(values)})`);

/** Checks that every element of an array column belongs to a closed set of values. */
export const checkAllOf = (name: string, column: AnyColumn, values: readonly string[]) =>
  check(name, sql`${column} <@ ${list(values)}`);
