import { sql } from "drizzle-orm";
import { newest } from "../core/paging.ts";
import { tagOf } from "../core/writing/tags.ts";
import { categories, placements, sites } from "../schema/inventory.ts";

/** Selects a site as answers show it (API.md, "Site"), with its tag. */
export const detail = {
  id: sites.id,
  name: sites.name,
  description: sites.description,
  orderVolume: sites.orderVolume,
  averageOrder: sites.averageOrder,
  ageDemographics: sites.ageDemographics,
  genderDemographics: sites.genderDemographics,
  domain: sites.domain,
  status: sites.status,
  adsEnabled: sites.adsEnabled,
  category: sql<{ id: string; name: string; path: string; taxonomyId: string } | null>`(
    select jsonb_build_object('id', c.id, 'name', c.name, 'path', c.path, 'taxonomyId', c.taxonomy_id)
    from ${categories} c where c.id = ${sites}.category_id)`,
  createdAt: sites.createdAt,
  updatedAt: sites.updatedAt,
  tag: tagOf(sites),
};

/** Selects a site as the list shows it. */
export const summary = {
  id: sites.id,
  name: sites.name,
  domain: sites.domain,
  status: sites.status,
  createdAt: sites.createdAt,
};

/** Selects what belongs to a site, with only its newest placements, within a query of sites. */
export const relations = {
  category: detail.category,
  placements: sql<{ id: string; name: string; status: string }[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'status', p.status)
      order by p.created_at desc, p.id), '[]')
    from (${newest(placements, sql`site_id = ${sites}.id`)}) p)`,
};

/** Counts a site's placements and their last 30 days; `ctr` is clicks per impression, 0 without impressions. */
export type SiteStats = {
  placements: number;
  activePlacements: number;
  requests: number;
  impressions: number;
  clicks: number;
  closes: number;
  ctr: number;
};

/** Selects {@link SiteStats}, within a query of sites. */
export const stats = {
  stats: sql<SiteStats>`(
    select jsonb_build_object(
      'placements', own.placements, 'activePlacements', own.active, 'requests', seen.requests,
      'impressions', seen.impressions, 'clicks', seen.clicks, 'closes', seen.closes,
      'ctr', case when seen.impressions = 0 then 0 else round(seen.clicks::numeric / seen.impressions, 6) end)
    from (
      select count(*) as placements, count(*) filter (where p.status = 'active') as active
      from placements p where p.site_id = ${sites}.id
    ) own, (
      select coalesce(sum(c.requests), 0) as requests, coalesce(sum(c.impressions), 0) as impressions,
        coalesce(sum(c.clicks), 0) as clicks, coalesce(sum(c.closes), 0) as closes
      from daily_counters c join placements p on p.id = c.placement_id
      where p.site_id = ${sites}.id and c.day > (now() at time zone 'UTC')::date - 30
    ) seen)`,
};
