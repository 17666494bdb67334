import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: [
    "./db/schema/accounts.ts",
    "./db/schema/inventory.ts",
    "./db/schema/demand.ts",
    "./db/schema/billing.ts",
    "./db/schema/creatives.ts",
    "./db/schema/ranks.ts",
    "./db/schema/audit.ts",
    "./db/schema/publishing.ts",
    "./db/schema/tracking.ts",
    "./db/schema/counters.ts",
    "./db/schema/learning.ts",
    "./db/schema/writing.ts",
    "./db/schema/pacing.ts",
  ],
  out: "./db/migrations",
});
