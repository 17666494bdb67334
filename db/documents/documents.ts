import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import type { PaymentType, PlacementStatus, PublisherStatus, SiteStatus } from "../schema/values.ts";

/** What a decision needs to know of a placement and its site. */
export type PlacementDocument = {
  status: PlacementStatus;
  isLiveMode: boolean;
  data: Record<string, unknown>;
  siteId: string;
  siteName: string;
  siteStatus: SiteStatus;
  siteAdsEnabled: boolean;
  publisherId: string;
};

/** Whom a public key belongs to. `expiresAt` is null or milliseconds since 1970. */
export type KeyDocument = {
  publisherId: string;
  status: PublisherStatus;
  adsEnabled: boolean;
  expiresAt: number | null;
};

/** An offer that may be shown at a site and in a country, with what only the request can decide. Times in milliseconds. */
export type Candidate = {
  id: string;
  priority: number;
  ecpmMicros: number;
  startsAt: number | null;
  endsAt: number | null;
  languages: string[];
  currencies: string[];
  amountMin: number | null;
  amountMax: number | null;
  paymentTypes: PaymentType[];
  title: string;
  header: string;
  description: string;
  ctaText: string;
  declineButtonText: string;
  termsUrl: string | null;
  iconUrl: string | null;
  iconWidth: number | null;
  iconHeight: number | null;
  destinationUrl: string;
};

/** The best offers for one placement and country, best first. */
export type CandidatesDocument = { offers: Candidate[] };

/**
 * What changed in the whole network. `changedAt`: candidates built before it are outdated. `stopped`: offer id to the
 * millisecond until which it must not be served, 0 for good.
 */
export type OffersDocument = { changedAt: number; stopped: Record<string, number> };

export type Documents = {
  placement: PlacementDocument;
  key: KeyDocument;
  candidates: CandidatesDocument;
  offers: OffersDocument;
};

/** A document's address: its kind, then what it is about. */
export type DocumentKey = `placement:${string}` | `key:${string}` | `candidates:${string}:${string}` | "offers";

/** A document as it is stored: built at a time of the database's clock; without a value its subject does not exist. */
export type Stored<Kind extends keyof Documents = keyof Documents> = { builtAt: number; value: Documents[Kind] | null };

/** More candidates than a request can ask for, so that the request's own targeting has something to choose from. */
const MAX_CANDIDATES = 50;

/** For how long a stopped offer is listed: longer than any candidates document lives. */
const STOPPED_DAYS = 2;

const millis = (time: SQL | SQL.Aliased) => sql`floor(extract(epoch from ${time}) * 1000)::bigint`;
const admits = (targeting: SQL, value: SQL) => sql`(${targeting} = '{}' or ${value} = any (${targeting}))`;

const placementQuery = (id: string): SQL => sql`
  select json_build_object(
    'status', p.status, 'isLiveMode', p.is_live_mode, 'data', p.data, 'siteId', s.id, 'siteName', s.name,
    'siteStatus', s.status, 'siteAdsEnabled', s.ads_enabled, 'publisherId', s.publisher_id)
  from placements p join sites s on s.id = p.site_id
  where p.id = ${id}`;

const keyQuery = (key: string): SQL => sql`
  select json_build_object(
    'publisherId', p.id, 'status', p.status, 'adsEnabled', p.ads_enabled,
    'expiresAt', ${millis(sql`k.expires_at`)})
  from public_keys k join publishers p on p.id = k.publisher_id
  where k.key = ${key}`;

// Offers are read in their order until enough fit, or, for a country that few are for, found by the index of countries,
// which answers `@>`. JSON is made of the chosen ones only.
const candidatesQuery = (placementId: string, country: string): SQL => sql`
  select json_build_object('offers', coalesce((
    select json_agg(json_build_object(
        'id', o.id, 'priority', o.priority, 'ecpmMicros', o.ecpm_micros,
        'startsAt', ${millis(sql`o.starts_at`)}, 'endsAt', ${millis(sql`o.ends_at`)},
        'languages', o.languages, 'currencies', o.currencies, 'amountMin', o.amount_min, 'amountMax', o.amount_max,
        'paymentTypes', o.payment_types, 'title', o.title, 'header', o.header, 'description', o.description,
        'ctaText', o.cta_text, 'declineButtonText', o.decline_button_text, 'termsUrl', o.terms_url,
        'iconUrl', o.icon_url, 'iconWidth', o.icon_width, 'iconHeight', o.icon_height,
        'destinationUrl', o.destination_url) order by o.priority, o.ecpm_micros desc, o.id)
    from (
      select o.*
      from offers o join advertisers a on a.id = o.advertiser_id and a.status = 'active'
      where o.status = 'active'
        and (o.starts_at is null or o.starts_at < now() + interval '10 minutes')
        and (o.ends_at is null or o.ends_at > now())
        and o.capped_through is distinct from 'infinity'
        and (o.countries = '{}' or o.countries @> array[${country}::text])
        and ${admits(sql`o.category_ids`, sql`s.category_id`)}
        and ${admits(sql`o.age_demographics`, sql`s.age_demographics`)}
        and ${admits(sql`o.gender_demographics`, sql`s.gender_demographics`)}
        and ${admits(sql`o.include_publishers`, sql`s.publisher_id`)}
        and ${admits(sql`o.include_sites`, sql`s.id`)}
        and s.publisher_id <> all (o.exclude_publishers)
        and s.id <> all (o.exclude_sites)
      order by o.priority, o.ecpm_micros desc, o.id
      limit ${MAX_CANDIDATES}
    ) o), '[]'))
  from placements p join sites s on s.id = p.site_id
  where p.id = ${placementId}`;

const isRecent = (time: SQL) => sql`${time} > now() - make_interval(days => ${STOPPED_DAYS}::int)`;

// Three lists that share no offer, each with an index of its own. An offer that was stopped on two counts is listed from
// the first stop only: no candidates were built with it since.
const offersQuery = (): SQL => sql`
  select json_build_object(
    'changedAt', greatest(0, (select ${millis(sql`max(changed_at)`)} from offers),
      (select ${millis(sql`max(changed_at)`)} from advertisers)),
    'stopped', coalesce((select json_object_agg(stopped.id, stopped.until) from (
      select o.id, 0::bigint as until from offers o
      where o.status <> 'active' and ${isRecent(sql`o.changed_at`)}
      union all
      select o.id, 0 from advertisers a join offers o on o.advertiser_id = a.id and o.status = 'active'
      where a.status <> 'active' and ${isRecent(sql`a.changed_at`)}
      union all
      select o.id, case when o.capped_through = 'infinity' then 0
        else ${millis(sql`(o.capped_through + 1)::timestamp at time zone 'UTC'`)} end
      from offers o join advertisers a on a.id = o.advertiser_id and a.status = 'active'
      where o.status = 'active' and o.capped_through >= (now() at time zone 'UTC')::date
    ) stopped), '{}'))`;

const query = (key: DocumentKey): SQL => {
  const [kind, subject = "", country = ""] = key.split(":");
  if (kind === "placement") return placementQuery(subject);
  if (kind === "key") return keyQuery(subject);
  if (kind === "candidates") return candidatesQuery(subject, country);
  return offersQuery();
};

type DocumentRow = { key: DocumentKey; value: Documents[keyof Documents] | null; built_at: string };

/** The statement that builds documents from the tables, all of one moment; not run before it is awaited or batched. */
export const documentsStatement = (db: Db, keys: readonly DocumentKey[]) => {
  const parts = keys.map((key) => sql`select ${key}::text as key, (${query(key)}) as value`);
  return db.execute<DocumentRow>(
    sql`select d.key, d.value, ${millis(sql`statement_timestamp()`)} as built_at from (${sql.join(parts, sql` union all `)}) d`,
  );
};

/** What {@link documentsStatement} answered: an entry for every key, `value` null where the subject does not exist. */
export const readDocuments = (result: { rows: DocumentRow[] }): Map<DocumentKey, Stored> =>
  new Map(result.rows.map((row) => [row.key, { builtAt: Number(row.built_at), value: row.value }]));

/** Builds documents from the tables in one statement; see {@link readDocuments}. */
export const buildDocuments = async (db: Db, keys: readonly DocumentKey[]): Promise<Map<DocumentKey, Stored>> =>
  readDocuments(await documentsStatement(db, keys));
