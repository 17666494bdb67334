CREATE TABLE "purges" (
	"what" text PRIMARY KEY NOT NULL,
	"through" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "webhook_events_age_idx" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_logs_age_idx" ON "webhook_logs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "conversion_reversals_age_idx" ON "conversion_reversals" USING btree ("reversed_at");--> statement-breakpoint
CREATE INDEX "events_age_idx" ON "events" USING btree ("kind","issued_on");--> statement-breakpoint
CREATE INDEX "pending_conversions_age_idx" ON "pending_conversions" USING btree ("reported_at");