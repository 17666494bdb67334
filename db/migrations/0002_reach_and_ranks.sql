CREATE TABLE "deleted_offers" (
	"serial" integer PRIMARY KEY NOT NULL,
	"deleted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "offer_exclusions" (
	"target" text NOT NULL,
	"serial" integer NOT NULL,
	CONSTRAINT "offer_exclusions_target_serial_pk" PRIMARY KEY("target","serial")
);
--> statement-breakpoint
CREATE TABLE "offer_ranks" (
	"lane" text NOT NULL,
	"serial" integer NOT NULL,
	"advertiser" integer NOT NULL,
	"rank" bigint NOT NULL,
	"is_open" boolean NOT NULL,
	"gate" bigint NOT NULL,
	"opens_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"countries" bit varying,
	"categories" bit varying,
	"age_demographics" bit varying,
	"gender_demographics" bit varying,
	"languages" bit varying,
	"currencies" bit varying,
	"payment_types" bit varying,
	"amount_min" double precision,
	"amount_max" double precision,
	"platform_id" text,
	"publishers" text[],
	"has_exclusions" boolean NOT NULL,
	CONSTRAINT "offer_ranks_serial_lane_pk" PRIMARY KEY("serial","lane")
);
--> statement-breakpoint
CREATE TABLE "targeting_values" (
	"dimension" text NOT NULL,
	"value" text NOT NULL,
	"number" smallint NOT NULL,
	CONSTRAINT "targeting_values_dimension_value_pk" PRIMARY KEY("dimension","value"),
	CONSTRAINT "targeting_values_number_key" UNIQUE("dimension","number")
);
--> statement-breakpoint
ALTER TABLE "offers" DROP CONSTRAINT "offers_priority_check";--> statement-breakpoint
ALTER TABLE "offers" DROP CONSTRAINT "offers_bid_check";--> statement-breakpoint
ALTER TABLE "advertisers" ADD COLUMN "serial" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "advertisers_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "advertisers" ADD COLUMN "reach" text DEFAULT 'PLATFORM' NOT NULL;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "serial" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "offers_serial_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "advertisers" ADD CONSTRAINT "advertisers_serial_unique" UNIQUE("serial");--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_serial_unique" UNIQUE("serial");--> statement-breakpoint
ALTER TABLE "offer_exclusions" ADD CONSTRAINT "offer_exclusions_serial_offers_serial_fk" FOREIGN KEY ("serial") REFERENCES "public"."offers"("serial") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offer_ranks" ADD CONSTRAINT "offer_ranks_serial_offers_serial_fk" FOREIGN KEY ("serial") REFERENCES "public"."offers"("serial") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deleted_offers_deleted_idx" ON "deleted_offers" USING btree ("deleted_at");--> statement-breakpoint
CREATE INDEX "offer_exclusions_serial_idx" ON "offer_exclusions" USING btree ("serial");--> statement-breakpoint
CREATE INDEX "offer_ranks_order_idx" ON "offer_ranks" USING btree ("lane","is_open","rank","serial");--> statement-breakpoint
CREATE INDEX "offer_ranks_opens_idx" ON "offer_ranks" USING btree ("lane","opens_at") WHERE "offer_ranks"."opens_at" is not null;--> statement-breakpoint
UPDATE "advertisers" SET "reach" = 'NETWORK' WHERE "platform_id" IS NULL;--> statement-breakpoint
-- A bid above the new limit comes down to it, and with it what it ranks by.
UPDATE "offers" SET "bid_micros" = 100000000000, "ecpm_micros" = 100000000000 * ("ecpm_micros" / "bid_micros")
WHERE "bid_micros" > 100000000000;--> statement-breakpoint
ALTER TABLE "advertisers" ADD CONSTRAINT "advertisers_reach_check" CHECK ("advertisers"."reach" = any (array['PLATFORM', 'NETWORK']::text[]));--> statement-breakpoint
ALTER TABLE "advertisers" ADD CONSTRAINT "advertisers_network_check" CHECK ("advertisers"."platform_id" is not null or "advertisers"."reach" = 'NETWORK');--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_priority_check" CHECK ("offers"."priority" between 1 and 100);--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_bid_check" CHECK ("offers"."bid_micros" between 0 and 100000000000);--> statement-breakpoint
-- The number of a value that offers target; a new value gets the next one of its dimension. Of two that add at the same
-- time, one waits for the other and looks again.
CREATE FUNCTION targeting_number(dimension text, value text) RETURNS smallint LANGUAGE plpgsql AS $$
DECLARE known smallint;
BEGIN
  LOOP
    SELECT v.number INTO known FROM targeting_values v
    WHERE v.dimension = targeting_number.dimension AND v.value = targeting_number.value;
    EXIT WHEN found;
    INSERT INTO targeting_values (dimension, value, number)
    SELECT targeting_number.dimension, targeting_number.value, coalesce(max(v.number), 0) + 1
    FROM targeting_values v WHERE v.dimension = targeting_number.dimension
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN known;
END $$;--> statement-breakpoint
-- The mask of values that an offer targets: null for none, which admits all. Values are numbered in one order, so that
-- two that add several never wait for each other.
CREATE FUNCTION targeting_mask(dimension text, targeted text[]) RETURNS varbit LANGUAGE plpgsql AS $$
DECLARE numbers smallint[]; mask varbit; number smallint;
BEGIN
  IF cardinality(targeted) = 0 THEN RETURN null; END IF;
  SELECT array_agg(targeting_number(targeting_mask.dimension, v.value)) INTO numbers
  FROM (SELECT DISTINCT value FROM unnest(targeted) value ORDER BY value) v;
  mask := repeat('0', 1 + (SELECT max(n) FROM unnest(numbers) n))::varbit;
  FOREACH number IN ARRAY numbers LOOP mask := set_bit(mask, number, 1); END LOOP;
  RETURN mask;
END $$;--> statement-breakpoint
-- Makes the slim rows of offers anew. Their advertisers are locked against a change of status or reach at the same time,
-- which would not see these rows.
CREATE FUNCTION refresh_offer_ranks(serials integer[]) RETURNS void LANGUAGE plpgsql AS $$
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
    SELECT o.*, a.serial AS advertiser, CASE WHEN a.reach = 'PLATFORM' THEN a.platform_id END AS platform_id,
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
    WHERE o.serial = ANY (serials) AND o.status = 'active' AND o.capped_through IS DISTINCT FROM 'infinity'
      AND (o.ends_at IS NULL OR o.ends_at > now())
  )
  SELECT lane.target, m.serial, m.advertiser, m.priority * 100000000000000 - m.ecpm_micros, m.is_open,
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
END $$;--> statement-breakpoint
CREATE FUNCTION rank_inserted_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_offer_ranks(ARRAY(SELECT serial FROM fresh));
  RETURN null;
END $$;--> statement-breakpoint
CREATE FUNCTION rank_updated_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_offer_ranks(ARRAY(SELECT f.serial FROM fresh f JOIN stale s ON s.serial = f.serial
    WHERE (f.advertiser_id, f.status, f.starts_at, f.ends_at, f.priority, f.ecpm_micros, f.capped_through, f.countries,
        f.languages, f.currencies, f.amount_min, f.amount_max, f.payment_types, f.category_ids, f.age_demographics,
        f.gender_demographics, f.include_publishers, f.exclude_publishers, f.include_sites, f.exclude_sites)
      IS DISTINCT FROM (s.advertiser_id, s.status, s.starts_at, s.ends_at, s.priority, s.ecpm_micros, s.capped_through,
        s.countries, s.languages, s.currencies, s.amount_min, s.amount_max, s.payment_types, s.category_ids,
        s.age_demographics, s.gender_demographics, s.include_publishers, s.exclude_publishers, s.include_sites,
        s.exclude_sites)));
  RETURN null;
END $$;--> statement-breakpoint
CREATE FUNCTION rank_updated_advertisers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_offer_ranks(ARRAY(SELECT o.serial FROM fresh f JOIN stale s ON s.serial = f.serial
      JOIN offers o ON o.advertiser_id = f.id
    WHERE (f.status, f.reach, f.platform_id) IS DISTINCT FROM (s.status, s.reach, s.platform_id)));
  RETURN null;
END $$;--> statement-breakpoint
CREATE FUNCTION remember_deleted_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM deleted_offers WHERE deleted_at < now() - interval '2 days';
  INSERT INTO deleted_offers (serial) SELECT serial FROM gone ON CONFLICT DO NOTHING;
  RETURN null;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_inserted AFTER INSERT ON offers REFERENCING NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION rank_inserted_offers();--> statement-breakpoint
CREATE TRIGGER offers_updated AFTER UPDATE ON offers REFERENCING OLD TABLE AS stale NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION rank_updated_offers();--> statement-breakpoint
CREATE TRIGGER offers_deleted AFTER DELETE ON offers REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION remember_deleted_offers();--> statement-breakpoint
CREATE TRIGGER advertisers_updated AFTER UPDATE ON advertisers REFERENCING OLD TABLE AS stale NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION rank_updated_advertisers();--> statement-breakpoint
SELECT refresh_offer_ranks(ARRAY(SELECT serial FROM offers));
