CREATE TABLE "changed_creatives" (
	"offer_id" text NOT NULL,
	"number" smallint NOT NULL,
	"begins" text NOT NULL,
	CONSTRAINT "changed_creatives_offer_id_number_pk" PRIMARY KEY("offer_id","number")
);
--> statement-breakpoint
-- The foreign key locks offers. Everybody else locks them before counters, so it comes before the columns of these.
ALTER TABLE "changed_creatives" ADD CONSTRAINT "changed_creatives_offer_id_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "creative_counters" ADD COLUMN "inert_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "creative_counters" ADD COLUMN "inert_conversions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "creative_counters" ADD COLUMN "learned_inert_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "inert_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "inert_conversions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "learned_inert_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Returns the lowest prefix that the id of a decision at a moment, or after it, can have.
CREATE FUNCTION decisions_from(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'dec_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
    1 + ((floor(extract(epoch FROM moment) * 1000)::bigint >> 5 * digit) & 31)::integer, 1), '' ORDER BY digit DESC)
  FROM generate_series(0, 9) digit
$$;--> statement-breakpoint
CREATE FUNCTION note_changed_creative(offer text, creative smallint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO changed_creatives (offer_id, number, begins) VALUES (offer, creative, decisions_from(now()))
  ON CONFLICT (offer_id, number) DO UPDATE SET begins = greatest(changed_creatives.begins, excluded.begins)
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION number_offer_creative() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.creative := OLD.creative + 1;
  PERFORM note_changed_creative(NEW.id, 1::smallint);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION number_creative() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM offers WHERE id = NEW.offer_id FOR NO KEY UPDATE;
  IF TG_OP = 'INSERT' THEN
    NEW.number := 1 + coalesce((SELECT max(number) FROM offer_creatives WHERE offer_id = NEW.offer_id), 1);
  ELSIF (OLD.title, OLD.header, OLD.description, OLD.cta_text, OLD.icon_url, OLD.destination_url)
    IS DISTINCT FROM (NEW.title, NEW.header, NEW.description, NEW.cta_text, NEW.icon_url, NEW.destination_url)
  THEN
    NEW.version := OLD.version + 1;
    PERFORM note_changed_creative(NEW.offer_id, NEW.number);
  END IF;
  IF NEW.status <> 'archived' AND 3 <= (
    SELECT count(*) FROM offer_creatives WHERE offer_id = NEW.offer_id AND status <> 'archived' AND id <> NEW.id)
  THEN
    RAISE EXCEPTION 'an offer has at most four creatives'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'offer_creatives_room_check';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
-- Once texts are changed, clicks on the earlier ones, and conversions that come of them, no longer teach how often clicks
-- convert. So of the clicks that were learned from, only the part is kept whose conversions have come. What was counted and not
-- learned yet belongs to the earlier texts, too: clicks become inert, and conversions are noted as learned, which refuses
-- whoever is about to learn from them. Clicks refuse nobody: otherwise, learning would wait where texts change all the time.
CREATE OR REPLACE FUNCTION forget_changed_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM fresh f JOIN stale s ON s.serial = f.serial
    WHERE f.creative <> s.creative OR f.pricing <> s.pricing) THEN RETURN null; END IF;
  PERFORM FROM rate_network FOR NO KEY UPDATE;
  WITH locked AS MATERIALIZED (
    SELECT c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place FROM daily_counters c
    WHERE NOT c.is_learned AND c.offer_id <> ''
      AND c.offer_id IN (SELECT f.id FROM fresh f JOIN stale s ON s.serial = f.serial WHERE f.creative <> s.creative)
    ORDER BY c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place FOR UPDATE
  )
  UPDATE daily_counters c SET learned_conversions = c.conversions - c.inert_conversions,
    inert_clicks = c.clicks - c.learned_clicks - c.learned_untaught_clicks + c.learned_inert_clicks
  FROM locked l WHERE (c.day, c.placement_id, c.offer_id, c.advertiser_id, c.country, c.arm, c.place)
    = (l.day, l.placement_id, l.offer_id, l.advertiser_id, l.country, l.arm, l.place);
  WITH before AS MATERIALIZED (
    SELECT k.*, f.advertiser_id, f.creative <> s.creative AS is_other,
      CASE WHEN f.creative = s.creative THEN 1 ELSE least(1, 10 * power(2::float8,
          ((now() AT TIME ZONE 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)
        / nullif(greatest(k.clicks, k.exposure * k.advertiser_click_rate), 0)) END AS share,
      CASE WHEN f.creative = s.creative THEN 1 ELSE k.maturity END AS ripe
    FROM rate_network n, fresh f JOIN stale s ON s.serial = f.serial JOIN rate_offers k ON k.offer_id = f.id
    WHERE f.creative <> s.creative OR f.pricing <> s.pricing FOR UPDATE OF k
  ), kept AS (
    UPDATE rate_offers r SET clicks = b.clicks * b.share, exposure = b.exposure * b.share,
      conversions = b.conversions * b.share, clicked = b.clicked * b.share * b.ripe, counted = b.counted * b.share * b.ripe,
      maturity = CASE WHEN b.is_other AND b.clicked > 0 THEN 1 ELSE b.maturity END, bound_rate = NULL
    FROM before b WHERE r.offer_id = b.offer_id
  ), network AS (
    UPDATE rate_network r SET clicked = r.clicked - b.unripe
    FROM (SELECT sum(clicked * (1 - ripe)) AS unripe FROM before) b WHERE b.unripe > 0
  )
  UPDATE rate_advertisers r SET clicks = r.clicks - b.clicks, exposure = r.exposure - b.exposure,
    conversions = r.conversions - b.conversions, clicked = r.clicked - b.clicked
  FROM (
    SELECT advertiser_id, sum(clicks * (1 - share)) AS clicks, sum(exposure * (1 - share)) AS exposure,
      sum(conversions * (1 - share)) AS conversions, sum(clicked * (1 - share * ripe)) AS clicked
    FROM before WHERE share * ripe < 1 GROUP BY advertiser_id
  ) b WHERE r.advertiser_id = b.advertiser_id;
  RETURN null;
END $$;--> statement-breakpoint
-- Until now, offers that are not paid by the conversion taught nothing of how often clicks convert. So what was not learned of
-- them yet becomes inert.
UPDATE daily_counters c SET inert_clicks = c.clicks - c.learned_clicks - c.learned_untaught_clicks,
  inert_conversions = c.conversions - c.learned_conversions
FROM offers o WHERE o.id = c.offer_id AND o.pricing <> 'CPA' AND NOT c.is_learned AND c.offer_id <> '';--> statement-breakpoint
UPDATE creative_counters c SET inert_clicks = c.clicks - c.learned_clicks - c.learned_untaught_clicks,
  inert_conversions = c.conversions - c.learned_conversions
FROM offers o WHERE o.id = c.offer_id AND o.pricing <> 'CPA' AND NOT c.is_learned;--> statement-breakpoint
UPDATE rate_clicks c SET creative = o.creative FROM offers o
WHERE o.id = c.offer_id AND o.pricing = 'CPA' AND c.creative = 0 AND c.day > (now() AT TIME ZONE 'UTC')::date - 31;--> statement-breakpoint
UPDATE rate_clicks c SET clicks = 0 FROM offers o
WHERE o.id = c.offer_id AND o.pricing <> 'CPA' AND c.clicks > 0 AND c.day > (now() AT TIME ZONE 'UTC')::date - 31;
