-- Whether a cap is an offer's first is certain only once the offer is locked: a change right before may have taken the last one
-- away. Whoever counts at that moment knows of no cap. Then the change fails with nothing done, and is asked to come again. The
-- lock is that of db/demand/caps/caps.ts, which mostly has been taken before.
CREATE FUNCTION hold_first_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('caps', 0)) THEN
    RAISE EXCEPTION 'hits are being counted without this cap' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER offers_first_cap BEFORE UPDATE ON offers FOR EACH ROW
WHEN (OLD.daily_cap IS NULL AND OLD.lifetime_cap IS NULL AND (NEW.daily_cap IS NOT NULL OR NEW.lifetime_cap IS NOT NULL))
EXECUTE FUNCTION hold_first_cap();
