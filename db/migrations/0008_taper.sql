ALTER TABLE "offer_usage" ADD COLUMN "recent" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "offer_usage" ADD COLUMN "recent_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "taper" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "offers_tapered_idx" ON "offers" USING btree ("serial") WHERE "offers"."taper" > 0;