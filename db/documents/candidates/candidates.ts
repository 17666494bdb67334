import { sql, type SQL } from "drizzle-orm";
import { daysLong } from "../../core/days.ts";
import { offers } from "../../schema/demand.ts";
import { REQUEST_COLUMNS } from "../../schema/targeting.ts";
import { LINE_EVENTS, MOST_LIFT, MOST_PLACE, NEW_EXPOSURE, PLACE_EVENTS, weightToday } from "../../learning/sums.ts";
import { creativesLateral } from "../creatives.ts";
import { ENOUGH, findRanks } from "./candidate-ranks.ts";
import type { Asked } from "./rank-fits.ts";
import { LISTED_OFFERS } from "./room.ts";
import { DRAWS_SETTING, millis } from "../sql.ts";

/** Says how many offers of an advertiser and gate are listed before other advertisers have theirs. */
const FIRST = sql.raw("8");

/** Says how many gated offers of an advertiser are listed before other advertisers have theirs. */
const SHARE = sql.raw(String(LISTED_OFFERS));

/** Sets how far apart the ranks of two priorities are. */
const TIER = sql.raw("100000000000000");

/** Says how many places of a gate go to random offers where more fit, so that each offer is seen now and then. */
const DRAWN = sql.raw("4");
const BEST = sql`(${ENOUGH} - ${DRAWN})`;

/** Limits a lift: to more than a thousand impressions are ever worth, but within the offer's priority. */
const MOST = sql.raw("99999999999999");

/** Puts late offers behind all others: more than any rank. */
const LATE = sql.raw("100000000000000000");

/**
 * Limits how many gated offers are listed. A narrower document has room for all offers that limit amounts within its
 * band, as long as one band, language, currency and payment type has no more than this.
 */
const MAX_GATED = { broad: sql.raw("122"), narrow: sql.raw("150") };

const requestTargeting = REQUEST_COLUMNS.map(
  (column) => sql`o.${sql.identifier(offers[column].name)} as ${sql.identifier(column)}`,
);

/** Selects the part of earnings that a publisher ranks offers by, in hundredths of a percent: its share, or all. */
const partOf = (share: SQL): SQL => sql`case place.rank_by when 'REVENUE' then ${share} else 10000 end`;

/** Lists a candidate's members as columns: a row becomes JSON at two thirds of the cost of an object of pairs. */
const candidateColumns = sql`
  o.id, o.serial, ${millis(sql`o.changed_at`)} as "changedAt", k.advertiser as "advertiserSerial",
  ${millis(sql`o.advertiser_changed_at`)} as "advertiserChangedAt", o.revision, o.priority, o.ecpm_micros as "ecpmMicros",
  o.pricing, o.bid_micros * ${partOf(sql`o.publisher_share_bps`)} / 10000 as "valueMicros",
  o.created_at > now() - ${daysLong(14)} and o.pricing <> 'CPM' and s.exposure < ${sql.raw(`${NEW_EXPOSURE}`)} as "isNew",
  ${millis(sql`k.opens_at`)} as "startsAt", ${millis(sql`o.ends_at`)} as "endsAt", ${sql.join(requestTargeting, sql`, `)},
  o.title, o.header, o.description, o.cta_text as "ctaText", o.decline_button_text as "declineButtonText",
  o.terms_url as "termsUrl", o.icon_url as "iconUrl", o.icon_width as "iconWidth", o.icon_height as "iconHeight",
  o.destination_url as "destinationUrl"`;

/**
 * Selects what was seen of an offer `o`, faded to today, as columns of a row `s`: over all places, and in the cell `c`
 * of the place.
 */
const seenColumns = sql`
  coalesce(r.advertiser_click_rate, ra.click_rate, n.click_rate) as click_rate,
  coalesce(r.advertiser_conversion_rate, ra.conversion_rate, n.conversion_rate) as conversion_rate,
  coalesce(r.clicks, 0) / n.weight as clicks, coalesce(r.exposure, 0) / n.weight as exposure,
  coalesce(r.conversions, 0) / n.weight as conversions, coalesce(r.clicked * r.maturity, 0) / n.weight as clicked,
  coalesce(c.clicks, 0) / n.weight as cell_clicks, coalesce(c.exposure, 0) / n.weight as cell_exposure,
  coalesce(c.conversions, 0) / n.weight as cell_conversions,
  coalesce(c.clicked * r.maturity, 0) / n.weight as cell_clicked`;

/** Keeps a factor between `most` and its reciprocal. */
const within = (most: number, factor: string): string => `least(${most}, greatest(1.0 / ${most}, ${factor}))`;

/**
 * Selects by which factor an offer of a row `s` is clicked more along a line: in a placement, or in a country. What
 * happened in the cell `c` where both meet is left out.
 */
const lineFactor = (line: string): SQL =>
  sql.raw(
    `case when ${line}.anywhere > coalesce(c.anywhere, 0) then ${within(
      MOST_LIFT,
      `(greatest(${line}.clicks - coalesce(c.clicks, 0), 0) / n.weight + ${LINE_EVENTS})
    / ((${line}.anywhere - coalesce(c.anywhere, 0)) / n.weight
      * (s.clicks + n.click_strengths[1]) / (s.exposure + n.click_strengths[1] / s.click_rate) + ${LINE_EVENTS})`,
    )} else 1 end`,
  );

/**
 * Selects the rows of offers' rates for a placement and country; where either is empty, for the other alone. What was
 * seen of an earlier creative no longer counts.
 */
const rowsAbout = (placement: SQL, country: SQL): SQL => sql`
  select c.* from (select serial from eligible union all select serial from soon) e, lateral (
    select * from rate_cells c
    where c.placement_id = ${placement} and c.country = ${country} and c.serial = e.serial
      and c.creative = (select o.creative from offers o where o.serial = c.serial) limit 1) c`;

const NOWHERE = sql.raw("''");

/** Writes a number with at most so many decimals: a list has hundreds, and a float costs a tenth of a numeric. */
const short = (number: SQL, decimals: number): SQL => {
  const scale = sql.raw(`1e${decimals}::float8`);
  return sql`round((${number}) * ${scale}) / ${scale}`;
};

/** Says with how many digits a rate is written. */
const DIGITS = 5;

/** Writes a rate briefly, and a tiny one as more than 0, since readers divide by it. */
const rateShort = (rate: string): SQL => {
  const some = `greatest(s.${rate}, 1e-30)`;
  const scale = `power(10::float8, ${DIGITS - 1} - floor(log(${some})))`;
  return sql.raw(`round(${some} * ${scale}) / ${scale}`);
};

/**
 * Selects the five numbers of a stage: a rate, then counts and exposures.
 *
 * @param decimals of exposures: a fraction matters less among many impressions than among few clicks
 */
const stage = (rate: string, count: string, exposure: string, decimals: number): SQL =>
  sql.join(
    [
      rateShort(rate),
      short(sql.raw(`s.${count}`), 1),
      short(sql.raw(`s.${exposure}`), decimals),
      short(sql.raw(`s.cell_${count}`), 1),
      short(sql.raw(`s.cell_${exposure}`), decimals),
    ],
    sql`, `,
  );

const clickStage = stage("click_rate", "clicks", "exposure", 0);
const conversionStage = stage("conversion_rate", "conversions", "clicked", 1);
const lift = short(sql`${lineFactor("placed")} * ${lineFactor("there")}`, 3);

/** Selects what a document tells of a row `s`: for CPC of clicks, for CPA of conversions, too; for both the lift. */
const ratesSql = sql`case o.pricing when 'CPM' then '[]'::json when 'CPC' then json_build_array(${clickStage}, ${lift})
  else json_build_array(${clickStage}, ${conversionStage}, ${lift}) end`;

/** Selects a sum of a row of rates, faded to today; 0 without the row. */
const sum = (row: string, column: string): string => `coalesce(${row}.${column}, 0) / n.weight`;

/**
 * Selects two of the numbers that a document has of its placement and country, as `knownPlaces` works them out from the
 * sums of the pair, of the placement, of the country and of all.
 */
const placeStage = (count: string, exposure: string): SQL => {
  const factor = (row: string, times: string): string =>
    within(
      MOST_PLACE,
      `(greatest(${sum(row, count)}, 0) + ${PLACE_EVENTS}) / (${sum(row, exposure)} * ${times} + ${PLACE_EVENTS})`,
    );
  const level = factor("w", "1");
  const usual = `${factor("placed", level)} / ${factor("there", level)}`;
  const drawn = `${sum("p", exposure)} * ${level} + ${PLACE_EVENTS} / ${usual} - ${PLACE_EVENTS}`;
  return sql`${short(sql.raw(sum("p", count)), 2)}, ${short(sql.raw(drawn), 2)}`;
};

/** Selects what a document tells of its placement and country. Clicks count as far as their conversions have come. */
const placesSql = sql`json_build_array(${placeStage("clicks", "exposure")}, ${placeStage("conversions", "clicked * n.maturity")})`;

/**
 * Selects the candidates of a placement for a country, and null for a placement that does not exist.
 *
 * Lists the best 28 open offers, and of each gate the best 28 that stand before the last of those; the last four places
 * of each go to random offers. So for an offer that is left out, 28 of its priority or better are listed that admit all
 * that it admits; where there may be fewer, the document is cut. Paced offers do not stand in for each other, since
 * each is out for sessions of its own: a narrower document has room for all. Where there is no room for all gated
 * offers, the best of each gate and of each advertiser come first.
 */
export const candidatesQuery = (asked: Asked): SQL => {
  const maxGated = asked.narrowing ? MAX_GATED.narrow : MAX_GATED.broad;
  const columns = sql`serial, advertiser, standing, opens_at, ends_at`;
  const alike = asked.narrowing ? sql`gate, case when is_paced then serial end` : sql`gate`;
  return sql`
  with ${findRanks(asked)}, network as materialized (
    select n.*, ${weightToday} as weight
    from rate_network n
  ), cells as materialized (${rowsAbout(asked.placement, asked.country)}
  ), in_placement as materialized (${rowsAbout(asked.placement, NOWHERE)}
  ), in_country as materialized (${rowsAbout(NOWHERE, asked.country)}
  ), draw as materialized (
    select coalesce(
      hashtextextended(${asked.placement} || ${asked.country}, nullif(current_setting(${sql.raw(`'${DRAWS_SETTING}'`)}, true), '')::bigint),
      (random() * 1e15)::bigint) as seed
  ), judged as (
    select e.serial, e.advertiser, e.gate, e.is_paced, e.opens_at, e.ends_at, tier.rank
      - least((tier.rank - e.rank) * coalesce(c.lift, coalesce(placed.lift, 1) * coalesce(there.lift, 1))
        * ${partOf(sql`(select publisher_share_bps from offers where serial = e.serial)`)} / 10000, ${MOST})::bigint as rank
    from place cross join eligible e
      cross join lateral (select (e.rank + ${TIER} - 1) / ${TIER} * ${TIER} as rank) tier
      left join cells c on c.serial = e.serial
      left join in_placement placed on placed.serial = e.serial
      left join in_country there on there.serial = e.serial
  ), standings as (
    select *, rank + case when row_number() over (partition by advertiser, gate order by rank, serial) > ${FIRST}
      then ${LATE} else 0 end as standing
    from judged
  ), ordered as (
    select *, row_number() over (partition by ${alike} order by standing, serial) as nth from standings
  ), taken as materialized (
    select *, nth <= ${BEST} or row_number() over (
        partition by ${alike}, nth <= ${BEST} order by (standing + ${TIER} - 1) / ${TIER}, hashint4extended(serial, draw.seed)) <= ${DRAWN} as is_taken
    from ordered cross join draw
  ), open as materialized (
    select ${columns} from taken where gate = 0 and is_taken
  ), last_open as materialized (
    select max(standing) as standing from taken where gate = 0 and nth = ${ENOUGH}
  ), gated as materialized (
    select ${columns} from taken
    where gate <> 0 and is_taken and (standing < (select standing from last_open)) is not false
    order by nth > ${FIRST}, row_number() over (partition by advertiser order by standing, serial) > ${SHARE}, standing, serial
    limit ${maxGated}
  ), kept as materialized (
    select * from open union all select * from gated
    union all select serial, advertiser, rank, opens_at, ends_at from soon
  )
  select json_build_object(
    'factsChangedAt', ${millis(sql`place.facts_changed_at`)},
    'cut', l.standing is null and (r.is_partial or (select count(*) from gated) = ${maxGated}
      or exists (select from taken where is_paced and not is_taken)),
    'reopensAt', ${millis(sql`least(r.reopens_at, case
      when r.is_partial or (select count(*) from eligible) > (select count(*) from open) + (select count(*) from gated)
      then (select min(ends_at) from kept) end)`)},
    'offers', coalesce(listed.offers, '[]'),
    'learned', json_build_object('places', ${placesSql},
      'strengths', to_json(n.click_strengths || n.conversion_strengths), 'rates', coalesce(listed.rates, '[]')))
  from place cross join last_open l cross join reading r cross join network n
    left join rate_places p on p.placement_id = ${asked.placement} and p.country = ${asked.country}
    left join rate_places placed on placed.placement_id = ${asked.placement} and placed.country = ''
    left join rate_places there on there.placement_id = '' and there.country = ${asked.country}
    left join rate_places w on w.placement_id = '' and w.country = ''
    cross join lateral (
      select json_agg(case when creatives.told is null then to_json(one)
          else (to_jsonb(one) || jsonb_build_object('creatives', creatives.told))::json end order by k.standing, k.serial) as offers, json_agg(rates.told order by k.standing, k.serial) as rates
      from kept k
        cross join lateral (
          select o.*, a.changed_at as advertiser_changed_at
          from offers o, advertisers a where o.serial = k.serial and a.serial = k.advertiser limit 1) o
        left join rate_offers r on r.offer_id = o.id
        left join rate_advertisers ra on ra.advertiser_id = o.advertiser_id
        left join cells c on c.serial = k.serial
        left join in_placement placed on placed.serial = k.serial
        left join in_country there on there.serial = k.serial
        cross join lateral (select ${seenColumns}) s
        cross join lateral (select ${candidateColumns}) one
        ${creativesLateral}
        cross join lateral (select ${ratesSql} as told) rates) listed`;
};
