DROP INDEX "offers_stopped_idx";--> statement-breakpoint
DROP INDEX "offers_capped_idx";--> statement-breakpoint
DROP INDEX "advertisers_changed_idx";--> statement-breakpoint
DROP INDEX "offers_changed_idx";--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "facts_changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "advertisers_changed_idx" ON "advertisers" USING btree ("changed_at") WHERE "advertisers"."changed_at" > "advertisers"."created_at";--> statement-breakpoint
CREATE INDEX "offers_changed_idx" ON "offers" USING btree ("changed_at") WHERE "offers"."changed_at" > "offers"."created_at";--> statement-breakpoint
-- Sets the time of a change that must withhold an offer from candidates built before it. The time of the commit is not
-- known yet; each change's is later than the one before it, so that none is taken for another.
CREATE FUNCTION note_offer_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.advertiser_id, NEW.status, NEW.starts_at, NEW.ends_at, NEW.destination_url, NEW.countries, NEW.languages,
      NEW.currencies, NEW.amount_min, NEW.amount_max, NEW.payment_types, NEW.category_ids, NEW.age_demographics,
      NEW.gender_demographics, NEW.include_publishers, NEW.exclude_publishers, NEW.include_sites, NEW.exclude_sites)
    IS DISTINCT FROM (OLD.advertiser_id, OLD.status, OLD.starts_at, OLD.ends_at, OLD.destination_url, OLD.countries,
      OLD.languages, OLD.currencies, OLD.amount_min, OLD.amount_max, OLD.payment_types, OLD.category_ids,
      OLD.age_demographics, OLD.gender_demographics, OLD.include_publishers, OLD.exclude_publishers, OLD.include_sites,
      OLD.exclude_sites)
    OR NEW.capped_through > coalesce(OLD.capped_through, '-infinity')
  THEN
    NEW.changed_at := greatest(clock_timestamp(), OLD.changed_at + interval '1 millisecond');
  ELSE
    NEW.changed_at := OLD.changed_at;
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_changed BEFORE UPDATE ON offers FOR EACH ROW EXECUTE FUNCTION note_offer_change();
--> statement-breakpoint
CREATE FUNCTION note_advertiser_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_at := CASE WHEN (NEW.status, NEW.reach, NEW.platform_id) IS DISTINCT FROM (OLD.status, OLD.reach, OLD.platform_id)
    THEN greatest(clock_timestamp(), OLD.changed_at + interval '1 millisecond') ELSE OLD.changed_at END;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER advertisers_changed BEFORE UPDATE ON advertisers FOR EACH ROW EXECUTE FUNCTION note_advertiser_change();
--> statement-breakpoint
-- Sets the time of a change of what offers may ask of a site: its candidates are renewed when it differs from theirs.
CREATE FUNCTION note_site_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.facts_changed_at := greatest(clock_timestamp(), OLD.facts_changed_at + interval '1 millisecond');
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER sites_facts_changed BEFORE UPDATE ON sites FOR EACH ROW
WHEN ((NEW.category_id, NEW.age_demographics, NEW.gender_demographics)
  IS DISTINCT FROM (OLD.category_id, OLD.age_demographics, OLD.gender_demographics))
EXECUTE FUNCTION note_site_facts();
