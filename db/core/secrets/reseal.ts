import { sql } from "drizzle-orm";
import type { Db } from "../client.ts";
import type { Resealed } from "./sealed.ts";

/** Makes a function that replaces ciphertexts in a column of a table, except those that changed meanwhile. */
export const resealIn =
  (table: string, column: string) =>
  async (db: Db, resealed: readonly Resealed[]): Promise<void> => {
    await db.execute(sql`
      update ${sql.identifier(table)} t set ${sql.identifier(column)} = v.sealed
      from jsonb_to_recordset(${JSON.stringify(resealed)}::jsonb) as v (id text, old text, sealed text)
      where t.id = v.id and t.${sql.identifier(column)} = v.old`);
  };
