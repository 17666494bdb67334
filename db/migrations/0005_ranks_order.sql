DROP INDEX "offers_serving_idx";--> statement-breakpoint
DROP INDEX "offers_country_idx";--> statement-breakpoint
-- The slim rows anew, with columns of a fixed width first: a walk along them is a sixth faster.
DROP TABLE "offer_ranks";--> statement-breakpoint
CREATE TABLE "offer_ranks" (
	"rank" bigint NOT NULL,
	"gate" bigint NOT NULL,
	"serial" integer NOT NULL,
	"advertiser" integer NOT NULL,
	"is_open" boolean NOT NULL,
	"has_exclusions" boolean NOT NULL,
	"opens_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"amount_min" double precision,
	"amount_max" double precision,
	"countries" bit varying,
	"categories" bit varying,
	"age_demographics" bit varying,
	"gender_demographics" bit varying,
	"languages" bit varying,
	"currencies" bit varying,
	"payment_types" bit varying,
	"platform_id" text,
	"publishers" text[],
	"lane" text NOT NULL,
	CONSTRAINT "offer_ranks_serial_lane_pk" PRIMARY KEY("serial","lane")
);--> statement-breakpoint
ALTER TABLE "offer_ranks" ADD CONSTRAINT "offer_ranks_serial_offers_serial_fk" FOREIGN KEY ("serial") REFERENCES "public"."offers"("serial") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "offer_ranks_order_idx" ON "offer_ranks" USING btree ("lane","is_open","rank","serial");--> statement-breakpoint
CREATE INDEX "offer_ranks_opens_idx" ON "offer_ranks" USING btree ("lane","opens_at") WHERE "offer_ranks"."opens_at" is not null;--> statement-breakpoint
-- The mask of values that an offer targets: null for none, which admits all. One look-up for all values that have numbers.
CREATE OR REPLACE FUNCTION targeting_mask(dimension text, targeted text[]) RETURNS varbit LANGUAGE plpgsql AS $$
DECLARE numbers smallint[]; value text; mask varbit; number smallint;
BEGIN
  IF cardinality(targeted) = 0 THEN RETURN null; END IF;
  SELECT array_agg(v.number) INTO numbers FROM targeting_values v
  WHERE v.dimension = targeting_mask.dimension AND v.value = ANY (targeted);
  IF cardinality(numbers) IS DISTINCT FROM cardinality(targeted) THEN
    -- Some are new, or come twice. In one order, so that two that add several never wait for each other.
    numbers := '{}';
    FOR value IN SELECT DISTINCT t FROM unnest(targeted) t ORDER BY t LOOP
      numbers := numbers || targeting_number(targeting_mask.dimension, value);
    END LOOP;
  END IF;
  mask := repeat('0', 1 + (SELECT max(n) FROM unnest(numbers) n))::varbit;
  FOREACH number IN ARRAY numbers LOOP mask := set_bit(mask, number, 1); END LOOP;
  RETURN mask;
END $$;--> statement-breakpoint
SELECT refresh_offer_ranks(ARRAY(SELECT serial FROM offers));
