DROP INDEX "offer_ranks_order_idx";--> statement-breakpoint
CREATE INDEX "offer_ranks_order_idx" ON "offer_ranks" USING btree ("lane","is_open","rank","serial","advertiser");