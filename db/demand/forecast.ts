import { and, eq, sql } from "drizzle-orm";
import type { Manager } from "../accounts/actor.ts";
import type { Db } from "../core/client.ts";
import { NotFoundError } from "../core/errors.ts";
import { buildStatement, builtDocuments } from "../documents/build.ts";
import { documentKey } from "../documents/keys.ts";
import { DRAWS_SETTING } from "../documents/sql.ts";
import type { CandidatesDocument } from "../documents/types.ts";
import { weightToday } from "../learning/sums.ts";
import type { requestFacts } from "../schema/counters.ts";
import { advertisers, offers } from "../schema/demand.ts";
import { PLACE_DIMENSIONS, TARGETING_COLUMNS, type TargetingColumn } from "../schema/targeting.ts";
import { managedBy } from "./advertisers.ts";
import { MISSES } from "./explain.ts";
import { refuseStrangers, strangersIn, type Stranger } from "./named-places.ts";
import { idsOf, selectCategories } from "./offers.ts";

/** Limits how many sampled requests are judged: more would not narrow an interval noticeably. */
const FACTS = 2_000;

/** Limits for how many placements, each with a country, competitors are looked up. */
const PLACES = 40;

/** Selects the first of the seven UTC days, today included, whose requests are taken. */
const SINCE = sql`(now() at time zone 'UTC')::date - 6`;

/**
 * Picks sampled requests at random, but the same ones each time, so that forecasts of several offers can be compared.
 */
const PICKED = sql.raw("hashint8extended(s.id, 0)");

type Columns = typeof offers.$inferInsert;

/** Holds an offer's targeting: its columns, and categories by their exact names. */
export type ForecastTargeting = {
  [Column in Exclude<TargetingColumn, "categoryIds">]?: Columns[Column] | undefined;
} & {
  categories?: string[] | undefined;
};

/**
 * Holds the facts of a sampled request; `fits` tells whether the offer may serve at its placement and country, with all
 * switches on.
 */
export type SampledFact = Omit<typeof requestFacts.$inferSelect, "id" | "hour"> & { fits: boolean };

/**
 * Tells what is known of last week's requests where an advertiser's offers may serve at all: how many came on each day
 * that had any, how many were sampled, and the facts of some of these, picked and ordered at random, but the same each
 * time. `rates` are the advertiser's: clicks by impressions, conversions by clicks. `slots` has what was learned of
 * places in answers, by their number.
 */
export type Traffic = {
  since: string;
  days: number[];
  sampled: number;
  facts: SampledFact[];
  rates: [number, number];
  advertiserSerial: number;
  slots: { place: number; clicks: number; exposure: number }[];
};

/**
 * Tells how many requests of some placements got offers last week, and how often offers were seen, by their place in
 * answers.
 */
export type Seen = { fills: number; impressions: { place: number; impressions: number }[] };

/**
 * Reads the sample of last week's requests as an offer of an advertiser would have met them, in one round trip.
 *
 * @throws {NotFoundError} when the advertiser is not the manager's
 * @throws {InvalidFieldError} when lists name ids that they may not
 */
export const readTraffic = async (
  db: Db,
  manager: Manager,
  advertiserId: string,
  { categories: names = [], ...targeting }: ForecastTargeting,
): Promise<Traffic> => {
  const columns = TARGETING_COLUMNS.filter((column) => column !== "categoryIds");
  const row = Object.fromEntries(
    columns.map((column) => [
      offers[column].name,
      targeting[column] ?? (column === "amountMin" || column === "amountMax" ? null : []),
    ]),
  );
  const misses = PLACE_DIMENSIONS.map((name) => sql`when ${MISSES[name](sql`g.country`)} then false`);
  const [[owner], found, strangers, { rows }] = await db.batch([
    db
      .select({ id: advertisers.id })
      .from(advertisers)
      .where(and(eq(advertisers.id, advertiserId), managedBy(manager))),
    selectCategories(db, names),
    db.execute<Stranger>(strangersIn(manager, [{ nr: 0, lists: targeting, of: { advertiserId } }])),
    db.execute<Traffic>(sql`
      with a as materialized (
        select * from advertisers where id = ${advertiserId}
      ), o as materialized (
        select r.* from jsonb_populate_record(null::offers, ${JSON.stringify(row)}::jsonb || jsonb_build_object('category_ids', (
          select coalesce(jsonb_agg(c.id), '[]') from categories c
          where c.name in (select jsonb_array_elements_text(${JSON.stringify(names)}::jsonb))))) r
      ), reached as materialized (
        select p.id as placement_id, p.status = 'active' and p.is_live_mode and s.status = 'active' and s.ads_enabled
          and b.status = 'active' and b.ads_enabled as is_on
        from placements p join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id cross join o cross join a
        where (${MISSES.reach(sql`''`)}) is not true
      ), counted as (
        select c.day, sum(c.requests)::float8 as requests
        from daily_counters c join reached using (placement_id) where c.offer_id = '' and c.day >= ${SINCE}
        group by c.day
      ), sample as materialized (
        select f.* from request_facts f join reached using (placement_id)
        where f.hour >= (${SINCE})::timestamp at time zone 'UTC'
      ), drawn as materialized (
        select s.*, ${PICKED} as picked from sample s order by picked limit ${FACTS}
      ), judged as materialized (
        select g.placement_id, g.country, case when not reached.is_on then false ${sql.join(misses, sql` `)} else true end as fits
        from (select distinct placement_id, country from drawn) g join reached using (placement_id)
          join placements p on p.id = g.placement_id join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id
          cross join o cross join a
      ), network as (
        select n.*, ${weightToday} as weight from rate_network n
      )
      select (${SINCE})::text as since, (select coalesce(jsonb_agg(requests order by day), '[]') from counted) as days,
        (select count(*) from sample)::float8 as sampled,
        (select coalesce(jsonb_agg(jsonb_build_object('placementId', d.placement_id, 'country', d.country, 'language', d.language,
          'currency', d.currency, 'amount', d.amount, 'paymentType', d.payment_type, 'count', d.count, 'fits', j.fits)
          order by d.picked), '[]')
          from drawn d join judged j using (placement_id, country)) as facts,
        jsonb_build_array(coalesce(r.click_rate, n.click_rate), coalesce(r.conversion_rate, n.conversion_rate)) as rates,
        a.serial as "advertiserSerial",
        (select coalesce(jsonb_agg(jsonb_build_object('place', l.place, 'clicks', l.clicks / n.weight,
          'exposure', l.exposure / n.weight)), '[]') from rate_slots l) as slots
      from a cross join network n left join rate_advertisers r on r.advertiser_id = a.id`),
  ]);
  const [traffic] = rows;
  idsOf(names, found);
  if (!owner || !traffic) throw new NotFoundError("Advertiser", advertiserId);
  refuseStrangers(strangers.rows);
  return traffic;
};

/** Holds the competitors by placement and country, and how often offers are seen there. */
export type Competition = { candidates: ReadonlyMap<string, CandidatesDocument>; seen: Seen };

/** Names a placement and country among {@link Competition}. */
export const placeKey = ({ placementId, country }: Pick<SampledFact, "placementId" | "country">): string =>
  documentKey.candidates(placementId, country);

/** Has the lists of a transaction draw the same candidates each time. */
const SAME_DRAWS = sql`select set_config(${DRAWS_SETTING}, '0', true)`;

/**
 * Reads which other offers would answer requests, as the edge would know them now, in one round trip. Candidates that
 * are drawn at random are the same each time.
 *
 * @param facts of requests; where they are at more than forty placements and countries, the first forty are taken
 */
export const readCompetition = async (db: Db, facts: readonly SampledFact[]): Promise<Competition> => {
  const places = [...new Map(facts.map((fact) => [placeKey(fact), fact])).values()].slice(0, PLACES);
  if (places.length === 0) return { candidates: new Map(), seen: { fills: 0, impressions: [] } };
  const ids = JSON.stringify([...new Set(places.map(({ placementId }) => placementId))]);
  const keys = places.map(({ placementId, country }) => documentKey.candidates(placementId, country));
  const [, built, { rows }] = await db.batch([
    db.execute(SAME_DRAWS),
    buildStatement(db, keys),
    db.execute<Seen>(sql`
      with counted as materialized (
        select c.offer_id, c.place, sum(c.fills)::float8 as fills, sum(c.impressions)::float8 as impressions
        from daily_counters c
        where c.placement_id in (select jsonb_array_elements_text(${ids}::jsonb)) and c.day >= ${SINCE}
        group by c.offer_id, c.place
      )
      select (select coalesce(sum(fills), 0) from counted where offer_id = '')::float8 as fills,
        (select coalesce(jsonb_agg(jsonb_build_object('place', place, 'impressions', impressions)), '[]')
          from (select place, sum(impressions) as impressions from counted where offer_id <> '' group by place) p) as impressions`),
  ]);
  const candidates = new Map<string, CandidatesDocument>();
  for (const [key, { value }] of builtDocuments(built)) {
    if (value && "offers" in value && "cut" in value) candidates.set(key, value);
  }
  return { candidates, seen: rows[0] ?? { fills: 0, impressions: [] } };
};
