CREATE TABLE "erasures" (
	"publisher_id" text NOT NULL,
	"hash" text NOT NULL,
	"erased_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "erasures_publisher_id_hash_pk" PRIMARY KEY("publisher_id","hash")
);
--> statement-breakpoint
ALTER TABLE "tracking_rejects" ADD COLUMN "publisher_id" text;--> statement-breakpoint
ALTER TABLE "tracking_rejects" ADD COLUMN "platform_id" text;--> statement-breakpoint
CREATE INDEX "erasures_age_idx" ON "erasures" USING btree ("erased_at");--> statement-breakpoint
CREATE INDEX "tracking_rejects_publisher_idx" ON "tracking_rejects" USING btree ("publisher_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "tracking_rejects_platform_idx" ON "tracking_rejects" USING btree ("platform_id","created_at" DESC NULLS FIRST);