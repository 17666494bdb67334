import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { publishers } from "../schema/accounts.ts";
import { categories, partnerZoneJobs, sites } from "../schema/inventory.ts";

/** Says how a new site's job begins: it waits to be done, or is only noted because no partner is configured. */
export type NewZone = "pending" | "skipped";

/** Records the job of a site that the same batch has created; none where a site with another id existed already. */
export const recordZone = (db: Db, siteId: string, zone: NewZone | undefined) =>
  db.execute(sql`
    insert into partner_zone_jobs (site_id, status)
    select s.id, ${zone ?? null} from sites s where s.id = ${siteId} and ${zone !== undefined}`);

/** Holds what the partner's ad server is told of a site. */
export type ZoneSite = {
  siteId: string;
  publisherId: string;
  name: string;
  domain: string | null;
  category: string | null;
};

/** Finds a job that waits to be done, with its site; null when it was done, or its site is gone. */
export const findPendingZone = async (db: Db, siteId: string): Promise<ZoneSite | null> => {
  const [job] = await db
    .select({
      siteId: sites.id,
      publisherId: sites.publisherId,
      name: sites.name,
      domain: sites.domain,
      category: categories.name,
    })
    .from(partnerZoneJobs)
    .innerJoin(sites, eq(sites.id, partnerZoneJobs.siteId))
    .innerJoin(publishers, eq(publishers.id, sites.publisherId))
    .leftJoin(categories, eq(categories.id, sites.categoryId))
    .where(and(eq(partnerZoneJobs.siteId, siteId), eq(partnerZoneJobs.status, "pending")));
  return job ?? null;
};

/** Tells the result of an attempt: the zone's id, or why there is none; a `final` error is not worth another try. */
export type ZoneOutcome = { zoneId: string } | { error: string; final: boolean };

/** Records an attempt. A job that was done meanwhile stays as it is. */
export const recordZoneAttempt = async (db: Db, siteId: string, outcome: ZoneOutcome): Promise<void> => {
  const result =
    "zoneId" in outcome
      ? { status: "done" as const, zoneId: outcome.zoneId, lastError: null }
      : { status: outcome.final ? ("failed" as const) : ("pending" as const), lastError: outcome.error };
  await db
    .update(partnerZoneJobs)
    .set({ ...result, attempts: sql`${partnerZoneJobs.attempts} + 1`, updatedAt: sql`now()` })
    .where(and(eq(partnerZoneJobs.siteId, siteId), eq(partnerZoneJobs.status, "pending")));
};

/** Takes sites whose jobs were not touched for so long that their messages must be lost, and touches the jobs. */
export const takeForgottenZones = async (db: Db, afterMinutes: number, limit: number): Promise<string[]> => {
  const result = await db.execute<{ site_id: string }>(sql`
    update partner_zone_jobs set updated_at = now()
    where site_id in (
      select site_id from partner_zone_jobs
      where status = 'pending' and updated_at < now() - make_interval(mins => ${afterMinutes}::int)
      order by updated_at limit ${limit} for update skip locked)
    returning site_id`);
  return result.rows.map((row) => row.site_id);
};
