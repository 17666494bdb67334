import { describeError } from "../core/log.ts";
import { ingest } from "./ingest.ts";

const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 900;

/** Consumes the events queue: the whole batch is stored, or all of it comes again later. */
export const consumeEvents = async (batch: MessageBatch, env: Env): Promise<void> => {
  try {
    await ingest(env, batch.messages);
    batch.ackAll();
  } catch (error) {
    const attempts = Math.min(...batch.messages.map((message) => message.attempts));
    const delaySeconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LAST_RETRY_SECONDS);
    console.error(`${batch.messages.length} events come again in ${delaySeconds} s: ${describeError(error)}`);
    batch.retryAll({ delaySeconds });
  }
};
