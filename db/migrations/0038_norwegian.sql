-- Keeps offers for Bokmål and Nynorsk as offers for Norwegian, which requests in either are matched by from now on.
UPDATE offers o SET languages = (
  SELECT array_agg(kept.code ORDER BY kept.place) FROM (
    SELECT CASE WHEN l.code IN ('nb', 'nn') THEN 'no' ELSE l.code END AS code, min(l.place) AS place
    FROM unnest(o.languages) WITH ORDINALITY l (code, place) GROUP BY 1) kept)
WHERE o.languages && ARRAY['nb', 'nn'];--> statement-breakpoint
-- A forecast asks last week's requests which offers they are for.
UPDATE request_facts SET language = 'no' WHERE language IN ('nb', 'nn') AND hour > now() - interval '8 days';
