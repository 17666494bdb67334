import { sql, type SQL } from "drizzle-orm";
import { DAY_MS } from "../../core/time.ts";
import { paidKind } from "../../demand/caps/caps.ts";
import { isOneOf } from "../../schema/columns.ts";
import { SETTLING_CONVERSIONS, SETTLING_OUTCOMES, UNCOUNTED_REASONS } from "../../schema/values.ts";
import { mayStore, ownerOf } from "../owners.ts";
import { isConversion, type Conversion, type Hit } from "../hits.ts";

type Hits = readonly (Hit | Conversion)[];

// Tells a conversion that was taken back while it waited for its click.
const isReversed = sql`
  exists (select from conversion_reversals v where v.advertiser_id = r.advertiser_id and v.transaction_id = h."transactionId")`;

/** Tells whether a hit came so late that the billings of its time may be forgotten already. */
const isLate = ({ occurredAt }: Hit): boolean => Date.now() - occurredAt > DAY_MS;

// Reads hits as rows, each id once, and prices them by the revision that was shown. One that happened less than a day
// after what was removed for its age can be told neither from itself nor from repeats, so it counts like an expired one.
// A shop names its sessions itself, so a customer is a session of a publisher. A hash of both is kept against repeats, which
// is the same when the customer was erased or the placement is gone.
const incoming = (hits: Hits): SQL => sql`
  incoming as (
    select distinct on (h.id) h.id, h.kind, v.reason, case when h.kind = 'close' then h.closing end as closing,
      to_timestamp(h."occurredAt" / 1000.0) as occurred_at,
      (to_timestamp(h."issuedAt" / 1000.0) at time zone 'UTC')::date as issued_on,
      (to_timestamp(h."occurredAt" / 1000.0) at time zone 'UTC')::date as day, h."decisionId" as decision_id,
      h."placementId" as placement_id, h."offerId" as offer_id, h.revision, coalesce(h.creative, 0) as creative, h.place, h.arm, h.part, h.country,
      case when k.is_kept then h."sessionHash" end as session_hash, case when k.is_kept then h."emailHash" end as email_hash, h."transactionId" as transaction_id,
      h."amountMicros" as amount_micros, h.currency, owner.site_id, owner.publisher_id,
      case when h.kind <> 'conversion' then coalesce(customer, h."addressHash") end as subject, customer,
      coalesce(r.advertiser_id, '') as advertiser_id, r.publisher_share_bps as share,
      case when r.pricing = 'CPM' then r.bid_micros / 1000 else r.bid_micros end as price,
      coalesce(r.pricing = 'CPA', false) as is_cpa,
      coalesce(v.reason is null and r.pricing = ${paidKind(sql`h.kind`)}, false) as is_payable,
      ${hits.some(isConversion) ? isReversed : sql`false`} as is_reversed
    from jsonb_to_recordset(${JSON.stringify(hits)}::jsonb) as h (
      id text, kind text, reason text, "issuedAt" bigint, "occurredAt" bigint, "decisionId" text, "placementId" text,
      "offerId" text, revision integer, creative smallint, place smallint, arm text, part smallint, country text, "sessionHash" text, "emailHash" text,
      "addressHash" text, "transactionId" text, "amountMicros" bigint, currency text, closing text)
    left join offer_revisions r on r.offer_id = h."offerId" and r.revision = h.revision
    ${ownerOf(sql`h."placementId"`)}
    cross join lateral (
      select coalesce(h.reason, case when exists (
        select from purges p
        where p.what = h.kind and p.through > to_timestamp(h."occurredAt" / 1000.0) - interval '24 hours') then 'expired' end) as reason
    ) v
    cross join lateral (select md5(owner.publisher_id || h."sessionHash") as customer) named
    cross join lateral (
      select coalesce(h."sessionHash", h."emailHash") is not null
        and ${mayStore(sql`h."placementId"`, sql`h."sessionHash"`, sql`h."emailHash"`)} as is_kept
    ) k
  )`;

const sameHit = sql`e.issued_on = i.issued_on and e.decision_id = i.decision_id and e.offer_id = i.offer_id and e.kind = i.kind`;

/** Finds the stored hit that a hit is, or repeats. Few batches have hits of all sorts to look for. */
const earlier = (hits: Hits): SQL[] => {
  const found = [
    sql`select e.id from events e
      where i.reason is null and i.transaction_id is null and ${sameHit}
        and ${isOneOf(sql`e.outcome`, SETTLING_OUTCOMES)} and e.kind <> 'conversion'`,
  ];
  if (hits.some((hit) => hit.reason !== null || isLate(hit))) {
    found.push(sql`select e.id from events e
      where i.reason is not null and ${sameHit} and e.outcome = i.reason
        and ${isOneOf(sql`e.outcome`, UNCOUNTED_REASONS)}`);
  }
  if (hits.some(isConversion)) {
    found.push(sql`select e.id from events e
      where i.transaction_id is not null and e.advertiser_id = i.advertiser_id and e.transaction_id = i.transaction_id
        and ${isOneOf(sql`e.outcome`, SETTLING_CONVERSIONS)} and e.kind = 'conversion'`);
  }
  return found;
};

// Tells new hits from those that are stored, and the first of a kind on an offer of a decision, or of a transaction, from
// those that come again. Earlier ones are looked for one by one, by index: a join would read all events there ever were.
const told = (hits: Hits): SQL => sql`
  told as (
    select i.*, coalesce(earlier.id = i.id, false) as is_known,
      earlier.id is not null or row_number() over (
        partition by i.kind, i.reason, i.transaction_id,
          case when i.transaction_id is null then i.decision_id else i.advertiser_id end,
          case when i.transaction_id is null then i.offer_id end
        order by i.occurred_at, i.id) > 1 as is_again
    from incoming i left join lateral (
      select e.id from (${sql.join(earlier(hits), sql` union all `)}) e order by e.id = i.id desc limit 1
    ) earlier on true
  )`;

// Tells whether a late hit's customer may have been paid for within a day of it. Recent billings are kept for two days;
// events know of sessions for longer, and nothing knows of customers without one.
const wasPaid = sql`(
  t.occurred_at < now() - interval '24 hours' and t.subject is not null and case
    when t.session_hash is null then t.day::timestamp at time zone 'UTC' < now() - interval '48 hours'
    else exists (
      select from events e join offer_revisions r on r.offer_id = e.offer_id and r.revision = e.revision
        and r.pricing = ${paidKind(sql`e.kind`)} ${ownerOf(sql`e.placement_id`)}
      where e.session_hash = t.session_hash and owner.publisher_id = t.publisher_id
        and e.offer_id = t.offer_id and e.kind = t.kind and e.outcome = 'counted'
        and e.occurred_at > t.occurred_at - interval '24 hours' and e.occurred_at < t.occurred_at + interval '24 hours')
    end)`;

// Gives the slots that caps leave to hits in the order in which they occurred, one a customer. Offers with caps are
// locked, so what is read of them is final; of others, two may bill one customer at once, and the row that both write
// decides.
const placed = (hits: Hits): SQL => sql`
  candidates as (
    select t.*, o.id is not null as is_capped, o.daily_cap, o.lifetime_cap, coalesce(t.subject, t.id) as payer,
      t.is_payable and not t.is_again and not t.is_reversed and recent.subject is null
        and not ${hits.some(isLate) ? wasPaid : sql`false`} as is_candidate
    from told t
    left join offers o on t.is_payable and o.id = t.offer_id and (o.daily_cap is not null or o.lifetime_cap is not null)
    left join recent_billings recent on t.is_payable and recent.offer_id = t.offer_id and recent.kind = t.kind
      and recent.subject = t.subject and t.occurred_at > recent.first_at - interval '24 hours'
      and t.occurred_at < recent.last_at + interval '24 hours'
    where not t.is_known
  ), room as (
    select c.offer_id, least(c.lifetime_cap - coalesce(used.ever, 0), c.daily_cap - coalesce(used.on_day, 0)) as slots
    from (select distinct offer_id, day, daily_cap, lifetime_cap from candidates where is_candidate and is_capped) c
    cross join lateral (
      select sum(u.used) as ever, sum(u.used) filter (where u.day = c.day) as on_day
      from offer_usage u where u.offer_id = c.offer_id) used
  ), earliest as (
    select c.*, is_candidate and row_number() over (
      partition by offer_id, kind, payer, is_candidate order by occurred_at, id) = 1 as is_earliest
    from candidates c
  ), placed as (
    select e.*, is_earliest and (r.slots is null or row_number() over (
      partition by e.offer_id, is_earliest order by occurred_at, id) <= r.slots) as has_slot
    from earliest e left join room r on r.offer_id = e.offer_id
  )`;

const judged = sql`
  marked as (
    insert into recent_billings as m (offer_id, kind, subject, first_at, last_at)
    select offer_id, kind, subject, occurred_at, occurred_at from placed
    where has_slot and subject is not null
    order by offer_id, kind, subject
    on conflict (offer_id, kind, subject) do update set
      first_at = least(m.first_at, excluded.first_at), last_at = greatest(m.last_at, excluded.last_at)
    where excluded.last_at <= m.first_at - interval '24 hours' or excluded.first_at >= m.last_at + interval '24 hours'
    returning offer_id, kind, subject
  ), billed as (
    select p.*, has_slot and (p.subject is null or m.subject is not null) as is_billed,
      bool_or(has_slot) over (partition by p.offer_id, p.kind, payer, is_candidate) as has_payer_slot
    from placed p
    left join marked m on p.has_slot and m.offer_id = p.offer_id and m.kind = p.kind and m.subject = p.subject
  ), judged as (
    select b.*, case when is_billed then price else 0 end as gross,
      case when is_billed then price * share / 10000.0 else 0 end as revenue,
      case
        when is_again then coalesce(reason, 'duplicate')
        when reason is not null then reason
        when is_reversed then 'reversed'
        when not is_payable or is_billed then 'counted'
        when is_candidate and not has_payer_slot then 'over_cap'
        else 'repeated' end as outcome
    from billed b
  )`;

/**
 * Makes the queries that judge hits. `told` has all of them; `judged` those that are not stored yet, each with its
 * outcome and its cost as `gross` and `revenue`; `is_again` marks repeats, which are only counted.
 *
 * @param hits all of one UTC day, so that at most one hit of a customer is paid for
 */
export const judgeHits = (hits: Hits): SQL => sql.join([incoming(hits), told(hits), placed(hits), judged], sql`, `);
