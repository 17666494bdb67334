CREATE TABLE "recent_lessons" (
	"placement_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"customer" text NOT NULL,
	"decision_id" text NOT NULL,
	"taught_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recent_lessons_placement_id_offer_id_customer_pk" PRIMARY KEY("placement_id","offer_id","customer")
);
--> statement-breakpoint
ALTER TABLE "creative_counters" ADD COLUMN "untaught_impressions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "creative_counters" ADD COLUMN "untaught_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "untaught_impressions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "daily_counters" ADD COLUMN "untaught_clicks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "recent_lessons_age_idx" ON "recent_lessons" USING btree ("taught_at");--> statement-breakpoint
-- Records what the transaction's caller, whom the setting lanyap.caller names, does to something, and why. The record of a
-- publisher's deletion outlives all else of it, so it holds ids and a time, and neither names, addresses nor reasons.
CREATE OR REPLACE FUNCTION note_audit(kind text, id text, action text, publisher text, platform text, was jsonb, becomes jsonb)
RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO audit_log (id, actor_kind, actor_id, resource_kind, resource_id, action, publisher_id, platform_id, before,
    after, reason, request_id, caller_ip_address, created_at)
  SELECT new_audit_id(), c.kind, c.id, $1, $2, $3, $4,
    coalesce($5, (SELECT p.platform_id FROM publishers p WHERE p.id = $4)), CASE WHEN NOT n.outlives THEN $6 END, $7,
    CASE WHEN NOT n.outlives THEN nullif(c.reason, '') END, c."requestId", CASE WHEN NOT n.outlives THEN c.ip END,
    clock_timestamp()
  FROM jsonb_to_record(nullif(current_setting('lanyap.caller', true), '')::jsonb)
    AS c(kind text, id text, reason text, "requestId" text, ip text),
    (SELECT $1 = 'publisher' AND $3 = 'delete' AS outlives) n
  WHERE c.kind IS NOT NULL
$$;
--> statement-breakpoint
-- Until now reasons stood beside switches of publishers and sites alone. A change and its switch are one transaction, so
-- they are seconds apart at most.
UPDATE audit_log a SET reason = (
  SELECT nullif(e.reason, '') FROM (
    SELECT v.publisher_id AS id, v.before, v.after, v.reason, v.created_at FROM webhook_events v
    UNION ALL SELECT l.site_id, l.before, l.after, l.reason, l.created_at FROM webhook_logs l
  ) e
  WHERE e.id = a.resource_id AND e.before @> a.before AND e.after @> a.after
    AND e.created_at BETWEEN a.created_at - interval '10 seconds' AND a.created_at + interval '10 seconds'
  ORDER BY greatest(e.created_at - a.created_at, a.created_at - e.created_at) LIMIT 1)
WHERE a.action = 'update' AND a.resource_kind IN ('publisher', 'site')
  AND (a.after ? 'status' OR a.after ? 'adsEnabled') AND a.after - 'status' - 'adsEnabled' = '{}';
