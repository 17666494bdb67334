import { sql } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { idTime } from "../../core/ids.ts";
import type { Conversion, Hit } from "../hits.ts";
import { dayOf, isClick, isSettling, isWaiting } from "./rows.ts";

/** Limits how many conversions are settled together; the cron settles the rest. */
const SETTLED_AT_ONCE = 500;

/** Limits how many waiting conversions the cron looks at together: so many names take two megabytes. */
const LOOKED_AT = 20_000;

/** Describes a conversion whose click is not stored yet. Money and times are as in {@link Conversion}. */
export type EarlyConversion = Pick<
  Conversion,
  "id" | "transactionId" | "decisionId" | "offerId" | "amountMicros" | "currency" | "occurredAt"
> & { advertiserId: string };

/**
 * Lets a conversion wait for its click. One that waited in vain before waits again. Nothing changes for a transaction
 * that is settled or already waits.
 *
 * The caller looks for the click once more afterwards, and whoever stores a click looks for conversions afterwards. So
 * whichever is later finds the other, whatever the order of their commits.
 */
export const awaitClick = async (db: Db, early: EarlyConversion): Promise<void> => {
  await db.execute(sql`
    insert into pending_conversions as p (advertiser_id, transaction_id, event_id, decision_id, offer_id, amount_micros,
      currency, reported_at)
    select n."advertiserId", n."transactionId", n.id, n."decisionId", n."offerId", n."amountMicros", n.currency,
      to_timestamp(n."occurredAt" / 1000.0)
    from jsonb_to_record(${JSON.stringify(early)}::jsonb) as n ("advertiserId" text, "transactionId" text, id text,
      "decisionId" text, "offerId" text, "amountMicros" bigint, currency text, "occurredAt" bigint)
    where not exists (
      select from events e
      where e.advertiser_id = n."advertiserId" and e.transaction_id = n."transactionId" and ${isSettling(sql`e`)})
    on conflict (advertiser_id, transaction_id) do update set reported_at = excluded.reported_at
    where not (${isWaiting(sql`p.reported_at`)})`);
};

/**
 * Makes the statement that takes transactions out of those that wait, for the batch that stores them as events. It goes
 * before the statement that counts, which then sees whether one was reversed meanwhile.
 */
export const takePending = (db: Db, conversions: readonly Conversion[]) =>
  db.execute(sql`
    with taken as materialized (
      select p.advertiser_id, p.transaction_id
      from jsonb_to_recordset(${JSON.stringify(
        conversions.map(({ transactionId, offerId, revision }) => ({ transactionId, offerId, revision })),
      )}::jsonb) as c ("transactionId" text, "offerId" text, revision integer)
      join offer_revisions r on r.offer_id = c."offerId" and r.revision = c.revision
      join pending_conversions p on p.advertiser_id = r.advertiser_id and p.transaction_id = c."transactionId"
      order by p.advertiser_id, p.transaction_id for update of p
    )
    delete from pending_conversions p using taken
    where p.advertiser_id = taken.advertiser_id and p.transaction_id = taken.transaction_id`);

/** Names a click, stored or not. */
type ClickReference = Pick<Hit, "decisionId" | "offerId">;

/**
 * Finds conversions that wait for one of these clicks and whose click is stored, at most {@link SETTLED_AT_ONCE}.
 * `offset 0` keeps the planner from joining: a join would read all that ever waited.
 */
const findArrived = async (db: Db, clicks: readonly ClickReference[]): Promise<Conversion[]> => {
  const named = clicks.map(({ decisionId, offerId }) => ({ decisionId, offerId, issuedAt: idTime(decisionId) }));
  const result = await db.execute<Omit<Conversion, "issuedAt" | "kind" | "reason" | "addressHash">>(sql`
    select p.event_id as id, floor(extract(epoch from p.reported_at) * 1000)::double precision as "occurredAt",
      p.decision_id as "decisionId", click.placement_id as "placementId", p.offer_id as "offerId", click.revision,
      click.creative, click.place, click.arm, click.part, click.country, click.session_hash as "sessionHash", click.email_hash as "emailHash",
      p.transaction_id as "transactionId", p.amount_micros::double precision as "amountMicros", p.currency
    from (
      select distinct "decisionId" as decision_id, "offerId" as offer_id, ${dayOf(sql`"issuedAt"`)} as issued_on
      from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n ("decisionId" text, "offerId" text, "issuedAt" bigint)
    ) n cross join lateral (
      select * from pending_conversions p
      where p.decision_id = n.decision_id and p.offer_id = n.offer_id and ${isWaiting(sql`p.reported_at`)}
      offset 0
    ) p cross join lateral (
      select e.* from events e
      where ${isClick(sql`e`, { issuedOn: sql`n.issued_on`, decisionId: sql`n.decision_id`, offerId: sql`n.offer_id` })}
        and e.advertiser_id = p.advertiser_id
      offset 0
    ) click
    limit ${SETTLED_AT_ONCE}`);
  return result.rows.map((row) =>
    Object.assign(row, {
      kind: "conversion" as const,
      reason: null,
      addressHash: null,
      issuedAt: idTime(row.decisionId),
    }),
  );
};

/** Finds the conversions that the clicks among stored hits settle. */
export const findSettled = async (db: Db, hits: readonly Hit[]): Promise<Conversion[]> => {
  const clicks = hits.filter(({ kind, reason }) => kind === "click" && reason === null);
  return clicks.length === 0 ? [] : findArrived(db, clicks);
};

/**
 * Finds waiting conversions whose click is stored, at most {@link SETTLED_AT_ONCE}. Where more wait than are looked at,
 * it looks at random ones, so that those that wait in vain do not keep others from their turn.
 */
export const findLeftOver = async (db: Db): Promise<Conversion[]> => {
  const { rows } = await db.execute<ClickReference>(sql`
    select p.decision_id as "decisionId", p.offer_id as "offerId"
    from pending_conversions p where ${isWaiting(sql`p.reported_at`)}
    order by random() limit ${LOOKED_AT}`);
  return rows.length === 0 ? [] : findArrived(db, rows);
};
