import { sql, type SQL } from "drizzle-orm";
import { daysLong } from "../../core/days.ts";
import { jsonTime } from "../../core/paging.ts";
import { isOneOf } from "../../schema/columns.ts";
import { SETTLING_CONVERSIONS, SETTLING_OUTCOMES, type ConversionState } from "../../schema/values.ts";
import { CLICK_WAIT_DAYS } from "../click-days.ts";

/** Makes the condition that a conversion's click may still come. */
export const isWaiting = (reportedAt: SQL): SQL => sql`${reportedAt} > now() - ${daysLong(CLICK_WAIT_DAYS)}`;

/** Makes the condition that an event settles its advertiser's transaction. An index has these events. */
export const isSettling = (event: SQL): SQL =>
  sql`${isOneOf(sql`${event}.outcome`, SETTLING_CONVERSIONS)} and ${event}.kind = 'conversion'`;

/** Makes the UTC day of a time in milliseconds since 1970. */
export const dayOf = (millis: SQL): SQL => sql`(to_timestamp(${millis} / 1000.0) at time zone 'UTC')::date`;

/** Makes the condition that an event is the settled click of an offer of a decision. An index has these events. */
export const isClick = (
  event: SQL,
  { issuedOn, decisionId, offerId }: Record<"issuedOn" | "decisionId" | "offerId", SQL>,
): SQL => sql`
  ${event}.issued_on = ${issuedOn} and ${event}.decision_id = ${decisionId} and ${event}.offer_id = ${offerId}
    and ${event}.kind = 'click' and ${isOneOf(sql`${event}.outcome`, SETTLING_OUTCOMES)} and ${event}.kind <> 'conversion'`;

/**
 * Describes an advertiser's transaction as it stands. `grossMicros` is what the advertiser owes for it, in micro-USD;
 * `amountMicros` what the advertiser's customer paid, in millionths of the currency's unit. Times are ISO 8601.
 */
export type StoredConversion = {
  eventId: string;
  transactionId: string;
  decisionId: string;
  offerId: string;
  state: ConversionState;
  amountMicros: number | null;
  currency: string | null;
  grossMicros: number;
  reportedAt: string;
  reversedAt: string | null;
  reason: string | null;
};

/** Names the columns by which {@link conversionRows} can be narrowed. */
type Narrowing = (columns: { advertiserId: SQL; transactionId: SQL; reportedAt: SQL }) => SQL;

const columnsOf = (table: SQL, reportedAt: SQL) => ({
  advertiserId: sql`${table}.advertiser_id`,
  transactionId: sql`${table}.transaction_id`,
  reportedAt,
});

/**
 * Selects transactions, each once: those that are settled, and those that wait for their click.
 *
 * @param wanted makes the condition on the columns that both have
 */
export const conversionRows = (wanted: Narrowing): SQL => sql`
  select c.*, v.reversed_at, v.reason
  from (
    select e.id as event_id, e.advertiser_id, e.transaction_id, e.decision_id, e.offer_id, e.outcome as state, e.amount_micros,
      e.currency, e.gross_micros, e.occurred_at as reported_at
    from events e
    where ${isSettling(sql`e`)} and ${wanted(columnsOf(sql`e`, sql`e.occurred_at`))}
    union all
    select p.event_id, p.advertiser_id, p.transaction_id, p.decision_id, p.offer_id,
      case when exists (
          select from conversion_reversals v where v.advertiser_id = p.advertiser_id and v.transaction_id = p.transaction_id)
        then 'reversed' when ${isWaiting(sql`p.reported_at`)} then 'pending' else 'expired' end,
      p.amount_micros, p.currency, 0, p.reported_at
    from pending_conversions p
    where ${wanted(columnsOf(sql`p`, sql`p.reported_at`))} and not exists (
      select from events e
      where e.advertiser_id = p.advertiser_id and e.transaction_id = p.transaction_id and ${isSettling(sql`e`)})
  ) c
  left join conversion_reversals v on v.advertiser_id = c.advertiser_id and v.transaction_id = c.transaction_id`;

/** Selects the one transaction of an advertiser that has this id. */
export const conversionRow = (advertiser: SQL, transaction: string): SQL =>
  conversionRows(
    ({ advertiserId, transactionId }) => sql`${advertiserId} = ${advertiser} and ${transactionId} = ${transaction}`,
  );

/** Makes the object that {@link StoredConversion} describes, of a row that is called `c`. */
export const conversionObject = sql`
  jsonb_build_object('eventId', c.event_id, 'transactionId', c.transaction_id, 'decisionId', c.decision_id,
    'offerId', c.offer_id, 'state', c.state, 'amountMicros', c.amount_micros, 'currency', c.currency,
    'grossMicros', c.gross_micros, 'reportedAt', ${jsonTime(sql`c.reported_at`)},
    'reversedAt', ${jsonTime(sql`c.reversed_at`)}, 'reason', c.reason)`;
