import { connect } from "../../../db/core/client.ts";
import { pingDatabase } from "../../../db/core/health.ts";
import { factory } from "../../http/factory.ts";
import { noStore } from "../../http/no-store.ts";
import { describeError } from "../../core/log.ts";

/** How long a deep check waits for Postgres. */
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

/** `GET /health`: the Worker is up. With `deep=1` it also asks Postgres and KV, and answers 503 when one fails. */
export const health = factory.createApp().get("/", noStore, async (c) => {
  if (c.req.query("deep") !== "1") return c.json({ status: "ok" });
  const checks = await Promise.all([
    check("postgres", async () => pingDatabase(await connect(c.env.DATABASE_URL, LIMIT_MS))),
    check("kv", () => c.env.DOCUMENTS.get("health")),
  ]);
  const healthy = checks.every(([, state]) => state === "ok");
  return c.json({ status: healthy ? "ok" : "failed", checks: Object.fromEntries(checks) }, healthy ? 200 : 503);
});
