-- The audit of a deleted publisher is below it, but for the record of its deletion.
CREATE OR REPLACE FUNCTION has_below(above text) RETURNS boolean LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT EXISTS (SELECT FROM sites WHERE publisher_id = above)
    OR EXISTS (SELECT FROM placements WHERE site_id = above)
    OR EXISTS (SELECT FROM webhook_logs WHERE site_id = above)
    OR EXISTS (SELECT FROM partner_zone_jobs WHERE site_id = above)
    OR EXISTS (SELECT FROM public_keys WHERE publisher_id = above)
    OR EXISTS (SELECT FROM api_tokens WHERE publisher_id = above)
    OR EXISTS (SELECT FROM webhook_events WHERE publisher_id = above)
    OR EXISTS (SELECT FROM tracking_rejects WHERE publisher_id = above)
    OR EXISTS (SELECT FROM audit_log WHERE publisher_id = above AND NOT (resource_id = above AND action = 'delete'))
    OR EXISTS (SELECT FROM events WHERE placement_id = above AND (session_hash IS NOT NULL OR email_hash IS NOT NULL));
$$;--> statement-breakpoint
-- Records what the transaction's caller, whom the setting lanyap.caller names, does to something. The record of a
-- publisher's deletion outlives all else of it, so it holds ids and a time, and neither names nor addresses.
CREATE OR REPLACE FUNCTION note_audit(kind text, id text, action text, publisher text, platform text, was jsonb, becomes jsonb)
RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO audit_log (id, actor_kind, actor_id, resource_kind, resource_id, action, publisher_id, platform_id, before,
    after, request_id, caller_ip_address, created_at)
  SELECT new_audit_id(), c.kind, c.id, $1, $2, $3, $4,
    coalesce($5, (SELECT p.platform_id FROM publishers p WHERE p.id = $4)), CASE WHEN NOT n.outlives THEN $6 END, $7,
    c."requestId", CASE WHEN NOT n.outlives THEN c.ip END, clock_timestamp()
  FROM jsonb_to_record(nullif(current_setting('lanyap.caller', true), '')::jsonb)
    AS c(kind text, id text, "requestId" text, ip text), (SELECT $1 = 'publisher' AND $3 = 'delete' AS outlives) n
  WHERE c.kind IS NOT NULL
$$;--> statement-breakpoint
UPDATE audit_log SET before = NULL, caller_ip_address = NULL WHERE resource_kind = 'publisher' AND action = 'delete';--> statement-breakpoint
-- The cron removes the audit of publishers that are gone already.
INSERT INTO deletions (id)
SELECT DISTINCT a.publisher_id FROM audit_log a
WHERE NOT EXISTS (SELECT FROM publishers p WHERE p.id = a.publisher_id) AND has_below(a.publisher_id)
ON CONFLICT DO NOTHING;
