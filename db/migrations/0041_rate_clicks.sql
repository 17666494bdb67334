CREATE TABLE "rate_clicks" (
	"offer_id" text NOT NULL,
	"day" date NOT NULL,
	"clicks" bigint NOT NULL,
	CONSTRAINT "rate_clicks_offer_id_day_pk" PRIMARY KEY("offer_id","day")
);
--> statement-breakpoint
CREATE INDEX "rate_clicks_age_idx" ON "rate_clicks" USING btree ("day");--> statement-breakpoint
-- What was learned before: clicks of the days for which conversions are waited for.
INSERT INTO "rate_clicks" ("offer_id", "day", "clicks")
SELECT "offer_id", "day", sum("learned_clicks" + "learned_untaught_clicks") FROM "daily_counters"
WHERE "day" > (now() at time zone 'UTC')::date - 40 AND "offer_id" <> '' AND "learned_clicks" + "learned_untaught_clicks" > 0
GROUP BY "offer_id", "day"
ON CONFLICT ("offer_id", "day") DO UPDATE SET "clicks" = excluded."clicks";
