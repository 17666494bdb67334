-- Who counts on an offer shares a lock of that offer alone, and who gives it its first cap has it alone, so that nobody waits for
-- a cap of others. A version that knows of the one lock for all offers neither misses who counts here, nor is missed: this tries both.
-- Mostly both have been taken before, by db/demand/caps/caps.ts. It never waits, since it has no order.
CREATE OR REPLACE FUNCTION hold_first_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('caps', 0)) OR NOT pg_try_advisory_xact_lock(hashtext('caps'), NEW.serial) THEN
    RAISE EXCEPTION 'hits are being counted without this cap' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
-- An offer that is deleted at the same time gets no ranks: they would point at nothing, and end the change of its advertiser.
CREATE OR REPLACE FUNCTION refresh_offer_ranks(serials integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(serials) = 0 THEN RETURN; END IF;
  PERFORM FROM advertisers a
  WHERE a.id IN (SELECT o.advertiser_id FROM offers o WHERE o.serial = ANY (serials)) ORDER BY a.id FOR SHARE;
  PERFORM FROM offers o WHERE o.serial = ANY (serials) ORDER BY o.id FOR KEY SHARE;
  DELETE FROM offer_ranks r WHERE r.serial = ANY (serials);
  DELETE FROM offer_exclusions x WHERE x.serial = ANY (serials);
  INSERT INTO offer_ranks (lane, serial, advertiser, rank, is_open, is_paced, gate, opens_at, ends_at, countries, categories,
    age_demographics, gender_demographics, languages, currencies, payment_types, amount_min, amount_max, platform_id,
    publishers, has_exclusions)
  WITH masked AS MATERIALIZED (
    SELECT o.*, a.serial AS advertiser, rate.bound_rate, CASE WHEN a.reach = 'PLATFORM' THEN a.platform_id END AS platform_id,
      targeting_mask('countries', o.countries) AS country_mask,
      targeting_mask('categories', o.category_ids) AS category_mask,
      targeting_mask('ageDemographics', o.age_demographics) AS age_mask,
      targeting_mask('genderDemographics', o.gender_demographics) AS gender_mask,
      targeting_mask('languages', o.languages) AS language_mask,
      targeting_mask('currencies', o.currencies) AS currency_mask,
      targeting_mask('paymentTypes', o.payment_types) AS payment_mask,
      o.languages = '{}' AND o.currencies = '{}' AND o.payment_types = '{}'
        AND o.amount_min IS NULL AND o.amount_max IS NULL AND o.pacing <> 'EVEN' AS is_open
    FROM offers o JOIN advertisers a ON a.id = o.advertiser_id AND a.status = 'active'
      LEFT JOIN rate_offers rate ON rate.offer_id = o.id
    WHERE o.serial = ANY (serials) AND o.status = 'active' AND o.capped_through IS DISTINCT FROM 'infinity'
      AND (o.ends_at IS NULL OR o.ends_at > now())
  )
  SELECT lane.target, m.serial, m.advertiser, offer_rank(m.priority, m.ecpm_micros, m.bid_micros, CASE WHEN m.pricing <> 'CPM' THEN m.bound_rate END), m.is_open,
    m.pacing = 'EVEN', CASE WHEN m.is_open THEN 0 ELSE hashtextextended(concat_ws('/', coalesce(m.language_mask::text, ''),
      coalesce(m.currency_mask::text, ''), coalesce(m.payment_mask::text, ''), coalesce(m.amount_min::text, ''),
      coalesce(m.amount_max::text, ''), nullif(m.pacing, 'ASAP')), 0) END,
    greatest(m.starts_at, (m.capped_through + 1)::timestamp AT TIME ZONE 'UTC'), m.ends_at, m.country_mask,
    m.category_mask, m.age_mask, m.gender_mask, m.language_mask, m.currency_mask, m.payment_mask, m.amount_min,
    m.amount_max, m.platform_id,
    CASE WHEN m.include_sites <> '{}' AND m.include_publishers <> '{}' THEN m.include_publishers END,
    m.exclude_sites <> '{}' OR m.exclude_publishers <> '{}'
  FROM masked m CROSS JOIN LATERAL (
    SELECT DISTINCT target FROM unnest(CASE
      WHEN m.include_sites <> '{}' THEN m.include_sites
      WHEN m.include_publishers <> '{}' THEN m.include_publishers
      ELSE ARRAY[coalesce(m.platform_id, '')] END) target) lane;
  INSERT INTO offer_exclusions (target, serial)
  SELECT DISTINCT target, o.serial FROM offers o CROSS JOIN LATERAL unnest(o.exclude_sites || o.exclude_publishers) target
  WHERE o.serial = ANY (serials);
END $$;
