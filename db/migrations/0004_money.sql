CREATE TABLE "offer_revisions" (
	"offer_id" text NOT NULL,
	"revision" integer NOT NULL,
	"advertiser_id" text NOT NULL,
	"pricing" text NOT NULL,
	"bid_micros" bigint NOT NULL,
	"publisher_share_bps" integer NOT NULL,
	"destination_url" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offer_revisions_offer_id_revision_pk" PRIMARY KEY("offer_id","revision")
);--> statement-breakpoint
CREATE TABLE "counted_repeats" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "pending_conversions" (
	"advertiser_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"event_id" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"decision_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"amount_micros" bigint,
	"currency" text,
	"reported_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pending_conversions_advertiser_id_transaction_id_pk" PRIMARY KEY("advertiser_id","transaction_id"),
	CONSTRAINT "pending_conversions_state_check" CHECK ("pending_conversions"."state" = any (array['pending', 'reversed']::text[]))
);--> statement-breakpoint
CREATE TABLE "recent_billings" (
	"offer_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recent_billings_offer_id_kind_subject_pk" PRIMARY KEY("offer_id","kind","subject")
);--> statement-breakpoint
CREATE TABLE "hourly_requests" (
	"hour" timestamp (3) with time zone NOT NULL,
	"placement_id" text NOT NULL,
	"country" text NOT NULL,
	"reason" text NOT NULL,
	"arm" text NOT NULL,
	"requests" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "hourly_requests_hour_placement_id_country_reason_arm_pk" PRIMARY KEY("hour","placement_id","country","reason","arm")
);--> statement-breakpoint
CREATE TABLE "request_facts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "request_facts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"hour" timestamp (3) with time zone NOT NULL,
	"placement_id" text NOT NULL,
	"country" text NOT NULL,
	"language" text,
	"currency" text,
	"amount" double precision,
	"payment_type" text,
	"count" smallint NOT NULL
);--> statement-breakpoint
ALTER TABLE "daily_hits" DROP CONSTRAINT "daily_hits_outcome_check";--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_outcome_check";--> statement-breakpoint
DROP INDEX "events_counted_once_idx";--> statement-breakpoint
DROP INDEX "events_transaction_once_idx";--> statement-breakpoint
ALTER TABLE "daily_counters" DROP CONSTRAINT "daily_counters_day_placement_id_offer_id_advertiser_id_country_pk";--> statement-breakpoint
ALTER TABLE "daily_counters" ALTER COLUMN "revenue_micros" SET DATA TYPE numeric(40, 4);--> statement-breakpoint
ALTER TABLE "daily_counters" ALTER COLUMN "revenue_micros" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "revenue_micros" SET DATA TYPE numeric(24, 4);--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "arm" text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "place" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "site_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "publisher_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "billed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "gross_squares" numeric(40, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "revenue_squares" numeric(40, 8) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "place" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "arm" text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD CONSTRAINT "daily_counters_key" PRIMARY KEY("day","placement_id","offer_id","advertiser_id","country","arm","place");--> statement-breakpoint
CREATE INDEX "counted_repeats_received_idx" ON "counted_repeats" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "pending_conversions_click_idx" ON "pending_conversions" USING btree ("decision_id","offer_id");--> statement-breakpoint
CREATE INDEX "pending_conversions_reported_idx" ON "pending_conversions" USING btree ("advertiser_id","reported_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "recent_billings_last_idx" ON "recent_billings" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "request_facts_hour_idx" ON "request_facts" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "daily_counters_publisher_idx" ON "daily_counters" USING btree ("publisher_id","day");--> statement-breakpoint
CREATE UNIQUE INDEX "events_settled_once_idx" ON "events" USING btree ("issued_on","decision_id","offer_id","kind") WHERE "events"."outcome" in ('counted', 'repeated', 'over_cap') and "events"."kind" <> 'conversion';--> statement-breakpoint
CREATE INDEX "events_uncounted_idx" ON "events" USING btree ("issued_on","decision_id","offer_id","kind") WHERE "events"."outcome" in ('bot', 'expired', 'test');--> statement-breakpoint
CREATE INDEX "events_conversions_idx" ON "events" USING btree ("advertiser_id","occurred_at" DESC NULLS FIRST,"id") WHERE "events"."kind" = 'conversion';--> statement-breakpoint
CREATE UNIQUE INDEX "events_transaction_once_idx" ON "events" USING btree ("advertiser_id","transaction_id") WHERE "events"."outcome" in ('counted', 'over_cap', 'reversed') and "events"."kind" = 'conversion';--> statement-breakpoint
ALTER TABLE "daily_hits" ADD CONSTRAINT "daily_hits_outcome_check" CHECK ("daily_hits"."outcome" = any (array['counted', 'repeated', 'over_cap', 'reversed', 'duplicate', 'bot', 'expired', 'test']::text[]));--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_outcome_check" CHECK ("events"."outcome" = any (array['counted', 'repeated', 'over_cap', 'reversed', 'duplicate', 'bot', 'expired', 'test']::text[]));--> statement-breakpoint
INSERT INTO "offer_revisions" ("offer_id", "revision", "advertiser_id", "pricing", "bid_micros", "publisher_share_bps", "destination_url")
SELECT "id", "revision", "advertiser_id", "pricing", "bid_micros", "publisher_share_bps", "destination_url" FROM "offers";--> statement-breakpoint
UPDATE "daily_counters" c SET "site_id" = s."id", "publisher_id" = s."publisher_id"
FROM "placements" p JOIN "sites" s ON s."id" = p."site_id" WHERE p."id" = c."placement_id";--> statement-breakpoint
UPDATE "daily_counters" c SET "billed" = e.billed, "gross_squares" = e.gross_squares, "revenue_squares" = e.revenue_squares
FROM (
  SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, placement_id, offer_id, advertiser_id, country, count(*) AS billed,
    sum(gross_micros::numeric ^ 2) AS gross_squares, sum(revenue_micros ^ 2) AS revenue_squares
  FROM "events" WHERE outcome = 'counted' AND gross_micros > 0 GROUP BY 1, 2, 3, 4, 5
) e
WHERE (c."day", c."placement_id", c."offer_id", c."advertiser_id", c."country")
  = (e.day, e.placement_id, e.offer_id, e.advertiser_id, e.country);--> statement-breakpoint
-- A new price or destination is a new revision, whoever writes it.
-- An offer that was deleted and comes back under its id goes on where it was.
CREATE FUNCTION number_offer_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := 1 + coalesce((SELECT max(r.revision) FROM offer_revisions r WHERE r.offer_id = NEW.id), 0);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION keep_offer_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offer_revisions (offer_id, revision, advertiser_id, pricing, bid_micros, publisher_share_bps, destination_url)
  VALUES (NEW.id, NEW.revision, NEW.advertiser_id, NEW.pricing, NEW.bid_micros, NEW.publisher_share_bps, NEW.destination_url);
  RETURN null;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_priced BEFORE UPDATE ON offers FOR EACH ROW
WHEN ((NEW.pricing, NEW.bid_micros, NEW.publisher_share_bps, NEW.destination_url)
  IS DISTINCT FROM (OLD.pricing, OLD.bid_micros, OLD.publisher_share_bps, OLD.destination_url))
EXECUTE FUNCTION number_offer_revision();--> statement-breakpoint
CREATE TRIGGER offers_first_priced BEFORE INSERT ON offers FOR EACH ROW EXECUTE FUNCTION number_offer_revision();--> statement-breakpoint
CREATE TRIGGER offers_first_kept AFTER INSERT ON offers FOR EACH ROW EXECUTE FUNCTION keep_offer_revision();--> statement-breakpoint
CREATE TRIGGER offers_kept AFTER UPDATE ON offers FOR EACH ROW WHEN (NEW.revision <> OLD.revision)
EXECUTE FUNCTION keep_offer_revision();
