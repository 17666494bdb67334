-- Rejected messages of a deleted publisher are below it: they name its customers.
CREATE OR REPLACE FUNCTION has_below(above text) RETURNS boolean LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT EXISTS (SELECT FROM sites WHERE publisher_id = above)
    OR EXISTS (SELECT FROM placements WHERE site_id = above)
    OR EXISTS (SELECT FROM webhook_logs WHERE site_id = above)
    OR EXISTS (SELECT FROM partner_zone_jobs WHERE site_id = above)
    OR EXISTS (SELECT FROM public_keys WHERE publisher_id = above)
    OR EXISTS (SELECT FROM api_tokens WHERE publisher_id = above)
    OR EXISTS (SELECT FROM webhook_events WHERE publisher_id = above)
    OR EXISTS (SELECT FROM tracking_rejects WHERE publisher_id = above)
    OR EXISTS (SELECT FROM events WHERE placement_id = above AND (session_hash IS NOT NULL OR email_hash IS NOT NULL));
$$;
