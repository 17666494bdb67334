import app from "./app.ts";
import { consumeEvents, keepDeadLetters, replayDeadLetters } from "./events/consume.ts";
import { consumeZones, resendZones } from "./events/partner-zones.ts";
import { underLease, type Duty } from "./core/lease.ts";
import { describeError } from "./core/log.ts";
import { drainOutbox } from "./documents/publish.ts";

export { RateLimiter } from "./http/credentials/rate-limit.ts";
export { DocumentWriter } from "./documents/publish.ts";

/** Who consumes which queue of `wrangler.toml`. */
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
};

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    const consume = CONSUMERS[batch.queue];
    if (!consume) throw new Error(`nobody consumes ${batch.queue}`);
    await consume(batch, env);
  },

  async scheduled(_controller, env) {
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
