import { sql } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { UnavailableError } from "../../core/errors.ts";
import { judgeCaps, lockCaps, paidKind, untilCapsHold } from "../../demand/caps/caps.ts";
import { outdatedBy, type Changed } from "../../documents/outdate.ts";
import { isInert } from "../recording/teaching.ts";
import { selectConversion, type Transaction } from "./find.ts";
import { isSettling, type StoredConversion } from "./rows.ts";

const isOf = (table: "e" | "p", { advertiserId, transactionId }: Transaction) =>
  sql`${sql.raw(table)}.advertiser_id = ${advertiserId} and ${sql.raw(table)}.transaction_id = ${transactionId}`;

const lockPending = (db: Db, transaction: Transaction) =>
  db.execute(sql`select from pending_conversions p where ${isOf("p", transaction)} for update`);

/** Notes the reversal of a reported transaction; the first reason stays. */
const noteReversal = (db: Db, transaction: Transaction, reason: string | null) =>
  db.execute(sql`
    insert into conversion_reversals (advertiser_id, transaction_id, reason)
    select ${transaction.advertiserId}, ${transaction.transactionId}, ${reason}
    where exists (select from events e where ${isOf("e", transaction)} and ${isSettling(sql`e`)})
      or exists (select from pending_conversions p where ${isOf("p", transaction)})
    on conflict do nothing`);

const SUMS = [
  ["conversions", "1"],
  ["transactions", "(r.amount_micros is not null)::int"],
  ["billed", "r.is_billed::int"],
  ["gross_micros", "r.gross_micros"],
  ["revenue_micros", "r.revenue_micros"],
] as const;

// A conversion that is inert by now is taken from both counts, so that what teaches stays as it was. It taught nothing, or at
// most a part of the guess that is kept of earlier texts.
const taken = (columns: readonly (readonly [string, string])[], creative: string) => sql`
  ${sql.raw(columns.map(([column, part]) => `${column} = c.${column} - ${part}`).join(", "))},
  inert_conversions = c.inert_conversions - ${isInert("r", creative)}::int, is_learned = false`;

/** Lists the sums that are also in counters by creative. */
const CREATIVE_SUMS = SUMS.filter(([column]) => column !== "billed");

/**
 * Takes a settled conversion out of what counts, on the day on which it counted. CTEs write in the order of counting:
 * Postgres runs those that nothing reads at the end of the query, the last one first.
 */
const uncount = (db: Db, transaction: Transaction) =>
  db.execute(sql`
    with target as (
      select e.*, (e.occurred_at at time zone 'UTC')::date as day,
        coalesce(p.pricing = 'CPA', false) as is_cpa,
        e.outcome = 'counted' and coalesce(p.pricing = ${paidKind(sql`e.kind`)}, false) as is_billed
      from events e left join offer_revisions p on p.offer_id = e.offer_id and p.revision = e.revision
      where ${isOf("e", transaction)} and ${isSettling(sql`e`)} and e.outcome <> 'reversed'
      for update of e
    ), reversed as (
      update events e set outcome = 'reversed', gross_micros = 0, revenue_micros = 0
      from target t where e.issued_on = t.issued_on and e.id = t.id
      returning t.*
    ), by_creative as (
      update creative_counters c set ${taken(CREATIVE_SUMS, "r.creative")}
      from reversed r
      where r.outcome = 'counted' and (c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place, c.creative)
        = (r.day, r.placement_id, r.offer_id, r.advertiser_id, r.country, r.arm, r.place, r.creative)
    ), used as (
      update offer_usage u set used = u.used - 1
      from reversed r where r.is_billed and u.offer_id = r.offer_id and u.day = r.day and u.used > 0
    ), tallied as (
      insert into daily_hits as t (day, placement_id, offer_id, kind, outcome, country, hits, gross_micros)
      select r.day, r.placement_id, r.offer_id, r.kind, change.outcome, r.country, change.hits, change.gross_micros
      from reversed r cross join lateral (values (r.outcome, -1, -r.gross_micros), ('reversed', 1, 0))
        as change (outcome, hits, gross_micros)
      order by change.outcome
      on conflict (day, placement_id, offer_id, kind, outcome, country) do update set hits = t.hits + excluded.hits,
        gross_micros = t.gross_micros + excluded.gross_micros
    ), counted as (
      update daily_counters c set ${taken(SUMS, "1")}
      from reversed r
      where r.outcome = 'counted' and (c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place)
        = (r.day, r.placement_id, r.offer_id, r.advertiser_id, r.country, r.arm, r.place)
      returning c.publisher_id
    ), parted as (
      update daily_parts p set gross_micros = p.gross_micros - r.gross_micros,
        revenue_micros = p.revenue_micros - r.revenue_micros
      from reversed r, counted c
      where (p.publisher_id, p.day, p.arm, p.part) = (c.publisher_id, r.day, r.arm, r.part) and r.gross_micros > 0
    )
    select from reversed`);

const reverseOnce = async (
  db: Db,
  transaction: Transaction,
  reason: string | null,
): Promise<Changed<StoredConversion | null>> => {
  const offers = sql`select e.offer_id from events e where ${isOf("e", transaction)} and ${isSettling(sql`e`)}`;
  const [, , , , , , , , noted, { rows }] = await untilCapsHold(async () =>
    db.batch([
      lockPending(db, transaction),
      ...lockCaps(db, offers),
      noteReversal(db, transaction, reason),
      uncount(db, transaction),
      judgeCaps(db, offers),
      selectConversion(db, transaction),
    ]),
  );
  return { value: rows[0]?.conversion ?? null, outdated: outdatedBy(noted) };
};

/** Limits how often a reversal is made again because its transaction was stored meanwhile. */
const ATTEMPTS = 3;

/**
 * Takes a transaction back: it no longer counts, nothing is owed for it, and its slot of a cap is free again. One that
 * waits for its click will not count. Reversing it again changes nothing. A transaction that is stored while the
 * statements run is seen by the last of them alone, so they run again.
 *
 * @param attempts how often that is done at most
 * @returns how the transaction stands, now reversed; null when it was never reported
 * @throws {UnavailableError} when it could not be taken back
 */
export const reverseConversion = async (
  db: Db,
  transaction: Transaction,
  reason: string | null,
  attempts = ATTEMPTS,
): Promise<Changed<StoredConversion | null>> => {
  const done = await reverseOnce(db, transaction, reason);
  if (!done.value || (done.value.state === "reversed" && done.value.reversedAt !== null)) return done;
  if (attempts === 1) throw new UnavailableError("a transaction was not reversed");
  const { value, outdated } = await reverseConversion(db, transaction, reason, attempts - 1);
  return { value, outdated: [...done.outdated, ...outdated] };
};
