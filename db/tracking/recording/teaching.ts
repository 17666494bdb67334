import { sql } from "drizzle-orm";

/**
 * Makes the queries that tell which hits of `judged` the order may learn from. `taught` has all of these. Those that count
 * and teach nothing are `is_untaught`:
 *
 * - What a customer makes of an offer is told by their first impression and their first click within 24 hours. Where these
 *   are paid for, later ones do not count anyway.
 * - At an offer's cap what is paid for counts no more. What still counts would tell of impressions that nobody clicks, or
 *   of clicks on what nobody saw.
 *
 * Of hits that several consumers count at once, the row that all of them write tells which came first.
 */
export const teaching = sql`
  weighed as (
    select j.*, is_free, is_free and not is_at_cap as is_lesson, row_number() over (
      partition by j.offer_id, j.kind, j.payer, is_free and not is_at_cap order by j.occurred_at, j.id) = 1 as is_first
    from judged j
    cross join lateral (
      select j.outcome = 'counted' and j.kind in ('impression', 'click') and not j.is_billed as is_free,
        exists (select from offers o where o.id = j.offer_id and o.capped_through in (j.day, 'infinity')) as is_at_cap
    ) is_told
  ), lessons as (
    insert into recent_lessons as m (offer_id, kind, subject, taught_at)
    select offer_id, kind, subject, occurred_at from weighed
    where is_lesson and is_first and subject is not null
    order by offer_id, kind, subject
    on conflict (offer_id, kind, subject) do update set taught_at = excluded.taught_at
    where excluded.taught_at >= m.taught_at + interval '24 hours'
    returning offer_id, kind, subject
  ), taught as (
    select w.*, w.is_free and not (w.is_lesson and w.is_first and (w.subject is null or l.subject is not null)) as is_untaught
    from weighed w
    left join lessons l on l.offer_id = w.offer_id and l.kind = w.kind and l.subject = w.subject
  )`;
