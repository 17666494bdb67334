import { sql, type SQL } from "drizzle-orm";
import { millis } from "./sql.ts";

/** Selects the document of a placement. */
export const placementQuery = (id: SQL): SQL => sql`
  select json_build_object(
    'status', p.status, 'isLiveMode', p.is_live_mode, 'data', p.data, 'siteId', s.id, 'siteName', s.name,
    'siteStatus', s.status, 'siteAdsEnabled', s.ads_enabled, 'publisherId', s.publisher_id,
    'factsChangedAt', ${millis(sql`s.facts_changed_at`)})
  from placements p join sites s on s.id = p.site_id join publishers b on b.id = s.publisher_id
  where p.id = ${id}`;

/** Selects the document of a public key. */
export const keyQuery = (key: SQL): SQL => sql`
  select json_build_object(
    'publisherId', p.id, 'status', p.status, 'adsEnabled', p.ads_enabled,
    'holdoutPercent', p.holdout_percent, 'expiresAt', ${millis(sql`k.expires_at`)})
  from public_keys k join publishers p on p.id = k.publisher_id
  where k.key = ${key}`;
