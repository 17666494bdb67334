CREATE TABLE "idempotency_keys" (
	"principal" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"answer" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_principal_key_pk" PRIMARY KEY("principal","key")
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_age_idx" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
-- Ends a transaction whose idempotency key is known, and tells what was answered from then: to who asks for the same alone.
CREATE FUNCTION meet_key(asker text, named text, asked text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known idempotency_keys;
BEGIN
  SELECT * INTO known FROM idempotency_keys k WHERE k.principal = asker AND k.key = named;
  IF FOUND THEN
    RAISE EXCEPTION 'the idempotency key is known' USING ERRCODE = 'LY409', DETAIL = json_build_object(
      'same', known.fingerprint = asked,
      'answer', CASE WHEN known.fingerprint = asked THEN known.answer END)::text;
  END IF;
END $$;--> statement-breakpoint
-- Takes an idempotency key for a transaction. A twin waits here until the first one ends, and then meets its key, or takes it
-- in its place.
CREATE FUNCTION claim_key(asker text, named text, asked text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    INSERT INTO idempotency_keys (principal, key, fingerprint) VALUES (asker, named, asked) ON CONFLICT DO NOTHING;
    EXIT WHEN FOUND;
    PERFORM meet_key(asker, named, asked);
  END LOOP;
END $$;
