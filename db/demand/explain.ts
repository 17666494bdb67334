import { sql, type SQL } from "drizzle-orm";
import type { Actor } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import { explainedCreatives, type ExplainedCreatives } from "./explained-creatives.ts";
import { PLACE_DIMENSIONS, type PlaceDimension } from "../schema/targeting.ts";
import type { Pacing, PublisherStatus } from "../schema/values.ts";

/** Names why an offer is not among a placement's candidates, as far as the tables tell. */
export type CandidacyReason =
  | "offer_paused"
  | "offer_archived"
  | "advertiser_not_active"
  | "not_started"
  | "ended"
  | PlaceDimension
  | "lifetime_cap"
  | "daily_cap";

/**
 * Describes an offer that an actor may know of; `reason` is null when the tables say nothing against it, and
 * `creatives` where it has only one.
 */
export type ExplainedOffer = {
  id: string;
  name: string;
  reason: CandidacyReason | null;
  pacing: Pacing;
  creatives?: ExplainedCreatives | null;
  /** Says on which day its click rate was last found to have shifted, and how many times as often as expected it was clicked. */
  shift?: { day: string; ratio: number } | null;
};

/**
 * Holds a placement's owner with its switches, and the offers that the actor may know of: those without a reason
 * first, the best of them leading.
 */
export type Explanation = {
  publisher: { id: string; status: PublisherStatus; adsEnabled: boolean; holdoutPercent: number };
  offers: ExplainedOffer[];
};

/** Tells whether a list is not empty and a value is not in it. */
const isNotIn = (list: SQL, value: SQL): SQL => sql`(${list} <> '{}' and (${value} = any (${list})) is not true)`;

/** Tells whether an offer `o` of an advertiser `a` is not for a site `s` of a publisher `b`, or not for a country. */
export const MISSES: Record<PlaceDimension, (country: SQL) => SQL> = {
  reach: () => sql`a.reach = 'PLATFORM' and a.platform_id <> b.platform_id`,
  country: (country) => isNotIn(sql`o.countries`, country),
  category: () => isNotIn(sql`o.category_ids`, sql`s.category_id`),
  age_demographics: () => isNotIn(sql`o.age_demographics`, sql`s.age_demographics`),
  gender_demographics: () => isNotIn(sql`o.gender_demographics`, sql`s.gender_demographics`),
  publisher: () => sql`${isNotIn(sql`o.include_publishers`, sql`b.id`)} or b.id = any (o.exclude_publishers)`,
  site: () => sql`${isNotIn(sql`o.include_sites`, sql`s.id`)} or s.id = any (o.exclude_sites)`,
};

/** Lists the country last: what rules the site out tells whether an offer may serve there at all. */
const ORDERED = [...PLACE_DIMENSIONS.filter((name) => name !== "country"), "country" as const];

/** Tells whether an offer may serve at a site, though perhaps not in every country, to every customer or today. */
const MAY_SERVE = sql`(judged.reason is null or judged.reason in ('country', 'daily_cap', 'lifetime_cap'))`;

/**
 * Says which placements an actor may ask about, and which offers it is told of: a publisher of those that may serve at
 * its own sites, a platform also of all its own and the network's, the administrator of all.
 */
const knownTo = (actor: Actor): { placements: SQL; offers: SQL } => {
  if (actor.kind === "publisher") return { placements: sql`b.id = ${actor.publisherId}`, offers: MAY_SERVE };
  if (actor.kind === "admin") return { placements: sql`true`, offers: sql`true` };
  const isOwn = sql`coalesce(judged.platform_id, ${actor.platformId}) = ${actor.platformId}`;
  return { placements: sql`b.platform_id = ${actor.platformId}`, offers: sql`${isOwn} or ${MAY_SERVE}` };
};

/**
 * Judges offers against a placement and a country by the rules that make its candidates.
 *
 * @param first ids of offers that come before all others
 * @param limit the most offers that are returned: after `first`, those that may be candidates
 * @returns null when there is no such placement, or it is out of the actor's reach
 */
export const explainPlacement = async (
  db: Db,
  actor: Actor,
  placementId: string,
  country: string,
  first: readonly string[],
  limit: number,
): Promise<Explanation | null> => {
  const known = knownTo(actor);
  const targeted = sql.join(
    ORDERED.map((name) => sql`when ${MISSES[name](sql`${country}`)} then ${sql.raw(`'${name}'`)}`),
    sql` `,
  );
  const result = await db.execute<Explanation>(sql`
    select jsonb_build_object('id', b.id, 'status', b.status, 'adsEnabled', b.ads_enabled,
        'holdoutPercent', b.holdout_percent) as publisher,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', best.id, 'name', best.name, 'reason', best.reason, 'pacing', best.pacing,
          'creatives', case when best.alternatives > 0 then ${explainedCreatives(sql`best.id`)} end,
          'shift', (select jsonb_build_object('day', r.shifted_on, 'ratio', r.shift_ratio) from rate_offers r
            where r.offer_id = best.id and r.shifted_creative = best.creative))
          order by best.reason is not null, best.priority, best.ecpm_micros desc, best.id)
        from (select * from (
          select o.id, o.name, o.pacing, o.priority, o.ecpm_micros, o.alternatives, o.creative, a.platform_id, case
            when o.status = 'paused' then 'offer_paused'
            when o.status = 'archived' then 'offer_archived'
            when a.status <> 'active' then 'advertiser_not_active'
            when o.starts_at > now() then 'not_started'
            when o.ends_at <= now() then 'ended'
            ${targeted}
            when o.capped_through = 'infinity' then 'lifetime_cap'
            when o.capped_through >= (now() at time zone 'UTC')::date then 'daily_cap'
            end as reason
          from offers o join advertisers a on a.id = o.advertiser_id
        ) judged
        where ${known.offers}
        order by judged.id <> all (${sql.param(first)}), judged.reason is not null, judged.priority, judged.ecpm_micros desc, judged.id
        limit ${limit}) best), '[]') as offers
    from placements p join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id
    where p.id = ${placementId} and ${known.placements}`);
  return result.rows[0] ?? null;
};
