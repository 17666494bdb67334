ALTER TABLE "rate_offers" ADD COLUMN "renewed_at" timestamp (3) with time zone;--> statement-breakpoint
-- Conversions of clicks from before a change tell nothing of what the offer is now.
CREATE OR REPLACE FUNCTION forget_changed_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM fresh f JOIN stale s ON s.serial = f.serial
    WHERE f.creative <> s.creative OR f.pricing <> s.pricing) THEN RETURN null; END IF;
  PERFORM FROM rate_network FOR NO KEY UPDATE;
  WITH before AS MATERIALIZED (
    SELECT k.*, f.advertiser_id, CASE WHEN f.creative = s.creative THEN 1 ELSE least(1, 10 * power(2::float8,
        ((now() AT TIME ZONE 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)
      / nullif(greatest(k.clicks, k.exposure * k.advertiser_click_rate), 0)) END AS share
    FROM rate_network n, fresh f JOIN stale s ON s.serial = f.serial JOIN rate_offers k ON k.offer_id = f.id
    WHERE f.creative <> s.creative OR f.pricing <> s.pricing FOR UPDATE OF k
  ), kept AS (
    UPDATE rate_offers r SET clicks = b.clicks * b.share, exposure = b.exposure * b.share,
      conversions = b.conversions * b.share, clicked = b.clicked * b.share, counted = b.counted * b.share,
      bound_rate = NULL, renewed_at = now()
    FROM before b WHERE r.offer_id = b.offer_id
  )
  UPDATE rate_advertisers r SET clicks = r.clicks - b.clicks, exposure = r.exposure - b.exposure,
    conversions = r.conversions - b.conversions, clicked = r.clicked - b.clicked
  FROM (
    SELECT advertiser_id, sum(clicks * (1 - share)) AS clicks, sum(exposure * (1 - share)) AS exposure,
      sum(conversions * (1 - share)) AS conversions, sum(clicked * (1 - share)) AS clicked
    FROM before WHERE share < 1 GROUP BY advertiser_id
  ) b WHERE r.advertiser_id = b.advertiser_id;
  RETURN null;
END $$;
