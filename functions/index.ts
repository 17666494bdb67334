import app from "./app.ts";
import { settingsOf } from "./env.ts";
import { consumeEvents, keepDeadLetters, replayDeadLetters } from "./events/consume.ts";
import { settleConversions } from "./events/settle-conversions.ts";
import { consumeZones, resendZones } from "./events/partner-zones.ts";
import { underLease, type Duty } from "./core/lease.ts";
import { describeError } from "./core/log.ts";
import { drainOutbox } from "./documents/publish.ts";

export { RateLimiter } from "./http/credentials/rate-limit.ts";
export { DocumentWriter } from "./documents/writer.ts";

/** Names the consumer of each queue of `wrangler.toml`. */
const CONSUMERS: Record<string, (batch: MessageBatch, env: Env) => Promise<void>> = {
  "lanyap-events": consumeEvents,
  "lanyap-events-dead": keepDeadLetters,
  "lanyap-partner-zones": consumeZones,
};

/** Lists what the cron does each minute. No two runs of a duty overlap, and its failure leaves the others alone. */
const DUTIES: Record<string, Duty> = {
  "publishing the outbox": drainOutbox,
  "replaying dead letters": replayDeadLetters,
  "sending partner zones again": resendZones,
  "settling conversions": settleConversions,
};

/** Fails what cannot work with the settings there are; the log says why. */
const requireSettings = (env: Env, what: string): void => {
  try {
    settingsOf(env);
  } catch (error) {
    console.error(`${what} failed: ${describeError(error)}`);
    throw error;
  }
};

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    requireSettings(env, batch.queue);
    const consume = CONSUMERS[batch.queue];
    if (!consume) throw new Error(`nothing consumes the queue ${batch.queue}; name its consumer in functions/index.ts`);
    await consume(batch, env);
  },

  async scheduled(_controller, env) {
    requireSettings(env, "the cron");
    await Promise.all(
      Object.entries(DUTIES).map(([name, duty]) =>
        underLease(
          name,
          duty,
        )(env).catch((error: unknown) => {
          console.error(`${name} failed: ${describeError(error)}`);
        }),
      ),
    );
  },
} satisfies ExportedHandler<Env>;
