import { sql, type SQL } from "drizzle-orm";
import { millis } from "./sql.ts";

/** More candidates than a request can ask for, so that the request's own targeting has something to choose from. */
const MAX_CANDIDATES = 50;

const admits = (targeting: SQL, value: SQL) => sql`(${targeting} = '{}' or ${value} = any (${targeting}))`;

// Reads offers in their order until enough fit, or, for a country that few are for, found by the index of countries,
// which answers `@>`. JSON is made of the chosen ones only.
export const candidatesQuery = (placementId: string, country: string): SQL => sql`
  select json_build_object('cut', false, 'reopensAt', null, 'factsChangedAt', ${millis(sql`s.facts_changed_at`)}, 'offers', coalesce((
    select json_agg(json_build_object(
        'id', o.id, 'serial', o.serial, 'changedAt', ${millis(sql`o.changed_at`)},
        'advertiserSerial', o.advertiser_serial, 'advertiserChangedAt', ${millis(sql`o.advertiser_changed_at`)},
        'revision', o.revision,
        'late', false, 'priority', o.priority, 'ecpmMicros', o.ecpm_micros,
        'startsAt', ${millis(sql`o.starts_at`)}, 'endsAt', ${millis(sql`o.ends_at`)},
        'languages', o.languages, 'currencies', o.currencies, 'amountMin', o.amount_min, 'amountMax', o.amount_max,
        'paymentTypes', o.payment_types, 'title', o.title, 'header', o.header, 'description', o.description,
        'ctaText', o.cta_text, 'declineButtonText', o.decline_button_text, 'termsUrl', o.terms_url,
        'iconUrl', o.icon_url, 'iconWidth', o.icon_width, 'iconHeight', o.icon_height,
        'destinationUrl', o.destination_url) order by o.priority, o.ecpm_micros desc, o.id)
    from (
      select o.*, a.serial as advertiser_serial, a.changed_at as advertiser_changed_at
      from offers o join advertisers a on a.id = o.advertiser_id and a.status = 'active'
      where o.status = 'active'
        and (o.starts_at is null or o.starts_at < now() + interval '10 minutes')
        and (o.ends_at is null or o.ends_at > now())
        and (a.reach = 'NETWORK' or a.platform_id = b.platform_id)
        and (o.capped_through is null or o.capped_through < (now() at time zone 'UTC')::date)
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
  from placements p join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id
  where p.id = ${placementId}`;
