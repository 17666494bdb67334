import app from "./app.ts";
import { consumeEvents, keepDeadLetters, replayDeadLetters } from "./events/consume.ts";
import { describeError } from "./log.ts";
import { drainOutbox } from "./serving/publish.ts";

export { RateLimiter } from "./http/rate-limit.ts";
export { DocumentWriter } from "./serving/publish.ts";

/** What the cron does each minute; one duty's failure leaves the others alone. */
const DUTIES = { "publishing the outbox": drainOutbox, "replaying dead letters": replayDeadLetters };

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    await (batch.queue.endsWith("-dead") ? keepDeadLetters(batch, env) : consumeEvents(batch, env));
  },

  async scheduled(_controller, env) {
    await Promise.all(
      Object.entries(DUTIES).map(([name, duty]) =>
        duty(env).catch((error: unknown) => {
          console.error(`${name} failed: ${describeError(error)}`);
        }),
      ),
    );
  },
} satisfies ExportedHandler<Env>;
