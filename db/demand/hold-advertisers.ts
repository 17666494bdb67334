import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";

/**
 * Makes the statement that waits for whoever changes the advertisers of offers, and keeps those as they are until the end of
 * the batch. It goes behind the statement that locks the offers, and before those that take what the whole network waits
 * for, first caps and rates: ranks are made of an advertiser as it is, and one with ten thousand offers is a second about it.
 *
 * @param offers a query of offers' ids
 */
export const holdAdvertisers = (db: Db, offers: SQL) =>
  db.execute(sql`
    select from advertisers a where a.id in (select o.advertiser_id from offers o where o.id in (${offers}))
    order by a.id for share`);
