-- Names a version of a row's own columns: what usage, counting, authentication and other rows move is left out.
CREATE FUNCTION tag_of(resource jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(md5((resource - '{revision,creative,alternatives,capped_through,taper,changed_at,facts_changed_at,last_used_on,bearer_ciphertext,conversion_secret_ciphertext}'::text[])::text), 16)
$$;--> statement-breakpoint
-- Ends a transaction that asked for other versions of its resource than the one that is there. The first row that is looked
-- at is the resource; what the transaction changes beyond that is not asked about.
CREATE FUNCTION require_match(tag text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted text := coalesce(current_setting('lanyap.if_match', true), '');
BEGIN
  IF wanted = '' THEN RETURN; END IF;
  IF tag <> ALL (string_to_array(wanted, ' ')) THEN
    RAISE EXCEPTION 'the resource has changed' USING ERRCODE = 'LY412', DETAIL = tag;
  END IF;
  PERFORM set_config('lanyap.if_match', '', true);
END $$;--> statement-breakpoint
CREATE FUNCTION require_row_match() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_match(tag_of(to_jsonb(OLD)));
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER publishers_match BEFORE UPDATE OR DELETE ON publishers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.if_match', true), '') <> '')
  EXECUTE FUNCTION require_row_match();--> statement-breakpoint

CREATE TRIGGER api_tokens_match BEFORE UPDATE OR DELETE ON api_tokens FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.if_match', true), '') <> '')
  EXECUTE FUNCTION require_row_match();--> statement-breakpoint

CREATE TRIGGER sites_match BEFORE UPDATE OR DELETE ON sites FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.if_match', true), '') <> '')
  EXECUTE FUNCTION require_row_match();--> statement-breakpoint

CREATE TRIGGER placements_match BEFORE UPDATE OR DELETE ON placements FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.if_match', true), '') <> '')
  EXECUTE FUNCTION require_row_match();--> statement-breakpoint

CREATE TRIGGER advertisers_match BEFORE UPDATE OR DELETE ON advertisers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.if_match', true), '') <> '')
  EXECUTE FUNCTION require_row_match();--> statement-breakpoint

CREATE TRIGGER offers_match BEFORE UPDATE OR DELETE ON offers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.if_match', true), '') <> '')
  EXECUTE FUNCTION require_row_match();--> statement-breakpoint

CREATE TRIGGER offer_creatives_match BEFORE UPDATE OR DELETE ON offer_creatives FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.if_match', true), '') <> '')
  EXECUTE FUNCTION require_row_match();