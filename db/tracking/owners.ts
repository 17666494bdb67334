import { sql, type SQL } from "drizzle-orm";

/**
 * Joins the owner of a placement as `owner.site_id` and `owner.publisher_id`, empty where it is not known. Counters
 * still name the owner of a placement that is gone.
 *
 * @param placementId the column that names the placement
 */
export const ownerOf = (placementId: SQL): SQL => sql`
  left join lateral (
    select s.id as site_id, s.publisher_id from placements p join sites s on s.id = p.site_id where p.id = ${placementId}
  ) present on true
  left join lateral (
    select c.site_id, c.publisher_id from daily_counters c
    where present.site_id is null and c.placement_id = ${placementId} and c.publisher_id <> '' limit 1
  ) past on true
  cross join lateral (
    select coalesce(present.site_id, past.site_id, '') as site_id,
      coalesce(present.publisher_id, past.publisher_id, '') as publisher_id
  ) owner`;

/** Tells in SQL whether a placement belongs to a publisher, or is gone. */
export const ownedOrLeft = (placementId: SQL, publisherId: string): SQL => sql`
  coalesce((
    select s.publisher_id = ${publisherId} from placements p join sites s on s.id = p.site_id
    join publishers b on b.id = s.publisher_id where p.id = ${placementId}), true)`;

/**
 * Tells in SQL whether hashes that name a customer may be stored: the placement has a publisher, which has erased none
 * of them.
 */
export const mayStore = (placementId: SQL, sessionHash: SQL, emailHash: SQL): SQL => sql`
  exists (
    select from placements p join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id
    where p.id = ${placementId} and not exists (
      select from erasures x where x.publisher_id = b.id and x.hash in (${sessionHash}, ${emailHash})))`;
