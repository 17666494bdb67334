ALTER TABLE "publishers" ADD COLUMN "holdout_percent" smallint DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "publishers" ADD COLUMN "holdout_changed_on" date[] DEFAULT '{}'::date[] NOT NULL;--> statement-breakpoint
ALTER TABLE "publishers" ADD CONSTRAINT "publishers_holdout_check" CHECK ("publishers"."holdout_percent" between 0 and 50);--> statement-breakpoint
CREATE OR REPLACE TRIGGER publishers_audit AFTER INSERT OR UPDATE OR DELETE ON publishers FOR EACH ROW
  WHEN (coalesce(current_setting('lanyap.caller', true), '') <> '')
  EXECUTE FUNCTION audit_row('publisher', 'id created_at updated_at holdout_changed_on', 'contact_name contact_email contact_phone');
