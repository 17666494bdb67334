import { describeError } from "../core/log.ts";
import { ingest } from "./ingest.ts";

const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 900;

/** Returns the delay until a message that was delivered so often is delivered again. */
const delayAfter = (attempts: number) => ({
  delaySeconds: Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LAST_RETRY_SECONDS),
});

/**
 * Consumes the events queue: the whole batch is stored, or all of it is delivered again later. Hits of offers that
 * somebody has locked are delivered again on their own.
 */
export const consumeEvents = async (batch: MessageBatch, env: Env): Promise<void> => {
  try {
    const held = new Set((await ingest(env, batch.messages)).held);
    if (held.size === 0) return batch.ackAll();
    console.warn(`${held.size} events come again, since their offers are locked`);
    for (const message of batch.messages) {
      if (held.has(message.id)) message.retry(delayAfter(message.attempts));
      else message.ack();
    }
  } catch (error) {
    const delay = delayAfter(Math.min(...batch.messages.map((message) => message.attempts)));
    console.error(`${batch.messages.length} events come again in ${delay.delaySeconds} s: ${describeError(error)}`);
    batch.retryAll(delay);
  }
};
