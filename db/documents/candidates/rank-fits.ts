import { sql, type SQL } from "drizzle-orm";
import type { Narrowing } from "../keys.ts";
import type { PlaceDimension, RequestDimension } from "../../schema/targeting.ts";
import { ANY } from "./narrowing.ts";

/**
 * Names what candidates are asked for: a placement, a country and, for a narrower document, facts of requests. Amounts
 * are at or above `from` and below `below`, both null where no amount matters.
 */
export type Asked = {
  placement: SQL;
  country: SQL;
  narrowing: Record<Exclude<keyof Narrowing, "band"> | "from" | "below", SQL> | null;
};

type Narrowed = NonNullable<Asked["narrowing"]>;

/** Lists the dimensions whose values are bits of masks, with their names in `targeting_values`. */
const MASKED = {
  country: "countries",
  category: "categories",
  age_demographics: "ageDemographics",
  gender_demographics: "genderDemographics",
  language: "languages",
  currency: "currencies",
  payment_type: "paymentTypes",
} as const satisfies Partial<Record<PlaceDimension | RequestDimension, string>>;

type Masked = keyof typeof MASKED;

/** Tells whether a mask admits a number; a mask that is null admits all, and a number that is null is in no mask. */
const admits = (mask: SQL, dimension: Masked): SQL => {
  const number = sql`place.${sql.identifier(dimension)}`;
  return sql`(${mask} is null or case when ${number} < length(${mask}) then get_bit(${mask}, ${number}) = 1 else false end)`;
};

const isNotExcluded = (target: SQL): SQL =>
  sql`(not r.has_exclusions or r.serial not in (select x.serial from offer_exclusions x where x.target = ${target}))`;

/** Says when a row `r` of `offer_ranks` applies to the row `place` of {@link placeQuery}. */
export const PLACE_FITS: Record<PlaceDimension, SQL> = {
  country: admits(sql`r.countries`, "country"),
  category: admits(sql`r.categories`, "category"),
  age_demographics: admits(sql`r.age_demographics`, "age_demographics"),
  gender_demographics: admits(sql`r.gender_demographics`, "gender_demographics"),
  reach: sql`(r.platform_id is null or r.platform_id = place.platform)`,
  publisher: sql`(r.publishers is null or place.publisher = any (r.publishers)) and ${isNotExcluded(sql`place.publisher`)}`,
  site: isNotExcluded(sql`place.site`),
};

// Where no amount matters, only offers that limit none are left: comparing with null is not true.
const overlaps = ({ from, below }: Narrowed): SQL =>
  sql`(r.amount_min is null or r.amount_min < ${below}) and (r.amount_max is null or r.amount_max >= ${from})`;

/** Says when a row `r` of `offer_ranks` may apply to requests of a narrower document. */
export const REQUEST_FITS: Record<RequestDimension, (narrowing: Narrowed) => SQL> = {
  language: () => admits(sql`r.languages`, "language"),
  currency: () => admits(sql`r.currencies`, "currency"),
  payment_type: () => admits(sql`r.payment_types`, "payment_type"),
  amount: overlaps,
};

/** Selects 0 for a row `r` that applies to all requests of a document, else its gate. */
export const gateOf = (narrowing: Narrowed | null): SQL => {
  if (!narrowing) return sql`r.gate`;
  const { from, below } = narrowing;
  return sql`case when not r.is_paced and (r.amount_min is null or r.amount_min <= ${from}) and (r.amount_max is null or r.amount_max >= ${below})
    then 0 else r.gate end`;
};

/**
 * Selects the one row of a place, or none when the placement does not exist: its ids, and a column for each masked
 * dimension with the number of its value, null where no offer ever targeted that.
 */
export const placeQuery = ({ placement, country, narrowing }: Asked): SQL => {
  const none = sql.raw(`'${ANY}'`);
  const values: Record<Masked, SQL> = {
    country: country,
    category: sql`s.category_id`,
    age_demographics: sql`s.age_demographics`,
    gender_demographics: sql`s.gender_demographics`,
    language: narrowing?.language ?? none,
    currency: narrowing?.currency ?? none,
    payment_type: narrowing?.paymentType ?? none,
  };
  const masked = Object.keys(values) as Masked[];
  const numbers = masked.map(
    (name) =>
      sql`max(v.number) filter (where v.dimension = ${sql.raw(`'${MASKED[name]}'`)}) as ${sql.identifier(name)}`,
  );
  const wanted = masked.map((name) => sql`(${sql.raw(`'${MASKED[name]}'`)}, ${values[name]})`);
  return sql`
    select s.id as site, s.publisher_id as publisher, b.platform_id as platform, b.rank_by, s.facts_changed_at, n.*
    from placements p join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id
      cross join lateral (
        select ${sql.join(numbers, sql`, `)}
        from (values ${sql.join(wanted, sql`, `)}) w (dimension, value)
          join targeting_values v on v.dimension = w.dimension and v.value = w.value) n
    where p.id = ${placement}`;
};
