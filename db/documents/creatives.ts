import { sql } from "drizzle-orm";

/** Says into how many parts shares are rounded: candidates change only when a learned share moves by a hundredth. */
const PARTS = sql.raw("100");

const TEXTS = sql.raw(
  ["title", "header", "description", "cta_text", "decline_button_text", "terms_url", "icon_url", "icon_width"]
    .concat("icon_height", "destination_url")
    .map((column) => `c.${column}`)
    .join(", "),
);

const TOLD = sql.raw(`
  'number', number, 'weight', told, 'title', title, 'header', header, 'description', description, 'ctaText', cta_text,
  'declineButtonText', decline_button_text, 'termsUrl', terms_url, 'iconUrl', icon_url, 'iconWidth', icon_width,
  'iconHeight', icon_height, 'destinationUrl', destination_url`);

/**
 * Selects what a document tells of the creatives of an offer `o`, as `creatives.told`; null for an offer with only one.
 * Weights are those that were set or, where the split is learned, shares: a creative of which nothing is known yet gets
 * the mean.
 */
export const creativesLateral = sql`
  cross join lateral (select case when o.alternatives > 0 then (
    select jsonb_build_object('weight', coalesce(max(told) filter (where number = 1), 0),
      'others', jsonb_agg(jsonb_build_object(${TOLD}) order by number) filter (where number > 1)) 
    from (
      select p.*, case o.creative_split when 'WEIGHTS' then p.weight
        else greatest(1, round(${PARTS} * coalesce(r.share, avg(r.share) over (), 1)))::integer end as told
      from (
        select c.number, c.version, c.weight, ${TEXTS} from offer_creatives c
        where c.offer_id = o.id and c.status = 'active' and c.weight > 0
        union all
        select 1, o.creative, o.creative_weight, null, null, null, null, null, null, null, null, null, null
        where o.creative_weight > 0
      ) p left join rate_creatives r on r.offer_id = o.id and r.number = p.number and r.version = p.version
    ) split) end as told
  ) creatives`;
