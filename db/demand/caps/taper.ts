import { sql, type SQL } from "drizzle-orm";

/**
 * Tapers offers that come near a cap. Until the edge knows that a cap is reached, an offer goes on being delivered; so,
 * a little earlier, it comes last for a half of all sessions, then for three quarters and so on: each step halves what
 * is delivered beyond the cap. Where nothing else fills an answer, the offer is still shown.
 *
 * An offer tapers when less of its cap is left than will be billed in twice the time that a publication takes to be
 * seen everywhere, if billing goes on at its recent rate. {@link recentSql} keeps how much that is.
 */

/** Says how long a publication takes to be seen everywhere, in seconds: KV's minute, its cache and an isolate's memory. */
const PUBLICATION_SECONDS = 120;

/**
 * Says how many publication times ahead the taper looks: what was delivered during the last one is not known yet
 * either.
 */
const AHEAD = 2;

/** Limits the taper to one of sixteen sessions. */
const MAX_STEPS = 4;

/** Computes what is left of a number that fades with time, by a factor of e in the time of a publication. */
const faded = (recent: SQL, since: SQL): SQL =>
  sql`${recent} * exp(-least(greatest(extract(epoch from now() - ${since}), 0) / ${sql.raw(String(PUBLICATION_SECONDS))}, 50))`;

/** Computes how often an offer is billed in the time of a publication, from a row `u` of `offer_usage`. */
export const recentSql = faded(sql`u.recent`, sql`u.recent_at`);

/**
 * Computes how often to halve the share of sessions that see an offer among the first. The number stays until it is a
 * step too low or two too high, so that it does not flicker.
 *
 * @param left how much of its caps is left
 * @param recent what {@link recentSql} gives
 * @param before how often it is halved now
 */
export const taperSql = (left: SQL, recent: SQL, before: SQL): SQL => {
  // A single event says nothing about how fast events come.
  const coming = sql`(coalesce(${recent}, 0) - 1) * ${sql.raw(String(AHEAD))}`;
  return sql`
    case when ${left} is null or ${left} <= 0 or ${coming} <= 0 then 0
      else (select case when exact > ${before} - 2 and exact <= ${before} then ${before}
        else greatest(0, least(${sql.raw(String(MAX_STEPS))}, ceil(exact)))::smallint end
        from (select log((${coming} / ${left})::float8) / log(2::float8) as exact) steps) end`;
};
