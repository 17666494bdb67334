import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** Tells in SQL whether a change would alter a row of a table at all. What is undefined changes nothing. */
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
