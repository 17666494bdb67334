-- Statistics of a few large publishers would make a scan of whole tables look cheap.
ALTER FUNCTION has_below(text) SET enable_seqscan = off;
