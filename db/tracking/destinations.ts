import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { ownerOf } from "./owners.ts";

/** Names an offer as it was shown, and where. */
type Shown = { offerId: string; revision: number; creative: number; placementId: string };

/**
 * Tells where an offer led when it was shown, and what has become of it since: `isOver` says that it was archived or
 * deleted, or its advertiser archived. `url` and `advertiserSerial` are null for a revision or creative that never
 * existed; `siteId` and `domain` where the site is gone or not known; `domain` also where the site has none.
 */
export type Destination = {
  url: string | null;
  advertiserSerial: number | null;
  isOver: boolean;
  siteId: string | null;
  domain: string | null;
};

/** Finds where an offer led when it was shown, whether it is over by now, and the site. */
export const findDestination = async (
  db: Db,
  { offerId, revision, creative, placementId }: Shown,
): Promise<Destination | null> => {
  const { rows } = await db.execute<Destination>(sql`
    select case when ${creative}::integer > 1 then r.creative_destinations ->> ${String(creative)} else r.destination_url end as url, a.serial as "advertiserSerial",
      r.offer_id is not null and coalesce(o.status, 'archived') = 'archived' or coalesce(a.status = 'archived', false) as "isOver",
      s.id as "siteId", s.domain
    from (select) one
    left join offer_revisions r on r.offer_id = ${offerId} and r.revision = ${revision}::integer
    left join offers o on o.id = r.offer_id
    left join advertisers a on a.id = r.advertiser_id
    ${ownerOf(sql`${placementId}`)}
    left join sites s on s.id = owner.site_id`);
  return rows[0] ?? null;
};
