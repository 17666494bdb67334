import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { check, text, timestamp, type ExtraConfigColumn } from "drizzle-orm/pg-core";

/** A point in time with the milliseconds that answers show. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const createdAt = () => moment("created_at").notNull().defaultNow();
export const updatedAt = () => moment("updated_at").notNull().defaultNow();

/** A column of an index in the order of `order by … desc`: nulls first, which `desc()` alone is not in an index. */
export const descending = (column: ExtraConfigColumn) => column.desc().nullsFirst();

/** A text array whose empty value means "any", so that no query has to ask for null. */
export const anyOf = (name: string) =>
  text(name)
    .array()
    .notNull()
    .default(sql`'{}'::text[]`);

const list = (values: readonly string[]): SQL =>
  sql.raw(`array[${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")}]::text[]`);

/** A check that a column holds one of a closed set of values (null passes, as in every SQL check). */
export const checkOneOf = (name: string, column: AnyColumn, values: readonly string[]) =>
  check(name, sql`${column} = any (${list(values)})`);

/** A check that every element of an array column is of a closed set of values. */
export const checkAllOf = (name: string, column: AnyColumn, values: readonly string[]) =>
  check(name, sql`${column} <@ ${list(values)}`);
