CREATE TABLE "daily_parts" (
	"publisher_id" text NOT NULL,
	"day" date NOT NULL,
	"arm" text NOT NULL,
	"part" smallint NOT NULL,
	"requests" bigint DEFAULT 0 NOT NULL,
	"gross_micros" bigint DEFAULT 0 NOT NULL,
	"revenue_micros" numeric(40, 4) DEFAULT 0 NOT NULL,
	CONSTRAINT "daily_parts_key" PRIMARY KEY("publisher_id","day","arm","part")
);
--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "part" smallint;--> statement-breakpoint
CREATE INDEX "daily_parts_day_idx" ON "daily_parts" USING btree ("day");