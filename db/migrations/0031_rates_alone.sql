-- Who changes what is known of offers has the network's rates alone, as whoever adds to rates has. Two that share them, and then
-- take those of several advertisers each in an order of its own, could wait for each other; and sharers let no other in.
CREATE OR REPLACE FUNCTION number_offer_creative() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.creative := OLD.creative + 1;
  PERFORM FROM rate_network FOR NO KEY UPDATE;
  WITH before AS MATERIALIZED (
    SELECT k.*, least(1, 10 * power(2::float8,
        ((now() AT TIME ZONE 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)
      / nullif(greatest(k.clicks, k.exposure * k.advertiser_click_rate), 0)) AS share
    FROM rate_network n, rate_offers k WHERE k.offer_id = NEW.id FOR UPDATE OF k
  ), kept AS (
    UPDATE rate_offers r SET clicks = b.clicks * b.share, exposure = b.exposure * b.share,
      conversions = b.conversions * b.share, clicked = b.clicked * b.share, bound_rate = NULL
    FROM before b WHERE r.offer_id = b.offer_id AND b.share IS NOT NULL
  )
  UPDATE rate_advertisers r SET clicks = r.clicks - b.clicks * (1 - b.share), exposure = r.exposure - b.exposure * (1 - b.share),
    conversions = r.conversions - b.conversions * (1 - b.share), clicked = r.clicked - b.clicked * (1 - b.share)
  FROM before b WHERE r.advertiser_id = NEW.advertiser_id AND b.share IS NOT NULL;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION forget_offer_bound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM rate_network FOR NO KEY UPDATE;
  UPDATE rate_offers SET bound_rate = NULL WHERE offer_id = NEW.id;
  RETURN NEW;
END $$;
