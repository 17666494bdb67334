import { sql } from "drizzle-orm";
import type { Manager } from "../../accounts/actor.ts";
import type { Db } from "../../core/client.ts";
import { NotFoundError } from "../../core/errors.ts";
import { documentKeySql, type DocumentKey } from "../../documents/keys.ts";
import { outdatedBy, outdateSql, type OutdatedRow } from "../../documents/outdate.ts";
import { millis } from "../../documents/sql.ts";
import { weightToday } from "../../learning/sums.ts";
import type { Pacing, Pricing } from "../../schema/values.ts";
import { managedOffer } from "../offers.ts";
import { curveKeySql } from "../traffic.ts";

/**
 * Describes an offer of pacing EVEN that is being served: its pace as the table has it, its caps and their usage. Times
 * are in milliseconds since 1970. `pending` estimates the conversions that are still to come from past clicks. `curve`
 * names the curve of its traffic.
 */
export type PacedRow = {
  serial: number;
  step: number;
  billed: number;
  exposure: number;
  used: number;
  pacedAt: number | null;
  pricing: Pricing;
  startsAt: number | null;
  endsAt: number | null;
  dailyCap: number | null;
  lifetimeCap: number | null;
  usedToday: number;
  usedEver: number;
  pending: number;
  curve: string;
};

/** Holds the requests of each hour of the week between two times, as `traffic_curves` has them. */
export type CurveRow = { key: string; requests: number[]; since: number | null; until: number };

/**
 * Holds some paced offers in the order of their serials, the curves that they name, and the database's time. `last` is
 * the last serial that was looked at, null where no more are left.
 */
export type PacedOffers = { now: number; last: number | null; offers: PacedRow[]; curves: CurveRow[] };

/**
 * Ends the pacing of offers whose time is over, and returns the serial after which to begin: at the start where all can
 * be looked at in one go, otherwise at random, so that offers not reached in one run have their turn in another.
 *
 * @param few how many offers are looked at in one go
 */
export const beginPacing = async (db: Db, few: number): Promise<number> => {
  const { rows } = await db.execute<{ start: number }>(sql`
    with ended as (
      update offer_paces p set is_on = false from offers o
      where p.is_on and o.serial = p.serial and o.ends_at <= now()
    )
    select case when count(*) > ${few}::int then floor(random() * max(serial)) else 0 end::int as start
    from offer_paces where is_on`);
  return rows[0]?.start ?? 0;
};

/** Names a range of serials: those after one, up to another. */
export type Serials = { after: number; until: number };

/**
 * Finds paced offers that may serve now or later, in the order of their serials, with all that determines their pace.
 *
 * @param limit the most offers that are looked at
 */
export const findPaced = async (db: Db, { after, until }: Serials, limit: number): Promise<PacedOffers> => {
  const { rows } = await db.execute<PacedOffers>(sql`
    with looked as materialized (
      select * from offer_paces where is_on and serial > ${after}::int and serial <= ${until}::int order by serial limit ${limit}::int
    ), paced as materialized (
      select p.serial, p.step, p.billed, p.exposure, p.used, ${millis(sql`p.paced_at`)} as "pacedAt", o.pricing,
        ${millis(sql`o.starts_at`)} as "startsAt", ${millis(sql`o.ends_at`)} as "endsAt", o.daily_cap as "dailyCap",
        o.lifetime_cap as "lifetimeCap", coalesce(used.today, 0) as "usedToday", coalesce(used.ever, 0) as "usedEver",
        case when o.pricing = 'CPA' then coalesce(r.conversions * (1 / greatest(r.maturity, 0.1) - 1), 0) / n.weight else 0 end
          as pending,
        ${curveKeySql} as curve
      from looked p
        join offers o on o.serial = p.serial
        join advertisers a on a.id = o.advertiser_id
        left join rate_offers r on r.offer_id = o.id
        cross join (select ${weightToday} as weight from rate_network n) n
        cross join lateral (
          select sum(u.used) as ever, sum(u.used) filter (where u.day = (now() at time zone 'UTC')::date) as today
          from offer_usage u where u.offer_id = o.id) used
      where a.status = 'active' and coalesce(o.ends_at > now(), true)
    )
    select ${millis(sql`now()`)}::float8 as now,
      (select max(serial) from looked having count(*) = ${limit}::int) as last,
      (select coalesce(json_agg(p order by p.serial), '[]') from paced p) as offers,
      (select coalesce(json_agg(c), '[]') from (
        select key, requests, ${millis(sql`since`)} as since, ${millis(sql`until`)} as until from traffic_curves
        where key in (select curve from paced)) c) as curves`);
  return rows[0] ?? { now: 0, last: null, offers: [], curves: [] };
};

/** Limits for how many days usage is listed. */
const DAYS = sql.raw("400");

/**
 * Describes an offer's caps and all that determines its plan. Times are in milliseconds since 1970. `days` lists the
 * usage by UTC day, the earliest first. `step` is null where it is not paced or nobody may see it now, and `curve`
 * where its traffic is not known.
 */
export type PlannedOffer = {
  now: number;
  pacing: Pacing;
  dailyCap: number | null;
  lifetimeCap: number | null;
  begins: number;
  endsAt: number | null;
  used: number;
  days: { day: string; used: number }[];
  step: number | null;
  curve: Omit<CurveRow, "key"> | null;
};

/**
 * Returns all that determines the plan of a manager's offer.
 *
 * @throws {NotFoundError} when the offer is not the manager's
 */
export const requirePlanned = async (db: Db, manager: Manager, id: string): Promise<PlannedOffer> => {
  const { rows } = await db.execute<{ planned: PlannedOffer }>(sql`
    select json_build_object('now', ${millis(sql`now()`)}, 'pacing', o.pacing, 'dailyCap', o.daily_cap,
      'lifetimeCap', o.lifetime_cap, 'begins', ${millis(sql`greatest(o.starts_at, o.created_at)`)},
      'endsAt', ${millis(sql`o.ends_at`)},
      'step', case when a.status = 'active' and coalesce(o.starts_at <= now(), true) and coalesce(o.ends_at > now(), true)
        then p.step end,
      'used', (select coalesce(sum(used), 0) from offer_usage where offer_id = o.id),
      'days', (select coalesce(json_agg(u order by u.day), '[]') from (
        select day, used from offer_usage where offer_id = o.id order by day desc limit ${DAYS}) u),
      'curve', (select json_build_object('requests', requests, 'since', ${millis(sql`since`)}, 'until', ${millis(sql`until`)})
        from traffic_curves where key = ${curveKeySql})) as planned
    from (select * from offers where ${managedOffer(db, manager, id)}) o
      join advertisers a on a.id = o.advertiser_id
      left join offer_paces p on p.serial = o.serial and p.is_on`);
  const [row] = rows;
  if (!row) throw new NotFoundError("Offer", id);
  return row.planned;
};

/** Holds the part of an offer's pace that is stored. */
export type SetPace = Pick<PacedRow, "serial" | "step" | "billed" | "exposure" | "used" | "pacedAt">;

/**
 * Stores the paces of offers, except of those that are no longer paced.
 *
 * @returns the network's document if a step changed
 */
export const setPaces = async (db: Db, paces: readonly SetPace[]): Promise<DocumentKey[]> => {
  const result = await db.execute<OutdatedRow>(sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(paces)}::jsonb)
        as g (serial integer, step smallint, billed float8, exposure float8, used bigint, "pacedAt" bigint)
    ), locked as materialized (
      select p.serial, p.step from offer_paces p join given g on g.serial = p.serial order by p.serial for update of p
    ), kept as (
      update offer_paces p set step = g.step, billed = g.billed, exposure = g.exposure, used = g.used,
        paced_at = to_timestamp(g."pacedAt" / 1000.0)
      from given g where p.serial = g.serial and p.serial in (select serial from locked)
    )
    ${outdateSql(sql`select ${documentKeySql.network}
      where exists (select from given g join locked l on l.serial = g.serial where l.step <> g.step)`)}`);
  return outdatedBy(result);
};
