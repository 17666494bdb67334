CREATE TABLE "hourly_traffic" (
	"hour" timestamp (3) with time zone NOT NULL,
	"platform_id" text NOT NULL,
	"country" text NOT NULL,
	"requests" bigint NOT NULL,
	CONSTRAINT "hourly_traffic_hour_platform_id_country_pk" PRIMARY KEY("hour","platform_id","country")
);
--> statement-breakpoint
CREATE TABLE "offer_paces" (
	"serial" integer PRIMARY KEY NOT NULL,
	"step" smallint DEFAULT 32 NOT NULL,
	"is_on" boolean NOT NULL,
	"billed" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL,
	"used" bigint DEFAULT 0 NOT NULL,
	"paced_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "traffic_curves" (
	"key" text PRIMARY KEY NOT NULL,
	"requests" double precision[] NOT NULL,
	"since" timestamp (3) with time zone,
	"until" timestamp (3) with time zone NOT NULL,
	"made_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "pacing" text DEFAULT 'ASAP' NOT NULL;--> statement-breakpoint
ALTER TABLE "offer_ranks" ADD COLUMN "is_paced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "offer_paces" ADD CONSTRAINT "offer_paces_serial_offers_serial_fk" FOREIGN KEY ("serial") REFERENCES "public"."offers"("serial") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "offer_paces_step_idx" ON "offer_paces" USING btree ("step","serial") WHERE "offer_paces"."is_on" and "offer_paces"."step" > 0;--> statement-breakpoint
CREATE INDEX "traffic_curves_made_idx" ON "traffic_curves" USING btree ("made_at");--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_pacing_check" CHECK ("offers"."pacing" = any (array['ASAP', 'EVEN']::text[]));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_even_check" CHECK ("offers"."pacing" <> 'EVEN' or "offers"."daily_cap" is not null or num_nulls("offers"."lifetime_cap", "offers"."ends_at") = 0);--> statement-breakpoint
-- An offer that some sessions do not see is no open one: it must not take the place of one that all may see.
CREATE OR REPLACE FUNCTION refresh_offer_ranks(serials integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(serials) = 0 THEN RETURN; END IF;
  PERFORM FROM advertisers a
  WHERE a.id IN (SELECT o.advertiser_id FROM offers o WHERE o.serial = ANY (serials)) ORDER BY a.id FOR SHARE;
  DELETE FROM offer_ranks r WHERE r.serial = ANY (serials);
  DELETE FROM offer_exclusions x WHERE x.serial = ANY (serials);
  INSERT INTO offer_ranks (lane, serial, advertiser, rank, is_open, is_paced, gate, opens_at, ends_at, countries, categories,
    age_demographics, gender_demographics, languages, currencies, payment_types, amount_min, amount_max, platform_id,
    publishers, has_exclusions)
  WITH masked AS MATERIALIZED (
    SELECT o.*, a.serial AS advertiser, rate.bound_rate, CASE WHEN a.reach = 'PLATFORM' THEN a.platform_id END AS platform_id,
      targeting_mask('countries', o.countries) AS country_mask,
      targeting_mask('categories', o.category_ids) AS category_mask,
      targeting_mask('ageDemographics', o.age_demographics) AS age_mask,
      targeting_mask('genderDemographics', o.gender_demographics) AS gender_mask,
      targeting_mask('languages', o.languages) AS language_mask,
      targeting_mask('currencies', o.currencies) AS currency_mask,
      targeting_mask('paymentTypes', o.payment_types) AS payment_mask,
      o.languages = '{}' AND o.currencies = '{}' AND o.payment_types = '{}'
        AND o.amount_min IS NULL AND o.amount_max IS NULL AND o.pacing <> 'EVEN' AS is_open
    FROM offers o JOIN advertisers a ON a.id = o.advertiser_id AND a.status = 'active'
      LEFT JOIN rate_offers rate ON rate.offer_id = o.id
    WHERE o.serial = ANY (serials) AND o.status = 'active' AND o.capped_through IS DISTINCT FROM 'infinity'
      AND (o.ends_at IS NULL OR o.ends_at > now())
  )
  SELECT lane.target, m.serial, m.advertiser, offer_rank(m.priority, m.ecpm_micros, m.bid_micros, CASE WHEN m.pricing <> 'CPM' THEN m.bound_rate END), m.is_open,
    m.pacing = 'EVEN', CASE WHEN m.is_open THEN 0 ELSE hashtextextended(concat_ws('/', coalesce(m.language_mask::text, ''),
      coalesce(m.currency_mask::text, ''), coalesce(m.payment_mask::text, ''), coalesce(m.amount_min::text, ''),
      coalesce(m.amount_max::text, ''), nullif(m.pacing, 'ASAP')), 0) END,
    greatest(m.starts_at, (m.capped_through + 1)::timestamp AT TIME ZONE 'UTC'), m.ends_at, m.country_mask,
    m.category_mask, m.age_mask, m.gender_mask, m.language_mask, m.currency_mask, m.payment_mask, m.amount_min,
    m.amount_max, m.platform_id,
    CASE WHEN m.include_sites <> '{}' AND m.include_publishers <> '{}' THEN m.include_publishers END,
    m.exclude_sites <> '{}' OR m.exclude_publishers <> '{}'
  FROM masked m CROSS JOIN LATERAL (
    SELECT DISTINCT target FROM unnest(CASE
      WHEN m.include_sites <> '{}' THEN m.include_sites
      WHEN m.include_publishers <> '{}' THEN m.include_publishers
      ELSE ARRAY[coalesce(m.platform_id, '')] END) target) lane;
  INSERT INTO offer_exclusions (target, serial)
  SELECT DISTINCT target, o.serial FROM offers o CROSS JOIN LATERAL unnest(o.exclude_sites || o.exclude_publishers) target
  WHERE o.serial = ANY (serials);
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION rank_updated_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_offer_ranks(ARRAY(SELECT f.serial FROM fresh f JOIN stale s ON s.serial = f.serial
    WHERE (f.advertiser_id, f.status, f.starts_at, f.ends_at, f.priority, f.ecpm_micros, f.capped_through, f.pacing,
        f.countries, f.languages, f.currencies, f.amount_min, f.amount_max, f.payment_types, f.category_ids, f.age_demographics,
        f.gender_demographics, f.include_publishers, f.exclude_publishers, f.include_sites, f.exclude_sites)
      IS DISTINCT FROM (s.advertiser_id, s.status, s.starts_at, s.ends_at, s.priority, s.ecpm_micros, s.capped_through,
        s.pacing, s.countries, s.languages, s.currencies, s.amount_min, s.amount_max, s.payment_types, s.category_ids,
        s.age_demographics, s.gender_demographics, s.include_publishers, s.exclude_publishers, s.include_sites,
        s.exclude_sites)));
  RETURN null;
END $$;--> statement-breakpoint
-- Keeps a row for each offer of pacing EVEN. What an offer had before it was stopped tells nothing of the time since.
CREATE FUNCTION pace_inserted_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offer_paces (serial, is_on)
  SELECT f.serial, f.status = 'active' FROM fresh f WHERE f.pacing = 'EVEN' ORDER BY f.serial;
  RETURN null;
END $$;--> statement-breakpoint
CREATE FUNCTION pace_updated_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM offer_paces p USING fresh f, stale s
  WHERE f.serial = s.serial AND p.serial = f.serial AND f.pacing <> 'EVEN' AND s.pacing = 'EVEN';
  INSERT INTO offer_paces AS p (serial, is_on)
  SELECT f.serial, f.status = 'active' FROM fresh f JOIN stale s ON s.serial = f.serial
  WHERE f.pacing = 'EVEN' AND (f.pacing, f.status) IS DISTINCT FROM (s.pacing, s.status) ORDER BY f.serial
  ON CONFLICT (serial) DO UPDATE SET is_on = excluded.is_on, paced_at = null;
  RETURN null;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_paced_inserted AFTER INSERT ON offers REFERENCING NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION pace_inserted_offers();--> statement-breakpoint
CREATE TRIGGER offers_paced_updated AFTER UPDATE ON offers REFERENCING OLD TABLE AS stale NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION pace_updated_offers();
