CREATE TABLE "former_publishers" (
	"id" text PRIMARY KEY NOT NULL,
	"platform_id" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "former_publishers_platform_idx" ON "former_publishers" USING btree ("platform_id");--> statement-breakpoint
CREATE FUNCTION remember_publisher() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_publishers (id, platform_id) VALUES (OLD.id, OLD.platform_id) ON CONFLICT DO NOTHING;
  RETURN null;
END $$;--> statement-breakpoint
CREATE TRIGGER publishers_remembered AFTER DELETE ON publishers FOR EACH ROW EXECUTE FUNCTION remember_publisher();--> statement-breakpoint
-- Of those that were deleted before, the audit tells.
INSERT INTO former_publishers (id, platform_id)
SELECT resource_id, platform_id FROM audit_log
WHERE resource_kind = 'publisher' AND action = 'delete' AND platform_id IS NOT NULL
ON CONFLICT DO NOTHING;
