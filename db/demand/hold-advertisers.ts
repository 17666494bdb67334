import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";

/**
 * Makes the statement that waits for changes of the advertisers of offers, and keeps these as they are until the end of
 * the batch. It goes after the statement that locks the offers, and before those that take the locks that the whole
 * network waits for, first caps and rates: ranks are made from the advertiser's state, and a change of an advertiser
 * with ten thousand offers takes a second.
 *
 * @param offers a query of offers' ids
 */
export const holdAdvertisers = (db: Db, offers: SQL) =>
  db.execute(sql`
    select from advertisers a where a.id in (select o.advertiser_id from offers o where o.id in (${offers}))
    order by a.id for share`);
