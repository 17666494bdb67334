import { sql } from "drizzle-orm";
import { judgeCaps, lockCaps } from "../demand/caps.ts";
import type { Db } from "../core/client.ts";
import type { EventKind } from "../schema/values.ts";

/** A hit on a tracking URL. `reason` says why it must not count; times in milliseconds. */
export type Hit = {
  id: string;
  kind: EventKind;
  reason: "bot" | "expired" | "test" | null;
  issuedAt: number;
  occurredAt: number;
  decisionId: string;
  placementId: string;
  offerId: string;
  country: string;
  sessionHash: string | null;
  emailHash: string | null;
};

/** What an advertiser reports of a click. `amountMicros` is in millionths of the currency's unit, null for a lead. */
export type Conversion = Hit & {
  kind: "conversion";
  transactionId: string;
  amountMicros: number | null;
  currency: string | null;
};

/** What storing hits led to: how many count, and whether an offer reached a cap. */
export type Recorded = { counted: number; capped: boolean };

/** An isolate's ad requests of some seconds. Its random id keeps a redelivered flush from counting twice. */
export type RequestFlush = { id: string; rows: RequestCount[] };

/** Ad requests of a placement and country on a UTC day, and how many of them got offers. */
export type RequestCount = { day: string; placementId: string; country: string; requests: number; fills: number };

// Against deadlocks every part writes in a total order, a group's counted hit first: that is what others conflict with.
// Earlier hits are looked for one by one, in the index of counted hits: a join would read all events there ever were.
const hitsStatement = (db: Db, hits: readonly (Hit | Conversion)[]) =>
  db.execute<{ stored: string; counted: string }>(sql`
  with incoming as (
    select distinct on (h.id) to_timestamp(h."issuedAt" / 1000.0) as issued_at, to_timestamp(h."occurredAt" / 1000.0) as occurred_at,
      h.id, h.kind, h.reason, h."decisionId" as decision_id, h."placementId" as placement_id, h."offerId" as offer_id,
      h.country, h."sessionHash" as session_hash, h."emailHash" as email_hash, h."transactionId" as transaction_id,
      h."amountMicros" as amount_micros, h.currency
    from jsonb_to_recordset(${JSON.stringify(hits)}::jsonb) as h (
      id text, kind text, reason text, "issuedAt" bigint, "occurredAt" bigint, "decisionId" text, "placementId" text,
      "offerId" text, country text, "sessionHash" text, "emailHash" text, "transactionId" text, "amountMicros" bigint,
      currency text)
  ), known as (
    select i.*, (i.issued_at at time zone 'UTC')::date as issued_on, (i.occurred_at at time zone 'UTC')::date as day,
      coalesce(o.advertiser_id, '') as advertiser_id, o.pricing, o.bid_micros, coalesce(o.publisher_share_bps, 0) as share,
      o.daily_cap is not null or o.lifetime_cap is not null as is_capped
    from incoming i left join offers o on o.id = i.offer_id
  ), judged as (
    select k.*, coalesce(k.reason, case
      when earlier.counted or reported.counted or row_number() over (
        partition by k.kind, k.reason is null, k.transaction_id,
          case when k.transaction_id is null then k.decision_id else k.advertiser_id end,
          case when k.transaction_id is null then k.offer_id end
        order by k.occurred_at, k.id) > 1 then 'duplicate'
      else 'counted' end) as outcome
    from known k left join lateral (
      select true as counted from events e
      where e.issued_on = k.issued_on and e.decision_id = k.decision_id and e.offer_id = k.offer_id and e.kind = k.kind
        and e.outcome = 'counted' and e.kind <> 'conversion'
      limit 1) earlier on true
    left join lateral (
      select true as counted from events e
      where e.advertiser_id = k.advertiser_id and e.transaction_id = k.transaction_id
        and e.outcome = 'counted' and e.kind = 'conversion'
      limit 1) reported on true
  ), priced as (
    select j.*, j.outcome = 'counted' and j.pricing = case j.kind
        when 'impression' then 'CPM' when 'click' then 'CPC' when 'conversion' then 'CPA' end as billed,
      case when j.pricing = 'CPM' then j.bid_micros / 1000 else j.bid_micros end as price
    from judged j
  ), inserted as (
    insert into events (issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id,
      country, session_hash, email_hash, transaction_id, amount_micros, currency, gross_micros, revenue_micros)
    select issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id, country,
      session_hash, email_hash, transaction_id, amount_micros, currency,
      case when billed then price else 0 end, case when billed then price * share / 10000 else 0 end
    from priced
    order by transaction_id, issued_on, decision_id, offer_id, kind, outcome <> 'counted', id
    on conflict do nothing
    returning *, (occurred_at at time zone 'UTC')::date as day
  ), counted as (
    insert into daily_counters as c (day, placement_id, offer_id, advertiser_id, country, impressions, viewables, clicks,
      closes, conversions, transactions, gross_micros, revenue_micros)
    select day, placement_id, offer_id, advertiser_id, country,
      count(*) filter (where kind = 'impression'), count(*) filter (where kind = 'viewable'),
      count(*) filter (where kind = 'click'), count(*) filter (where kind = 'close'),
      count(*) filter (where kind = 'conversion'), count(*) filter (where amount_micros is not null),
      sum(gross_micros), sum(revenue_micros)
    from inserted
    where outcome = 'counted'
    group by day, placement_id, offer_id, advertiser_id, country
    order by day, placement_id, offer_id, advertiser_id, country
    on conflict (day, placement_id, offer_id, advertiser_id, country) do update set
      impressions = c.impressions + excluded.impressions, viewables = c.viewables + excluded.viewables,
      clicks = c.clicks + excluded.clicks, closes = c.closes + excluded.closes,
      conversions = c.conversions + excluded.conversions, transactions = c.transactions + excluded.transactions,
      gross_micros = c.gross_micros + excluded.gross_micros,
      revenue_micros = c.revenue_micros + excluded.revenue_micros
  ), tallied as (
    insert into daily_hits as t (day, placement_id, offer_id, kind, outcome, hits)
    select day, placement_id, offer_id, kind, outcome, count(*)
    from inserted
    group by day, placement_id, offer_id, kind, outcome
    order by day, placement_id, offer_id, kind, outcome
    on conflict (day, placement_id, offer_id, kind, outcome) do update set hits = t.hits + excluded.hits
  ), used as (
    insert into offer_usage as u (offer_id, day, used)
    select p.offer_id, p.day, count(*)
    from inserted i join priced p on p.id = i.id
    where p.billed and p.is_capped
    group by p.offer_id, p.day
    order by p.offer_id, p.day
    on conflict (offer_id, day) do update set used = u.used + excluded.used
  )
  select count(*) as stored, count(*) filter (where outcome = 'counted') as counted from inserted`);

const flushesStatement = (db: Db, flushes: readonly RequestFlush[]) =>
  db.execute(sql`
  with incoming as (
    select f.id, f.rows from jsonb_to_recordset(${JSON.stringify(flushes)}::jsonb) as f (id text, rows jsonb)
  ), fresh as (
    insert into request_flushes (id) select distinct id from incoming order by id on conflict do nothing returning id
  ), merged as (
    select distinct on (i.id) i.id, i.rows from incoming i join fresh on fresh.id = i.id
  )
  insert into daily_counters as c (day, placement_id, offer_id, advertiser_id, country, requests, fills)
  select r.day, r."placementId", '', '', r.country, sum(r.requests), sum(r.fills)
  from merged m, jsonb_to_recordset(m.rows) as r (
    day date, "placementId" text, country text, requests bigint, fills bigint)
  group by r.day, r."placementId", r.country
  order by r.day, r."placementId", r.country
  on conflict (day, placement_id, offer_id, advertiser_id, country) do update set
    requests = c.requests + excluded.requests, fills = c.fills + excluded.fills`);

const recordOnce = async (db: Db, hits: readonly (Hit | Conversion)[]) => {
  const offerIds = [...new Set(hits.map((hit) => hit.offerId))];
  const [{ rows }, , judged] = await db.batch([
    hitsStatement(db, hits),
    lockCaps(db, offerIds),
    judgeCaps(db, offerIds),
  ]);
  return { stored: Number(rows[0]?.stored), counted: Number(rows[0]?.counted), capped: judged.rows.length > 0 };
};

/**
 * Stores hits, each once however often it is delivered, and adds what counts to the daily counters and the caps,
 * in one transaction. Of several hits of one kind on one offer of a decision, one counts; of several conversions, one a
 * transaction.
 */
export const recordHits = async (db: Db, hits: readonly (Hit | Conversion)[]): Promise<Recorded> => {
  const first = await recordOnce(db, hits);
  if (first.stored === hits.length) return first;
  // A hit judged while another consumer stored its twin was skipped; now that one is visible and this a duplicate.
  const again = await recordOnce(db, hits);
  return { counted: first.counted + again.counted, capped: first.capped || again.capped };
};

/** Adds ad requests to the daily counters, each flush once however often it is delivered. */
export const recordRequests = async (db: Db, flushes: readonly RequestFlush[]): Promise<void> => {
  await flushesStatement(db, flushes);
};

/** Keeps messages that could not be understood, whole; a repeated id is kept once. */
export const recordRejects = async (
  db: Db,
  rejects: readonly { id: string; reason: string; body: string }[],
): Promise<void> => {
  await db.execute(sql`
    insert into tracking_rejects (id, reason, body)
    select r.id, r.reason, r.body from jsonb_to_recordset(${JSON.stringify(rejects)}::jsonb) as r (id text, reason text, body text)
    on conflict do nothing`);
};
