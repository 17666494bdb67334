ALTER TABLE "rate_clicks" ADD COLUMN "taught" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_clicks" ADD COLUMN "expected" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rate_clicks" ADD COLUMN "creative" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Where there are millions of cells, this index is made before, as `create index concurrently` does without a lock.
CREATE INDEX IF NOT EXISTS "rate_cells_serial_idx" ON "rate_cells" USING btree ("serial");--> statement-breakpoint
ALTER TABLE "rate_offers" ADD COLUMN "judged_on" date DEFAULT (now() at time zone 'UTC')::date NOT NULL;
