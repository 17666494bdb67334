-- Who counts on an offer shares a lock of that offer alone, and who gives it its first cap has it alone, so that nobody waits for
-- a cap of others. A version that knows of the one lock for all offers neither misses who counts here, nor is missed: this tries both.
-- Mostly both have been taken before, by db/demand/caps/caps.ts. It never waits, since it has no order.
CREATE OR REPLACE FUNCTION hold_first_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('caps', 0)) OR NOT pg_try_advisory_xact_lock(hashtext('caps'), NEW.serial) THEN
    RAISE EXCEPTION 'hits are being counted without this cap' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NEW;
END $$;
