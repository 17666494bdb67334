import { connect } from "../../../db/core/client.ts";
import { pingDatabase } from "../../../db/core/health.ts";
import { describeError } from "../../core/log.ts";
import { settingProblems } from "../../env.ts";
import { factory } from "../../http/factory.ts";
import { noStore } from "../../http/headers.ts";
import { unsafeHere } from "../../http/safe-settings.ts";

/** Limits how long a deep check waits for Postgres. */
const LIMIT_MS = 3_000;

const check = async (name: string, ask: () => Promise<unknown>): Promise<[string, "ok" | "failed"]> => {
  try {
    await ask();
    return [name, "ok"];
  } catch (error) {
    console.error(`health check of ${name}: ${describeError(error)}`);
    return [name, "failed"];
  }
};

/**
 * Answers `GET /health`: 200 when the Worker is up, 503 with the names of its settings that are wrong or unsafe. With `deep=1` it
 * also asks Postgres and KV, and answers 503 when one fails.
 */
export const health = factory.createApp().get("/", noStore, async (c) => {
  const wrong = settingProblems(c.env);
  const settings = (wrong.length > 0 ? wrong : unsafeHere(c)).map(({ name }) => name);
  if (settings.length > 0) return c.json({ status: "failed", settings }, 503);
  if (c.req.query("deep") !== "1") return c.json({ status: "ok" });
  const checks = await Promise.all([
    check("postgres", async () => pingDatabase(await connect(c.env.DATABASE_URL, LIMIT_MS))),
    check("kv", () => c.env.DOCUMENTS.get("health")),
  ]);
  const healthy = checks.every(([, state]) => state === "ok");
  return c.json({ status: healthy ? "ok" : "failed", checks: Object.fromEntries(checks) }, healthy ? 200 : 503);
});
