ALTER TABLE "audit_log" ADD COLUMN "reason" text;--> statement-breakpoint
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
