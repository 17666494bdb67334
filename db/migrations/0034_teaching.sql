CREATE TABLE "recent_lessons" (
	"offer_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"taught_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recent_lessons_offer_id_kind_subject_pk" PRIMARY KEY("offer_id","kind","subject")
);
--> statement-breakpoint
ALTER TABLE "creative_counters" ADD COLUMN "untaught_impressions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "creative_counters" ADD COLUMN "untaught_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "untaught_impressions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "untaught_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "recent_lessons_age_idx" ON "recent_lessons" USING btree ("taught_at");