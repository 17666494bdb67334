import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";

/** Tells in SQL whether a change would alter a row of a table at all. Undefined members change nothing. */
export const differing = <Table extends PgTable>(
  table: Table,
  change: { [Column in keyof Table["$inferInsert"]]?: Table["$inferInsert"][Column] | undefined },
): SQL => {
  const columns = getTableColumns(table);
  const altered = Object.entries(change).flatMap(([name, value]) => {
    const column = columns[name];
    return value === undefined || !column ? [] : [sql`${column} is distinct from ${sql.param(value, column)}`];
  });
  return altered.length === 0 ? sql`false` : sql`(${sql.join(altered, sql` or `)})`;
};

/**
 * Dates an update: now if it alters the row, else unchanged, so that the row keeps its tag. The row is written all the
 * same, so that triggers judge the tags that the caller requires.
 */
export const updateTime = <Table extends PgTable & { updatedAt: AnyPgColumn }>(
  table: Table,
  change: { [Column in keyof Table["$inferInsert"]]?: Table["$inferInsert"][Column] | undefined },
): SQL => sql`case when ${differing(table, change)} then now() else ${table.updatedAt} end`;
