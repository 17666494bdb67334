import { connect } from "../../../db/core/client.ts";
import { readPublishing } from "../../../db/publishing/health.ts";
import { noteFailure } from "../../core/log.ts";
import { sharedAnswer } from "../../core/calls/shared-answer.ts";
import { within } from "../../core/calls/within.ts";
import { settingProblems } from "../../env.ts";
import { countDeadLetters } from "../../events/dead-letters.ts";
import { factory } from "../../http/factory.ts";
import { noStore } from "../../http/headers.ts";
import { unsafeHere } from "../../http/safe-settings.ts";

/** Limits how long a deep check waits for Postgres, and for KV. */
const LIMIT_MS = 3_000;

/** Sets how long an isolate's answer to a deep check is used again. */
const STANDS_MS = 5_000;

/** Limits how long a request waits for another one's answer: longer than all checks together may take. */
const SHARED_LIMIT_MS = 10_000;

/** Returns the result of a check; null, with a line in the log, when it fails or does not come in time. */
const check = async <T extends object>(name: string, ask: () => Promise<T>): Promise<T | null> => {
  try {
    const answer = await within(ask(), LIMIT_MS);
    if (answer === null) throw new Error(`no answer within ${LIMIT_MS} ms`);
    return answer;
  } catch (error) {
    noteFailure(`health check of ${name}`)(error);
    return null;
  }
};

const stateOf = (answer: object | null): "ok" | "failed" => (answer === null ? "failed" : "ok");

const lookDeeper = async (env: Env) => {
  const [publishing, kept] = await Promise.all([
    check("postgres", async () => readPublishing(connect(env.DATABASE_URL, LIMIT_MS))),
    check("kv", async () => {
      const [letters] = await Promise.all([countDeadLetters(env), env.DOCUMENTS.get("health")]);
      return { letters };
    }),
  ]);
  return {
    status: publishing && kept ? ("ok" as const) : ("failed" as const),
    checks: { postgres: stateOf(publishing), kv: stateOf(kept) },
    outboxAgeSeconds: publishing?.outboxAgeSeconds ?? null,
    deadLetters: kept?.letters ?? null,
    cronLastRunAt: publishing?.cronLastRunAt ?? null,
  };
};

const deepHealth = sharedAnswer<Awaited<ReturnType<typeof lookDeeper>>>(STANDS_MS, SHARED_LIMIT_MS);

/**
 * Answers `GET /health`: 200 when the Worker is up, 503 with the names of its settings that are wrong or unsafe. With
 * `deep=1` it also asks Postgres and KV, once in five seconds, and answers 503 when one fails.
 */
export const health = factory.createApp().get("/", noStore, async (c) => {
  const wrong = settingProblems(c.env);
  const settings = (wrong.length > 0 ? wrong : unsafeHere(c)).map(({ name }) => name);
  if (settings.length > 0) return c.json({ status: "failed" as const, settings }, 503);
  if (c.req.query("deep") !== "1") return c.json({ status: "ok" as const });
  const found = await deepHealth(c.executionCtx, () => lookDeeper(c.env));
  return c.json(found, found.status === "ok" ? 200 : 503);
});
