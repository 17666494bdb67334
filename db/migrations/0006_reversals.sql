CREATE TABLE "conversion_reversals" (
	"advertiser_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"reason" text,
	"reversed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "conversion_reversals_advertiser_id_transaction_id_pk" PRIMARY KEY("advertiser_id","transaction_id")
);
--> statement-breakpoint
ALTER TABLE "pending_conversions" DROP CONSTRAINT "pending_conversions_state_check";--> statement-breakpoint
ALTER TABLE "pending_conversions" DROP COLUMN "state";