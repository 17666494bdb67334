ALTER TABLE "events" ADD COLUMN "closing" text;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "declines" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "endings" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_closing_check" CHECK ("events"."closing" = any (array['decline', 'close']::text[]));