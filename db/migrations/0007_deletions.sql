CREATE TABLE "deletions" (
	"id" text PRIMARY KEY NOT NULL,
	"deleted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stepped_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_tokens" DROP CONSTRAINT "api_tokens_publisher_id_publishers_id_fk";
--> statement-breakpoint
ALTER TABLE "public_keys" DROP CONSTRAINT "public_keys_publisher_id_publishers_id_fk";
--> statement-breakpoint
ALTER TABLE "partner_zone_jobs" DROP CONSTRAINT "partner_zone_jobs_site_id_sites_id_fk";
--> statement-breakpoint
ALTER TABLE "placements" DROP CONSTRAINT "placements_site_id_sites_id_fk";
--> statement-breakpoint
ALTER TABLE "sites" DROP CONSTRAINT "sites_publisher_id_publishers_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_events" DROP CONSTRAINT "webhook_events_publisher_id_publishers_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_logs" DROP CONSTRAINT "webhook_logs_publisher_id_publishers_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_logs" DROP CONSTRAINT "webhook_logs_site_id_sites_id_fk";
--> statement-breakpoint
CREATE INDEX "deletions_stepped_idx" ON "deletions" USING btree ("stepped_at","id");--> statement-breakpoint
CREATE INDEX "events_linked_idx" ON "events" USING btree ("placement_id") WHERE "events"."session_hash" is not null or "events"."email_hash" is not null;--> statement-breakpoint
CREATE FUNCTION require_publisher() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM publishers p WHERE p.id = NEW.publisher_id FOR KEY SHARE;
  IF NOT found THEN
    RAISE foreign_key_violation USING MESSAGE = format('the publisher of a row of %s is gone', TG_TABLE_NAME);
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION require_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM publishers p JOIN sites s ON s.publisher_id = p.id WHERE s.id = NEW.site_id FOR KEY SHARE;
  IF NOT found THEN
    RAISE foreign_key_violation USING MESSAGE = format('the site of a row of %s is gone', TG_TABLE_NAME);
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER sites_of_publishers BEFORE INSERT OR UPDATE OF publisher_id ON sites
FOR EACH ROW EXECUTE FUNCTION require_publisher();--> statement-breakpoint
CREATE TRIGGER public_keys_of_publishers BEFORE INSERT OR UPDATE OF publisher_id ON public_keys
FOR EACH ROW EXECUTE FUNCTION require_publisher();--> statement-breakpoint
CREATE TRIGGER api_tokens_of_publishers BEFORE INSERT OR UPDATE OF publisher_id ON api_tokens
FOR EACH ROW EXECUTE FUNCTION require_publisher();--> statement-breakpoint
CREATE TRIGGER webhook_events_of_publishers BEFORE INSERT OR UPDATE OF publisher_id ON webhook_events
FOR EACH ROW EXECUTE FUNCTION require_publisher();--> statement-breakpoint
CREATE TRIGGER webhook_logs_of_sites BEFORE INSERT OR UPDATE OF site_id ON webhook_logs
FOR EACH ROW EXECUTE FUNCTION require_site();--> statement-breakpoint
CREATE TRIGGER placements_of_sites BEFORE INSERT OR UPDATE OF site_id ON placements
FOR EACH ROW EXECUTE FUNCTION require_site();--> statement-breakpoint
CREATE TRIGGER partner_zone_jobs_of_sites BEFORE INSERT OR UPDATE OF site_id ON partner_zone_jobs
FOR EACH ROW EXECUTE FUNCTION require_site();--> statement-breakpoint
CREATE FUNCTION has_below(above text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM sites WHERE publisher_id = above)
    OR EXISTS (SELECT FROM placements WHERE site_id = above)
    OR EXISTS (SELECT FROM webhook_logs WHERE site_id = above)
    OR EXISTS (SELECT FROM partner_zone_jobs WHERE site_id = above)
    OR EXISTS (SELECT FROM public_keys WHERE publisher_id = above)
    OR EXISTS (SELECT FROM api_tokens WHERE publisher_id = above)
    OR EXISTS (SELECT FROM webhook_events WHERE publisher_id = above)
    OR EXISTS (SELECT FROM events WHERE placement_id = above AND (session_hash IS NOT NULL OR email_hash IS NOT NULL));
$$;--> statement-breakpoint
CREATE FUNCTION remember_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deletions (id) SELECT OLD.id WHERE has_below(OLD.id) ON CONFLICT DO NOTHING;
  RETURN null;
END $$;--> statement-breakpoint
CREATE TRIGGER publishers_deleted AFTER DELETE ON publishers FOR EACH ROW EXECUTE FUNCTION remember_deletion();--> statement-breakpoint
CREATE TRIGGER sites_deleted AFTER DELETE ON sites FOR EACH ROW EXECUTE FUNCTION remember_deletion();--> statement-breakpoint
CREATE TRIGGER placements_deleted AFTER DELETE ON placements FOR EACH ROW EXECUTE FUNCTION remember_deletion();
