import { sql, type SQL } from "drizzle-orm";
import { offers } from "../schema/demand.ts";
import { REQUEST_COLUMNS } from "../schema/targeting.ts";
import { ENOUGH, findRanks } from "./candidate-ranks.ts";
import type { Asked } from "./rank-fits.ts";
import { millis } from "./sql.ts";

/** Says how many offers of an advertiser and gate come before others have theirs. */
const FIRST = sql.raw("8");

/** Puts late offers behind all others: more than any rank. */
const LATE = sql.raw("100000000000000000");

/**
 * Limits how many gated offers are listed. A narrower document has room for all that limit amounts within its band, up
 * to as many as a document may leave out of one band, language, currency and payment type.
 */
const MAX_GATED = { broad: sql.raw("122"), narrow: sql.raw("150") };

const requestTargeting = REQUEST_COLUMNS.map(
  (column) => sql`o.${sql.identifier(offers[column].name)} as ${sql.identifier(column)}`,
);

/** Lists what a candidate tells, as columns: a row becomes JSON at two thirds of what an object of pairs costs. */
const candidateColumns = sql`
  o.id, o.serial, ${millis(sql`o.changed_at`)} as "changedAt", k.advertiser as "advertiserSerial",
  ${millis(sql`a.changed_at`)} as "advertiserChangedAt", o.revision, o.priority, o.ecpm_micros as "ecpmMicros",
  ${millis(sql`k.opens_at`)} as "startsAt", ${millis(sql`o.ends_at`)} as "endsAt", ${sql.join(requestTargeting, sql`, `)},
  o.title, o.header, o.description, o.cta_text as "ctaText", o.decline_button_text as "declineButtonText",
  o.terms_url as "termsUrl", o.icon_url as "iconUrl", o.icon_width as "iconWidth", o.icon_height as "iconHeight",
  o.destination_url as "destinationUrl"`;

/**
 * Selects the candidates of a placement for a country, and null for a placement that does not exist.
 *
 * Lists the best 28 open offers, and of each gate the best 28 that stand before the last of those. Then an offer that is
 * left out has 28 listed ones that admit all that it admits; where it may not, the document is cut.
 */
export const candidatesQuery = (asked: Asked): SQL => {
  const maxGated = asked.narrowing ? MAX_GATED.narrow : MAX_GATED.broad;
  const columns = sql`serial, advertiser, standing, opens_at, ends_at`;
  return sql`
  with ${findRanks(asked)}, standings as (
    select *, rank + case when row_number() over (partition by advertiser, gate order by rank, serial) > ${FIRST}
      then ${LATE} else 0 end as standing
    from eligible
  ), ordered as materialized (
    select *, row_number() over (partition by gate order by standing, serial) as nth from standings
  ), open as materialized (
    select ${columns} from ordered where gate = 0 and nth <= ${ENOUGH}
  ), last_open as materialized (
    select case when count(*) = ${ENOUGH} then max(standing) end as standing from open
  ), gated as materialized (
    select ${columns} from ordered
    where gate <> 0 and nth <= ${ENOUGH} and (standing < (select standing from last_open)) is not false
    order by nth > ${FIRST}, standing, serial limit ${maxGated}
  ), kept as materialized (
    select * from open union all select * from gated
    union all select serial, advertiser, rank, opens_at, ends_at from soon
  )
  select json_build_object(
    'factsChangedAt', ${millis(sql`place.facts_changed_at`)},
    'cut', l.standing is null and (r.is_partial or (select count(*) from gated) = ${maxGated}),
    'reopensAt', ${millis(sql`least(r.reopens_at, case
      when r.is_partial or (select count(*) from eligible) > (select count(*) from open) + (select count(*) from gated)
      then (select min(ends_at) from kept) end)`)},
    'offers', coalesce((
      select json_agg(one order by k.standing, k.serial)
      from kept k, lateral (
        select ${candidateColumns}
        from offers o, advertisers a where o.serial = k.serial and a.serial = k.advertiser limit 1) one), '[]'))
  from place, last_open l, reading r`;
};
