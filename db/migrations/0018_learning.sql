CREATE TABLE "rate_advertisers" (
	"advertiser_id" text PRIMARY KEY NOT NULL,
	"clicks" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL,
	"conversions" double precision DEFAULT 0 NOT NULL,
	"clicked" double precision DEFAULT 0 NOT NULL,
	"click_rate" double precision NOT NULL,
	"conversion_rate" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_cells" (
	"placement_id" text NOT NULL,
	"country" text NOT NULL,
	"serial" integer NOT NULL,
	"creative" integer NOT NULL,
	"clicks" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL,
	"conversions" double precision DEFAULT 0 NOT NULL,
	"clicked" double precision DEFAULT 0 NOT NULL,
	"lift" double precision DEFAULT 1 NOT NULL,
	"folded_on" date DEFAULT (now() at time zone 'UTC')::date NOT NULL,
	CONSTRAINT "rate_cells_placement_id_country_serial_pk" PRIMARY KEY("placement_id","country","serial")
);
--> statement-breakpoint
CREATE TABLE "rate_network" (
	"id" integer PRIMARY KEY NOT NULL,
	"clicks" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL,
	"conversions" double precision DEFAULT 0 NOT NULL,
	"clicked" double precision DEFAULT 0 NOT NULL,
	"click_rate" double precision NOT NULL,
	"conversion_rate" double precision NOT NULL,
	"click_strengths" double precision[] NOT NULL,
	"conversion_strengths" double precision[] NOT NULL,
	"maturity" double precision DEFAULT 1 NOT NULL,
	"delays" double precision[] NOT NULL,
	"half_life" double precision NOT NULL,
	"origin" double precision NOT NULL,
	"estimated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_offers" (
	"offer_id" text PRIMARY KEY NOT NULL,
	"clicks" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL,
	"conversions" double precision DEFAULT 0 NOT NULL,
	"clicked" double precision DEFAULT 0 NOT NULL,
	"advertiser_click_rate" double precision NOT NULL,
	"advertiser_conversion_rate" double precision NOT NULL,
	"maturity" double precision DEFAULT 1 NOT NULL,
	"bound_rate" double precision,
	"folded_on" date DEFAULT (now() at time zone 'UTC')::date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_places" (
	"placement_id" text NOT NULL,
	"country" text NOT NULL,
	"clicks" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL,
	"conversions" double precision DEFAULT 0 NOT NULL,
	"clicked" double precision DEFAULT 0 NOT NULL,
	"folded_on" date DEFAULT (now() at time zone 'UTC')::date NOT NULL,
	CONSTRAINT "rate_places_placement_id_country_pk" PRIMARY KEY("placement_id","country")
);
--> statement-breakpoint
CREATE TABLE "rate_slots" (
	"place" smallint PRIMARY KEY NOT NULL,
	"clicks" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "publishers" ADD COLUMN "rank_by" text DEFAULT 'GROSS' NOT NULL;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "creative" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "learned_impressions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "learned_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "learned_conversions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "is_learned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "rate_cells_age_idx" ON "rate_cells" USING btree ("folded_on");--> statement-breakpoint
CREATE INDEX "rate_offers_age_idx" ON "rate_offers" USING btree ("folded_on");--> statement-breakpoint
CREATE INDEX "rate_places_age_idx" ON "rate_places" USING btree ("folded_on");--> statement-breakpoint
CREATE INDEX "daily_counters_unlearned_idx" ON "daily_counters" USING btree ("day") WHERE not "daily_counters"."is_learned" and "daily_counters"."offer_id" <> '';--> statement-breakpoint
ALTER TABLE "publishers" ADD CONSTRAINT "publishers_rank_by_check" CHECK ("publishers"."rank_by" = any (array['GROSS', 'REVENUE']::text[]));--> statement-breakpoint
-- Nothing is known yet: two of a hundred impressions are clicked, one of twenty clicks converts, most within a day.
INSERT INTO "rate_network" ("id", "click_rate", "conversion_rate", "click_strengths", "conversion_strengths", "delays",
  "half_life", "origin")
VALUES (1, 0.02, 0.05, '{10,20}', '{10,20}', ARRAY(SELECT 1 - exp(-(day + 0.5)) FROM generate_series(0, 30) day), 60,
  (now() AT TIME ZONE 'UTC')::date - date '1970-01-01');--> statement-breakpoint
-- Numbers the creatives of an offer. What was seen of an earlier one weighs no more than ten clicks for the next, or the
-- impressions in which its advertiser's offers have as many.
CREATE FUNCTION number_offer_creative() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.creative := OLD.creative + 1;
  WITH before AS MATERIALIZED (
    SELECT k.*, least(1, 10 * power(2::float8,
        ((now() AT TIME ZONE 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)
      / nullif(greatest(k.clicks, k.exposure * k.advertiser_click_rate), 0)) AS share
    FROM rate_network n, rate_offers k WHERE k.offer_id = NEW.id FOR UPDATE OF k
  ), kept AS (
    UPDATE rate_offers r SET clicks = b.clicks * b.share, exposure = b.exposure * b.share,
      conversions = b.conversions * b.share, clicked = b.clicked * b.share, bound_rate = NULL
    FROM before b WHERE r.offer_id = b.offer_id AND b.share IS NOT NULL
  )
  UPDATE rate_advertisers r SET clicks = r.clicks - b.clicks * (1 - b.share), exposure = r.exposure - b.exposure * (1 - b.share),
    conversions = r.conversions - b.conversions * (1 - b.share), clicked = r.clicked - b.clicked * (1 - b.share)
  FROM before b WHERE r.advertiser_id = NEW.advertiser_id AND b.share IS NOT NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_creative BEFORE UPDATE ON offers FOR EACH ROW
WHEN ((OLD.title, OLD.header, OLD.description, OLD.cta_text, OLD.icon_url, OLD.destination_url)
  IS DISTINCT FROM (NEW.title, NEW.header, NEW.description, NEW.cta_text, NEW.icon_url, NEW.destination_url))
EXECUTE FUNCTION number_offer_creative();--> statement-breakpoint
-- What an offer may earn is about what it is paid for.
CREATE FUNCTION forget_offer_bound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE rate_offers SET bound_rate = NULL WHERE offer_id = NEW.id;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_pricing BEFORE UPDATE ON offers FOR EACH ROW
WHEN (OLD.pricing <> NEW.pricing) EXECUTE FUNCTION forget_offer_bound();--> statement-breakpoint
DROP TRIGGER offers_audit ON offers;--> statement-breakpoint
CREATE TRIGGER offers_audit AFTER INSERT OR UPDATE OR DELETE ON offers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('offer',
    'id serial revision creative ecpm_micros capped_through taper created_at updated_at changed_at', '');--> statement-breakpoint
-- Makes the number that candidates are found by: the smaller the better, lower priorities first, then what a thousand
-- impressions are worth at most, where that was learned, or may be expected to be.
CREATE FUNCTION offer_rank(priority integer, ecpm_micros bigint, bid_micros bigint, bound_rate double precision)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT priority * 100000000000000 - least(coalesce(round(bid_micros * bound_rate * 1000), ecpm_micros), 99999999999999)::bigint
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION refresh_offer_ranks(serials integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(serials) = 0 THEN RETURN; END IF;
  PERFORM FROM advertisers a
  WHERE a.id IN (SELECT o.advertiser_id FROM offers o WHERE o.serial = ANY (serials)) ORDER BY a.id FOR SHARE;
  DELETE FROM offer_ranks r WHERE r.serial = ANY (serials);
  DELETE FROM offer_exclusions x WHERE x.serial = ANY (serials);
  INSERT INTO offer_ranks (lane, serial, advertiser, rank, is_open, gate, opens_at, ends_at, countries, categories,
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
        AND o.amount_min IS NULL AND o.amount_max IS NULL AS is_open
    FROM offers o JOIN advertisers a ON a.id = o.advertiser_id AND a.status = 'active'
      LEFT JOIN rate_offers rate ON rate.offer_id = o.id
    WHERE o.serial = ANY (serials) AND o.status = 'active' AND o.capped_through IS DISTINCT FROM 'infinity'
      AND (o.ends_at IS NULL OR o.ends_at > now())
  )
  SELECT lane.target, m.serial, m.advertiser, offer_rank(m.priority, m.ecpm_micros, m.bid_micros, CASE WHEN m.pricing <> 'CPM' THEN m.bound_rate END), m.is_open,
    CASE WHEN m.is_open THEN 0 ELSE hashtextextended(concat_ws('/', coalesce(m.language_mask::text, ''),
      coalesce(m.currency_mask::text, ''), coalesce(m.payment_mask::text, ''), coalesce(m.amount_min::text, ''),
      coalesce(m.amount_max::text, '')), 0) END,
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
END $$;
