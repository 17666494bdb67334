import { count, ilike, sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { containing, type Page } from "../core/paging.ts";
import { categories } from "../schema/inventory.ts";

/**
 * Lists the categories whose names contain a text, ignoring case, in the order of the taxonomy, and counts all of them.
 */
export const listCategories = async (db: Db, search: string | undefined, page: Page) => {
  const wanted = search === undefined ? undefined : ilike(categories.name, containing(search));
  const [rows, [all]] = await db.batch([
    db
      .select()
      .from(categories)
      .where(wanted)
      // As numbers: as texts, 1.10 would sort before 1.2.
      .orderBy(sql`string_to_array(${categories.taxonomyId}, '.')::int[]`)
      .offset(page.skip)
      .limit(page.take),
    db.select({ total: count() }).from(categories).where(wanted),
  ]);
  return { rows, total: all?.total ?? 0 };
};
