import app from "./app.ts";
import { settingsOf } from "./env.ts";
import { consumeEvents } from "./events/consume.ts";
import { keepDeadLetters, replayDeadLetters } from "./events/dead-letters.ts";
import { learn } from "./events/learning/learn.ts";
import { pace } from "./events/pace.ts";
import { settleConversions } from "./events/settle-conversions.ts";
import { consumeZones, resendZones } from "./events/partner-zones.ts";
import { purgeOldRows, removeDeleted } from "./events/removing.ts";
import { underLease, type Duty } from "./core/calls/lease.ts";
import { noteFailure } from "./core/log.ts";
import { drainOutbox } from "./documents/publish.ts";

export { RateLimiter } from "./http/credentials/rate-limit.ts";
export { DocumentWriter } from "./documents/writer.ts";

/** Names the consumer of each queue of `wrangler.toml`. */
const CONSUMERS: Record<string, (batch: MessageBatch, env: Env) => Promise<void>> = {
  "lanyap-events": consumeEvents,
  "lanyap-events-dead": keepDeadLetters,
  "lanyap-partner-zones": consumeZones,
};

/**
 * Lists what the cron does each minute. Two runs of a duty hardly ever overlap, which would do no harm, and its failure
 * does not affect the others. All duties share the subrequests of one invocation, which the platform limits to 1,000:
 * each has its part, and two more for its lease.
 */
const DUTIES: Record<string, { duty: Duty; subrequests: number }> = {
  "publishing the outbox": { duty: drainOutbox, subrequests: 400 },
  "replaying dead letters": { duty: replayDeadLetters, subrequests: 240 },
  "removing what was deleted": { duty: removeDeleted, subrequests: 100 },
  "purging old rows": { duty: purgeOldRows, subrequests: 30 },
  learning: { duty: learn, subrequests: 100 },
  "sending partner zones again": { duty: resendZones, subrequests: 20 },
  "settling conversions": { duty: settleConversions, subrequests: 48 },
  "pacing offers": { duty: pace, subrequests: 38 },
};

/** Fails a queue batch or cron run that cannot work with the present settings; the log says why. */
const requireSettings = (env: Env, what: string): void => {
  try {
    settingsOf(env);
  } catch (error) {
    noteFailure(what)(error);
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
      Object.entries(DUTIES).map(([name, { duty, subrequests }]) =>
        underLease(name, duty, subrequests)(env).catch(noteFailure(name)),
      ),
    );
  },
} satisfies ExportedHandler<Env>;
