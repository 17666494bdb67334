ALTER TABLE "daily_hits" DROP CONSTRAINT "daily_hits_day_placement_id_offer_id_kind_outcome_pk";--> statement-breakpoint
ALTER TABLE "daily_hits" ADD COLUMN "country" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_hits" ADD COLUMN "gross_micros" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_hits" ADD CONSTRAINT "daily_hits_key" PRIMARY KEY("day","placement_id","offer_id","kind","outcome","country");