-- Where there are millions of events, this index is made before, as `create index concurrently` does without a lock.
CREATE INDEX IF NOT EXISTS "events_removal_idx" ON "events" USING btree ("kind","issued_on","occurred_at");--> statement-breakpoint
DROP INDEX "events_age_idx";
