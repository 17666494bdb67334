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
END $$;--> statement-breakpoint
-- The network's rates are one row, and whoever has it keeps all others waiting that change what an offer shows. So a statement takes
-- it once, when all its offers are written: an import no longer has it from its first row on.
CREATE OR REPLACE FUNCTION number_offer_creative() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.creative := OLD.creative + 1;
  RETURN NEW;
END $$;--> statement-breakpoint
DROP TRIGGER offers_pricing ON offers;--> statement-breakpoint
DROP FUNCTION forget_offer_bound();--> statement-breakpoint
-- What was seen of an earlier creative weighs no more than ten clicks for the next, or the impressions in which its advertiser's
-- offers have as many. What an offer may earn is about what it shows, and what it is paid for.
CREATE FUNCTION forget_changed_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM fresh f JOIN stale s ON s.serial = f.serial
    WHERE f.creative <> s.creative OR f.pricing <> s.pricing) THEN RETURN null; END IF;
  PERFORM FROM rate_network FOR NO KEY UPDATE;
  WITH before AS MATERIALIZED (
    SELECT k.*, f.advertiser_id, CASE WHEN f.creative = s.creative THEN 1 ELSE least(1, 10 * power(2::float8,
        ((now() AT TIME ZONE 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)
      / nullif(greatest(k.clicks, k.exposure * k.advertiser_click_rate), 0)) END AS share
    FROM rate_network n, fresh f JOIN stale s ON s.serial = f.serial JOIN rate_offers k ON k.offer_id = f.id
    WHERE f.creative <> s.creative OR f.pricing <> s.pricing FOR UPDATE OF k
  ), kept AS (
    UPDATE rate_offers r SET clicks = b.clicks * b.share, exposure = b.exposure * b.share,
      conversions = b.conversions * b.share, clicked = b.clicked * b.share, bound_rate = NULL
    FROM before b WHERE r.offer_id = b.offer_id
  )
  UPDATE rate_advertisers r SET clicks = r.clicks - b.clicks, exposure = r.exposure - b.exposure,
    conversions = r.conversions - b.conversions, clicked = r.clicked - b.clicked
  FROM (
    SELECT advertiser_id, sum(clicks * (1 - share)) AS clicks, sum(exposure * (1 - share)) AS exposure,
      sum(conversions * (1 - share)) AS conversions, sum(clicked * (1 - share)) AS clicked
    FROM before WHERE share < 1 GROUP BY advertiser_id
  ) b WHERE r.advertiser_id = b.advertiser_id;
  RETURN null;
END $$;--> statement-breakpoint
-- By its name it comes before offers_updated, which ranks offers by what is left.
CREATE TRIGGER offers_forgotten AFTER UPDATE ON offers REFERENCING OLD TABLE AS stale NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION forget_changed_offers();
