import { sql } from "drizzle-orm";

/**
 * Selects whether a click or conversion, `hit`, teaches nothing of how often clicks convert. It does not if its decision
 * showed an earlier version of a creative, or showed the offer while it was not paid by the conversion: such conversions
 * need not be reported.
 *
 * @param creative selects the number of the creative; 1 is the offer's own, and stands for the offer
 */
export const isInert = (hit: "w" | "r", creative: string) =>
  sql.raw(`(not ${hit}.is_cpa or exists (
    select from changed_creatives k
    where k.offer_id = ${hit}.offer_id and k.number = ${creative} and ${hit}.decision_id < k.begins collate "C"))`);

/**
 * Makes the queries that tell what the order may learn from hits of `judged`; `taught` has all of `judged`.
 *
 * How often an offer is clicked is learned from hits that are not `is_untaught`. Within 24 hours, only one look of a
 * customer at an offer of a placement teaches: the impression and the click of one decision. So each click that teaches
 * has an impression that does. A customer who cannot be told from others teaches nothing. A look that is counted while
 * its offer is known to be at a cap does not teach: impressions would count then, and clicks would not. Where
 * conversions are paid for, clicks still count, and convert on other days.
 *
 * How often clicks convert is learned from clicks and conversions that are not `is_inert`; how often those of a creative
 * do, from those that are not `is_inert_of_creative`. The same rule holds for a click and its conversions, so that they
 * match. A change of texts breaks that for clicks that were learned before it; a trigger then drops those of them that
 * still wait for conversions.
 *
 * When several consumers count looks at once, the row that all of them write decides which look teaches.
 */
export const teaching = sql`
  weighed as (
    select j.*, is_lesson, coalesce(last.decision_id = j.decision_id, false) as is_of_last,
      is_lesson and j.customer is not null and (last.taught_at is null or j.occurred_at >= last.taught_at + interval '24 hours')
        and not exists (
          select from offers o where o.id = j.offer_id and o.pricing <> 'CPA' and o.capped_through in (j.day, 'infinity')
        ) as may_begin
    from judged j
    cross join lateral (select j.outcome = 'counted' and j.kind in ('impression', 'click') as is_lesson) counting
    left join recent_lessons last on is_lesson and last.placement_id = j.placement_id and last.offer_id = j.offer_id
      and last.customer = j.customer
  ), lessons as (
    insert into recent_lessons as m (placement_id, offer_id, customer, decision_id, taught_at)
    select distinct on (placement_id, offer_id, customer) placement_id, offer_id, customer, decision_id, occurred_at
    from weighed
    where may_begin
    order by placement_id, offer_id, customer, occurred_at, id
    on conflict (placement_id, offer_id, customer) do update set
      decision_id = case when excluded.taught_at >= m.taught_at + interval '24 hours' then excluded.decision_id else m.decision_id end,
      taught_at = case when excluded.taught_at >= m.taught_at + interval '24 hours' then excluded.taught_at else m.taught_at end
    returning placement_id, offer_id, customer, decision_id
  ), taught as (
    select w.*, w.is_lesson and not w.is_of_last and l.decision_id is distinct from w.decision_id as is_untaught,
      w.kind in ('click', 'conversion') and ${isInert("w", "1")} as is_inert,
      w.kind in ('click', 'conversion') and w.creative > 0 and ${isInert("w", "w.creative")} as is_inert_of_creative
    from weighed w
    left join lessons l on l.placement_id = w.placement_id and l.offer_id = w.offer_id and l.customer = w.customer
  )`;
