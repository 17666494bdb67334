-- A price by the click and one by the impression may be expected to earn the same, and rank apart all the same: what is known of
-- clicks bounds the one alone. So ranks follow how an offer is paid for, too.
CREATE OR REPLACE FUNCTION rank_updated_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refresh_offer_ranks(ARRAY(SELECT f.serial FROM fresh f JOIN stale s ON s.serial = f.serial
    WHERE (f.advertiser_id, f.status, f.starts_at, f.ends_at, f.priority, f.pricing, f.bid_micros, f.ecpm_micros,
        f.capped_through, f.pacing, f.countries, f.languages, f.currencies, f.amount_min, f.amount_max, f.payment_types,
        f.category_ids, f.age_demographics, f.gender_demographics, f.include_publishers, f.exclude_publishers,
        f.include_sites, f.exclude_sites)
      IS DISTINCT FROM (s.advertiser_id, s.status, s.starts_at, s.ends_at, s.priority, s.pricing, s.bid_micros,
        s.ecpm_micros, s.capped_through, s.pacing, s.countries, s.languages, s.currencies, s.amount_min, s.amount_max,
        s.payment_types, s.category_ids, s.age_demographics, s.gender_demographics, s.include_publishers,
        s.exclude_publishers, s.include_sites, s.exclude_sites)));
  RETURN null;
END $$;--> statement-breakpoint
-- A deletion may have waited for a change of the same offer: it is dated when it happens, behind that.
CREATE OR REPLACE FUNCTION remember_deleted_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM deleted_offers WHERE deleted_at < now() - interval '2 days';
  INSERT INTO deleted_offers (serial, deleted_at) SELECT serial, clock_timestamp() FROM gone ON CONFLICT DO NOTHING;
  RETURN null;
END $$;--> statement-breakpoint
SELECT refresh_offer_ranks(ARRAY(SELECT serial FROM offers WHERE pricing = 'CPM'));
