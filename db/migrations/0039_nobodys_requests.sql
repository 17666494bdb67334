-- Leaves rejected messages that tell of several publishers' requests to the administrator: they showed one the others' counts.
UPDATE tracking_rejects SET publisher_id = NULL, platform_id = NULL
WHERE publisher_id IS NOT NULL AND body LIKE '%"flush":%' AND body NOT LIKE '%"hit":%';
