ALTER TABLE "creative_counters" ADD COLUMN "learned_untaught_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "learned_untaught_clicks" bigint DEFAULT 0 NOT NULL;
