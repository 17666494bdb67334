import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { isLocked } from "../../core/errors.ts";
import { documentKeySql } from "../../documents/keys.ts";
import { outdateSql, type OutdatedRow } from "../../documents/outdate.ts";
import { recentSql, taperSql } from "./taper.ts";
import type { EventKind } from "../../schema/values.ts";

/**
 * Caps limit what an offer is billed for: impressions of CPM, clicks of CPC, conversions of CPA.
 *
 * What is billed never exceeds a cap. Counting locks the capped offers first, reads what is left of their caps, and
 * bills no more than that; the rest is stored as `over_cap` and costs nothing. A daily cap holds for the UTC day on
 * which an event occurred, however late it arrives, and a late event uses the lifetime cap like any other. An over-cap
 * event stays unpaid even if the cap is raised later; a reversed conversion gives its slot back.
 *
 * What is delivered may exceed a cap, at nobody's cost but the shop's space: until the edge knows that a cap is
 * reached, the offer is still shown, though to fewer and fewer sessions as it comes near (db/demand/caps/taper.ts), and
 * what was shown before may be clicked for 30 days.
 */

/** Names the kind of event that a price is for, as SQL. */
export const paidKind = (kind: SQL): SQL =>
  sql`case ${kind} when 'impression' then 'CPM' when 'click' then 'CPC' when 'conversion' then 'CPA' end`;

/** Makes the query for the offers of hits that may be billed. */
export const payableOffers = (
  hits: readonly { offerId: string; revision: number; kind: EventKind; reason: string | null }[],
): SQL => {
  const shown = new Map(
    hits
      .filter(({ kind, reason }) => reason === null && kind !== "viewable" && kind !== "close")
      .map(({ offerId, revision, kind }) => [`${offerId} ${revision} ${kind}`, { offerId, revision, kind }]),
  );
  return sql`
    select r.offer_id
    from jsonb_to_recordset(${JSON.stringify([...shown.values()])}::jsonb) as h ("offerId" text, revision integer, kind text)
    join offer_revisions r on r.offer_id = h."offerId" and r.revision = h.revision and r.pricing = ${paidKind(sql`h.kind`)}`;
};

/** Makes the query for offers by their ids. */
export const offersById = (ids: readonly string[]): SQL =>
  sql`select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`;

// Each offer has a lock by its serial: counting on the offer shares the lock, giving it its first cap holds the lock
// alone.
const COUNTING = sql`hashtext('caps')`;

// The previous version locks all offers by this one. Remove it once that version is gone.
const ALL_COUNTING = sql`hashtextextended('caps', 0)`;

/**
 * Waits for those who are counting on offers that are about to get their first cap, and keeps others from counting on
 * them until the end of the batch. It goes after the statement that locks the offers, and before the one that sets the
 * caps.
 *
 * @param capped a query of the ids of offers to which the batch gives a cap
 */
export const holdCaps = (db: Db, capped: SQL) =>
  db.execute(sql`
    select pg_advisory_xact_lock(${ALL_COUNTING}), pg_advisory_xact_lock(${COUNTING}, o.serial)
    from (
      select o.serial from offers o
      where o.id in (${capped}) and o.daily_cap is null and o.lifetime_cap is null order by o.serial) o`);

const lockCapped = (db: Db, offers: SQL, orElse: SQL) =>
  db.execute(sql`
    select o.id from offers o
    where o.id in (${offers}) and (o.daily_cap is not null or o.lifetime_cap is not null)
    order by o.id for no key update ${orElse}`);

/**
 * Waits for others that count towards offers' caps, or change them, and makes later ones wait for this batch: capped
 * offers are locked, and no other offer gets its first cap. These statements go before the one that counts, which then
 * sees what was written. The wait for a locked offer, which may be long, comes first: until it is over, the batch keeps
 * nobody from giving a cap. It waits at most a second for a lock. Others may hold an offer for longer, and a first cap
 * does, which reads all counters of its offer. Then the batch fails, and releases the other offers. Where an offer got
 * its first cap meanwhile, it is locked too. The batch never waits for that lock, since that could be against the
 * order: it fails at once ({@link untilCapsHold}).
 *
 * @param offers a query of offers' ids
 */
export const lockCaps = (db: Db, offers: SQL) =>
  [
    db.execute(sql`set local lock_timeout = '1s'`),
    lockCapped(db, offers, sql``),
    db.execute(sql`
      select pg_advisory_xact_lock_shared(${COUNTING}, o.serial)
      from (select o.serial from offers o where o.id in (${offers}) order by o.serial) o`),
    db.execute(sql`set local lock_timeout = 0`),
    lockCapped(db, offers, sql`nowait`),
  ] as const;

/** Finds which of some offers, by id, others have locked. */
export const findLocked = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const offers = sql`o.id in (${offersById(ids)})`;
  const { rows } = await db.execute<{ id: string }>(sql`
    with free as materialized (select o.id from offers o where ${offers} for no key update skip locked)
    select o.id from offers o where ${offers} and o.id not in (select id from free)`);
  return new Set(rows.map(({ id }) => id));
};

/** Limits how often a batch is tried when others have locked its offers. */
const ATTEMPTS = 5;

/** Runs a batch that has {@link lockCaps}, and runs it again if another had locked an offer. */
export const untilCapsHold = async <Result>(write: () => Promise<Result>, attempts = ATTEMPTS): Promise<Result> => {
  try {
    return await write();
  } catch (error) {
    if (!isLocked(error) || attempts === 1) throw error;
    return untilCapsHold(write, attempts - 1);
  }
};

/**
 * Computes the usage of offers that are about to get their first cap from all their counters, since nobody has kept it
 * so far. Where an offer has a cap already, its usage is kept, and its counters, of which there may be millions, are
 * not read. The batch has locked the offers before ({@link holdCaps}): otherwise this would overwrite what others are
 * counting. It comes before the statement that sets the caps: from that one on, others also wait for the network's
 * rates.
 *
 * @param capped a query of the ids of offers to which the batch gives a cap
 */
export const recountUsage = (db: Db, capped: SQL) =>
  db.execute(sql`
    insert into offer_usage as u (offer_id, day, used)
    select c.offer_id, c.day, sum(c.billed) from daily_counters c join offers o on o.id = c.offer_id
    where c.offer_id in (${capped}) and o.daily_cap is null and o.lifetime_cap is null
    group by c.offer_id, c.day having sum(c.billed) > 0
    order by c.offer_id, c.day
    on conflict (offer_id, day) do update set used = excluded.used`);

/**
 * Brings `capped_through` and `taper` of offers up to their usage and caps, and announces a change of them to the edge.
 * For the batch that counts usage or changes a cap, once the offers are locked.
 *
 * @param offers a query of offers' ids
 * @returns a statement that outdates the network's document if any offer reached a cap, came nearer to one, or moved
 *   away from one
 */
export const judgeCaps = (db: Db, offers: SQL) =>
  db.execute<OutdatedRow>(sql`
    with judged as (
      select o.id, case
        when o.lifetime_cap <= used.ever then 'infinity'
        when o.daily_cap <= used.today then today.day end as capped_through,
        case when o.capped_through >= today.day then o.capped_through end as before,
        ${taperSql(sql`used.left`, sql`used.recent`, sql`o.taper`)} as taper, o.taper as taper_before
      from offers o
        cross join (select (now() at time zone 'UTC')::date as day) today
        cross join lateral (
          select sum(u.used) as ever, sum(u.used) filter (where u.day = today.day) as today,
            least(o.lifetime_cap - coalesce(sum(u.used), 0),
              o.daily_cap - coalesce(sum(u.used) filter (where u.day = today.day), 0)) as left,
            max(${recentSql}) filter (where u.day = today.day) as recent
          from offer_usage u where u.offer_id = o.id) used
      where o.id in (${offers})
        and (o.daily_cap is not null or o.lifetime_cap is not null or o.capped_through is not null or o.taper > 0)
    ), changed as (
      update offers o set capped_through = j.capped_through, taper = j.taper
      from judged j
      where o.id = j.id and (j.capped_through is distinct from j.before or j.taper <> j.taper_before)
      returning o.id
    )
    ${outdateSql(sql`select ${documentKeySql.network} from changed limit 1`)}`);
