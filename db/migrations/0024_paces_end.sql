-- Keeps a row for each offer of pacing EVEN, which is on while the offer may serve now or later. What an offer had before it
-- was stopped tells nothing of the time since.
CREATE FUNCTION is_paced_now(offer offers) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT offer.status = 'active' AND coalesce(offer.ends_at > now(), true) AND offer.capped_through IS DISTINCT FROM 'infinity'
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION pace_inserted_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offer_paces (serial, is_on)
  SELECT f.serial, is_paced_now(f) FROM fresh f WHERE f.pacing = 'EVEN' ORDER BY f.serial;
  RETURN null;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION pace_updated_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM offer_paces p USING fresh f, stale s
  WHERE f.serial = s.serial AND p.serial = f.serial AND f.pacing <> 'EVEN' AND s.pacing = 'EVEN';
  INSERT INTO offer_paces AS p (serial, is_on)
  SELECT f.serial, is_paced_now(f) FROM fresh f JOIN stale s ON s.serial = f.serial
  WHERE f.pacing = 'EVEN' AND (f.pacing, f.status, f.ends_at, f.capped_through)
    IS DISTINCT FROM (s.pacing, s.status, s.ends_at, s.capped_through) ORDER BY f.serial
  ON CONFLICT (serial) DO UPDATE SET is_on = excluded.is_on, paced_at = null WHERE p.is_on <> excluded.is_on;
  RETURN null;
END $$;
