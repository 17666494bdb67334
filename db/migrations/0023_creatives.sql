CREATE TABLE "creative_counters" (
	"day" date NOT NULL,
	"placement_id" text NOT NULL,
	"offer_id" text NOT NULL,
	"advertiser_id" text NOT NULL,
	"country" text NOT NULL,
	"arm" text NOT NULL,
	"place" smallint NOT NULL,
	"creative" smallint NOT NULL,
	"site_id" text DEFAULT '' NOT NULL,
	"publisher_id" text DEFAULT '' NOT NULL,
	"impressions" bigint DEFAULT 0 NOT NULL,
	"viewables" bigint DEFAULT 0 NOT NULL,
	"clicks" bigint DEFAULT 0 NOT NULL,
	"closes" bigint DEFAULT 0 NOT NULL,
	"declines" bigint DEFAULT 0 NOT NULL,
	"endings" bigint DEFAULT 0 NOT NULL,
	"conversions" bigint DEFAULT 0 NOT NULL,
	"transactions" bigint DEFAULT 0 NOT NULL,
	"gross_micros" bigint DEFAULT 0 NOT NULL,
	"revenue_micros" numeric(40, 4) DEFAULT 0 NOT NULL,
	"learned_impressions" bigint DEFAULT 0 NOT NULL,
	"learned_clicks" bigint DEFAULT 0 NOT NULL,
	"learned_conversions" bigint DEFAULT 0 NOT NULL,
	"is_learned" boolean DEFAULT false NOT NULL,
	CONSTRAINT "creative_counters_key" PRIMARY KEY("day","placement_id","offer_id","advertiser_id","country","arm","place","creative")
);
--> statement-breakpoint
CREATE TABLE "offer_creatives" (
	"id" text PRIMARY KEY NOT NULL,
	"offer_id" text NOT NULL,
	"number" smallint DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"header" text NOT NULL,
	"description" text NOT NULL,
	"cta_text" text NOT NULL,
	"decline_button_text" text NOT NULL,
	"terms_url" text,
	"icon_url" text,
	"icon_width" integer,
	"icon_height" integer,
	"destination_url" text NOT NULL,
	"weight" smallint DEFAULT 100 NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offer_creatives_number_key" UNIQUE("offer_id","number"),
	CONSTRAINT "offer_creatives_status_check" CHECK ("offer_creatives"."status" = any (array['active', 'paused', 'archived']::text[])),
	CONSTRAINT "offer_creatives_number_check" CHECK ("offer_creatives"."number" between 2 and 100),
	CONSTRAINT "offer_creatives_weight_check" CHECK ("offer_creatives"."weight" between 0 and 100),
	CONSTRAINT "offer_creatives_icon_check" CHECK (num_nulls("offer_creatives"."icon_url", "offer_creatives"."icon_width", "offer_creatives"."icon_height") in (0, 3))
);
--> statement-breakpoint
CREATE TABLE "rate_creatives" (
	"offer_id" text NOT NULL,
	"number" smallint NOT NULL,
	"version" integer NOT NULL,
	"clicks" double precision DEFAULT 0 NOT NULL,
	"exposure" double precision DEFAULT 0 NOT NULL,
	"conversions" double precision DEFAULT 0 NOT NULL,
	"clicked" double precision DEFAULT 0 NOT NULL,
	"share" double precision,
	"folded_on" date DEFAULT (now() at time zone 'UTC')::date NOT NULL,
	CONSTRAINT "rate_creatives_offer_id_number_pk" PRIMARY KEY("offer_id","number")
);
--> statement-breakpoint
ALTER TABLE "audit_log" DROP CONSTRAINT "audit_log_resource_kind_check";--> statement-breakpoint
ALTER TABLE "offer_revisions" ADD COLUMN "creative_destinations" jsonb;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "creative_split" text DEFAULT 'WEIGHTS' NOT NULL;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "creative_weight" smallint DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE "offers" ADD COLUMN "alternatives" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "creative" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "offer_creatives" ADD CONSTRAINT "offer_creatives_offer_id_offers_id_fk" FOREIGN KEY ("offer_id") REFERENCES "public"."offers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "creative_counters_unlearned_idx" ON "creative_counters" USING btree ("day") WHERE not "creative_counters"."is_learned";--> statement-breakpoint
CREATE INDEX "creative_counters_offer_idx" ON "creative_counters" USING btree ("offer_id","day");--> statement-breakpoint
CREATE INDEX "creative_counters_publisher_idx" ON "creative_counters" USING btree ("publisher_id","day");--> statement-breakpoint
CREATE INDEX "creative_counters_advertiser_idx" ON "creative_counters" USING btree ("advertiser_id","day");--> statement-breakpoint
CREATE INDEX "rate_creatives_age_idx" ON "rate_creatives" USING btree ("folded_on");--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_creative_split_check" CHECK ("offers"."creative_split" = any (array['WEIGHTS', 'LEARNED']::text[]));--> statement-breakpoint
ALTER TABLE "offers" ADD CONSTRAINT "offers_creative_weight_check" CHECK ("offers"."creative_weight" between 0 and 100);--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_resource_kind_check" CHECK ("audit_log"."resource_kind" = any (array['platform', 'platformToken', 'publisher', 'token', 'publicKey', 'site', 'placement', 'advertiser', 'offer', 'creative']::text[]));--> statement-breakpoint
-- Numbers the creatives of an offer, counts the versions of each, and keeps an offer from having more than four. Locks the
-- offer, so that two at once count each other.
CREATE FUNCTION number_creative() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM offers WHERE id = NEW.offer_id FOR NO KEY UPDATE;
  IF TG_OP = 'INSERT' THEN
    NEW.number := 1 + coalesce((SELECT max(number) FROM offer_creatives WHERE offer_id = NEW.offer_id), 1);
  ELSIF (OLD.title, OLD.header, OLD.description, OLD.cta_text, OLD.icon_url, OLD.destination_url)
    IS DISTINCT FROM (NEW.title, NEW.header, NEW.description, NEW.cta_text, NEW.icon_url, NEW.destination_url)
  THEN
    NEW.version := OLD.version + 1;
  END IF;
  IF NEW.status <> 'archived' AND 3 <= (
    SELECT count(*) FROM offer_creatives WHERE offer_id = NEW.offer_id AND status <> 'archived' AND id <> NEW.id)
  THEN
    RAISE EXCEPTION 'an offer has at most four creatives'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'offer_creatives_room_check';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER offer_creatives_number BEFORE INSERT OR UPDATE ON offer_creatives FOR EACH ROW
EXECUTE FUNCTION number_creative();--> statement-breakpoint
-- Keeps what an offer knows of its creatives. One that stops or leads elsewhere makes a new revision; where a new one leads
-- is added to the revision that is there, of which nobody has seen it yet.
CREATE FUNCTION follow_creative() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_other boolean := false;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    is_other := NEW.destination_url <> OLD.destination_url OR (OLD.status = 'active' AND NEW.status <> 'active');
  ELSE
    UPDATE offer_revisions r
    SET creative_destinations = coalesce(r.creative_destinations, '{}') || jsonb_build_object(NEW.number::text, NEW.destination_url)
    FROM offers o WHERE o.id = NEW.offer_id AND r.offer_id = o.id AND r.revision = o.revision;
  END IF;
  UPDATE offers o SET revision = o.revision + is_other::integer, alternatives = (
    SELECT count(*) FROM offer_creatives c WHERE c.offer_id = o.id AND c.status = 'active' AND c.weight > 0)
  WHERE o.id = NEW.offer_id;
  RETURN null;
END $$;--> statement-breakpoint
CREATE TRIGGER offer_creatives_follow AFTER INSERT OR UPDATE ON offer_creatives FOR EACH ROW
EXECUTE FUNCTION follow_creative();--> statement-breakpoint
-- Candidates that were built before a creative stopped, or led elsewhere, must not serve its offer. Comes behind
-- offers_changed and before offers_priced: until then only a creative has moved the revision.
CREATE FUNCTION note_creative_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := greatest(clock_timestamp(), OLD.changed_at + interval '1 millisecond');
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_creatives_changed BEFORE UPDATE ON offers FOR EACH ROW WHEN (NEW.revision <> OLD.revision)
EXECUTE FUNCTION note_creative_change();--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_offer_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offer_revisions (offer_id, revision, advertiser_id, pricing, bid_micros, publisher_share_bps, destination_url,
    creative_destinations)
  VALUES (NEW.id, NEW.revision, NEW.advertiser_id, NEW.pricing, NEW.bid_micros, NEW.publisher_share_bps, NEW.destination_url,
    (SELECT jsonb_object_agg(c.number, c.destination_url) FROM offer_creatives c WHERE c.offer_id = NEW.id));
  RETURN null;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
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
    WHEN 'creative' THEN platform := (SELECT a.platform_id FROM offers o JOIN advertisers a ON a.id = o.advertiser_id
      WHERE o.id = either ->> 'offer_id');
    ELSE NULL;
  END CASE;
  PERFORM note_audit(TG_ARGV[0], coalesce(either ->> 'id', either ->> 'key'), CASE TG_OP
    WHEN 'INSERT' THEN 'create' WHEN 'DELETE' THEN 'delete' ELSE 'update' END, publisher, platform, told_was, told_becomes);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER offer_creatives_audit AFTER INSERT OR UPDATE ON offer_creatives FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('creative', 'id number version created_at updated_at', '');--> statement-breakpoint
DROP TRIGGER offers_audit ON offers;--> statement-breakpoint
CREATE TRIGGER offers_audit AFTER INSERT OR UPDATE OR DELETE ON offers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('offer',
    'id serial revision creative alternatives ecpm_micros capped_through taper created_at updated_at changed_at', '');
