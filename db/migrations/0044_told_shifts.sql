ALTER TABLE "rate_offers" ADD COLUMN "shifted_on" date;--> statement-breakpoint
ALTER TABLE "rate_offers" ADD COLUMN "shift_ratio" double precision;--> statement-breakpoint
ALTER TABLE "rate_offers" ADD COLUMN "shifted_creative" integer;