import { eq, sql, type SQL } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { updateTime } from "../../core/writing/differing.ts";
import { NotFoundError } from "../../core/errors.ts";
import { tagOf } from "../../core/writing/tags.ts";
import { documentKeySql } from "../../documents/keys.ts";
import { outdate, outdatedBy } from "../../documents/outdate.ts";
import { publicKeys, publishers } from "../../schema/accounts.ts";
import { today } from "../../schema/columns.ts";
import type { RankBy } from "../../schema/values.ts";
import { isValid } from "../credentials/expiry.ts";

const orderShape = {
  id: publishers.id,
  name: publishers.name,
  rankBy: publishers.rankBy,
  holdoutPercent: publishers.holdoutPercent,
  tag: tagOf(publishers),
};

/**
 * Says what a publisher's offers are ordered by, and what percentage of its sessions is held out from what was learned.
 */
export type PublisherOrder = { rankBy?: RankBy | undefined; holdoutPercent?: number | undefined };

/** Returns what the offers of a publisher are ordered by, and what share of its sessions is held out. */
export const requirePublisherOrder = async (db: Db, id: string) => {
  const [found] = await db.select(orderShape).from(publishers).where(eq(publishers.id, id));
  if (!found) throw new NotFoundError("Publisher", id);
  return found;
};

/** Selects the keys of the documents of a publisher's valid public keys. */
export const publicKeysOf = (id: string): SQL => sql`
  select ${documentKeySql.key(sql`key`)} from public_keys where publisher_id = ${id} and ${isValid(publicKeys.expiresAt)}`;

/**
 * Sets what the offers of a publisher are ordered by, and what share of its sessions is held out. Lists of candidates
 * follow when they are rebuilt; the share is published at once, and the day of its change is noted.
 */
export const setPublisherOrder = async (db: Db, id: string, order: PublisherOrder) => {
  const { rankBy, holdoutPercent } = order;
  const changedOn = sql<string[]>`case
    when holdout_percent = ${holdoutPercent ?? null}::smallint or holdout_changed_on @> array[${today}] then holdout_changed_on
    else holdout_changed_on || ${today} end`;
  const [[updated], noted] = await db.batch([
    db
      .update(publishers)
      .set({
        ...(rankBy === undefined ? {} : { rankBy }),
        ...(holdoutPercent === undefined ? {} : { holdoutPercent, holdoutChangedOn: changedOn }),
        updatedAt: updateTime(publishers, order),
      })
      .where(eq(publishers.id, id))
      .returning(orderShape),
    outdate(db, holdoutPercent === undefined ? sql`select null::text where false` : publicKeysOf(id)),
  ]);
  if (!updated) throw new NotFoundError("Publisher", id);
  return { value: updated, outdated: outdatedBy(noted) };
};
