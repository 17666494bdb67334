ALTER TABLE "rate_cells" ADD COLUMN "anywhere" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
-- What was seen before counts as it was seen: by how much its place differs is not known any more.
UPDATE "rate_cells" SET "anywhere" = "exposure";
