CREATE TABLE "audit_log" (
	"id" text PRIMARY KEY NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"resource_kind" text NOT NULL,
	"resource_id" text NOT NULL,
	"action" text NOT NULL,
	"publisher_id" text,
	"platform_id" text,
	"before" jsonb,
	"after" jsonb,
	"request_id" text NOT NULL,
	"caller_ip_address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_log_resource_kind_check" CHECK ("audit_log"."resource_kind" = any (array['platform', 'platformToken', 'publisher', 'token', 'publicKey', 'site', 'placement', 'advertiser', 'offer']::text[])),
	CONSTRAINT "audit_log_action_check" CHECK ("audit_log"."action" = any (array['create', 'update', 'delete', 'erase']::text[]))
);
--> statement-breakpoint
CREATE INDEX "audit_log_publisher_idx" ON "audit_log" USING btree ("publisher_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "audit_log_platform_idx" ON "audit_log" USING btree ("platform_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "audit_log_resource_idx" ON "audit_log" USING btree ("resource_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "audit_log_created_idx" ON "audit_log" USING btree ("created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
-- Makes the id of an audit record: a TypeID, whose digits are the time, the version and variant of a UUIDv7, and chance.
CREATE FUNCTION new_audit_id() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT 'evt_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + CASE
      WHEN i <= 10 THEN ((ms >> (5 * (10 - i))) & 31)::int
      WHEN i = 11 THEN 14 + floor(random() * 2)::int
      WHEN i = 14 THEN 16 * floor(random() * 2)::int + 8 + floor(random() * 4)::int
      ELSE floor(random() * 32)::int END, 1), '' ORDER BY i)
  FROM generate_series(1, 26) i, (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) now
$$;--> statement-breakpoint
-- Records what the transaction's caller, whom the setting lanyap.caller names, does to something.
CREATE FUNCTION note_audit(kind text, id text, action text, publisher text, platform text, was jsonb, becomes jsonb)
RETURNS void LANGUAGE sql VOLATILE AS $$
  INSERT INTO audit_log (id, actor_kind, actor_id, resource_kind, resource_id, action, publisher_id, platform_id, before,
    after, request_id, caller_ip_address, created_at)
  SELECT new_audit_id(), c.kind, c.id, $1, $2, $3, $4,
    coalesce($5, (SELECT p.platform_id FROM publishers p WHERE p.id = $4)), $6, $7, c."requestId", c.ip, clock_timestamp()
  FROM jsonb_to_record(nullif(current_setting('lanyap.caller', true), '')::jsonb)
    AS c(kind text, id text, "requestId" text, ip text)
  WHERE c.kind IS NOT NULL
$$;--> statement-breakpoint
-- Records a change of a row: TG_ARGV has the kind, columns that nobody is told of, and columns of which only that they changed.
CREATE FUNCTION audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}'::jsonb ELSE to_jsonb(OLD) END;
  becomes jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}'::jsonb ELSE to_jsonb(NEW) END;
  either jsonb := was || becomes;
  skipped text[] := string_to_array(TG_ARGV[1], ' ');
  hidden text[] := string_to_array(TG_ARGV[2], ' ');
  told_was jsonb;
  told_becomes jsonb;
  publisher text := either ->> 'publisher_id';
  platform text := either ->> 'platform_id';
BEGIN
  SELECT
    jsonb_object_agg(told.name, CASE WHEN told.is_hidden THEN '"hidden"' ELSE was -> told.key END)
      FILTER (WHERE jsonb_typeof(was -> told.key) <> 'null' OR TG_OP = 'UPDATE'),
    jsonb_object_agg(told.name, CASE WHEN told.is_hidden THEN '"hidden"' ELSE becomes -> told.key END)
      FILTER (WHERE jsonb_typeof(becomes -> told.key) <> 'null' OR TG_OP = 'UPDATE')
  INTO told_was, told_becomes
  FROM (
    SELECT k.key, k.key = ANY (hidden) AS is_hidden, (
      SELECT string_agg(CASE WHEN n = 1 THEN part ELSE initcap(part) END, '' ORDER BY n)
      FROM unnest(string_to_array(replace(k.key, '_hash', ''), '_')) WITH ORDINALITY AS parts(part, n)) AS name
    FROM jsonb_object_keys(either) AS k(key)
    WHERE k.key <> ALL (skipped) AND was -> k.key IS DISTINCT FROM becomes -> k.key
  ) told;
  IF told_was IS NULL AND told_becomes IS NULL THEN RETURN NULL; END IF;
  CASE TG_ARGV[0]
    WHEN 'platform' THEN platform := either ->> 'id';
    WHEN 'publisher' THEN publisher := either ->> 'id';
    WHEN 'placement' THEN publisher := (SELECT s.publisher_id FROM sites s WHERE s.id = either ->> 'site_id');
    WHEN 'offer' THEN platform := (SELECT a.platform_id FROM advertisers a WHERE a.id = either ->> 'advertiser_id');
    ELSE NULL;
  END CASE;
  PERFORM note_audit(TG_ARGV[0], coalesce(either ->> 'id', either ->> 'key'), CASE TG_OP
    WHEN 'INSERT' THEN 'create' WHEN 'DELETE' THEN 'delete' ELSE 'update' END, publisher, platform, told_was, told_becomes);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER platforms_audit AFTER INSERT OR UPDATE OR DELETE ON platforms FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('platform', 'id created_at updated_at', '');--> statement-breakpoint
CREATE TRIGGER platform_tokens_audit AFTER INSERT OR UPDATE OR DELETE ON platform_tokens FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('platformToken', 'id hash', '');--> statement-breakpoint
CREATE TRIGGER publishers_audit AFTER INSERT OR UPDATE OR DELETE ON publishers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('publisher', 'id created_at updated_at', 'contact_name contact_email contact_phone');--> statement-breakpoint
CREATE TRIGGER api_tokens_audit AFTER INSERT OR UPDATE OR DELETE ON api_tokens FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('token', 'id hash bearer_ciphertext created_at last_used_on', '');--> statement-breakpoint
CREATE TRIGGER public_keys_audit AFTER INSERT OR UPDATE OR DELETE ON public_keys FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('publicKey', 'created_at', '');--> statement-breakpoint
CREATE TRIGGER sites_audit AFTER INSERT OR UPDATE OR DELETE ON sites FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('site', 'id created_at updated_at facts_changed_at', '');--> statement-breakpoint
CREATE TRIGGER placements_audit AFTER INSERT OR UPDATE OR DELETE ON placements FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('placement', 'id created_at updated_at', '');--> statement-breakpoint
CREATE TRIGGER advertisers_audit AFTER INSERT OR UPDATE OR DELETE ON advertisers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('advertiser', 'id serial conversion_secret_ciphertext created_at updated_at changed_at',
    'conversion_secret_hash');--> statement-breakpoint
CREATE TRIGGER offers_audit AFTER INSERT OR UPDATE OR DELETE ON offers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('offer', 'id serial revision ecpm_micros capped_through taper created_at updated_at changed_at', '');
