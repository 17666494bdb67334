import { describeError } from "../core/log.ts";
import { ingest } from "./ingest.ts";
import { readBody, writeBody } from "./messages.ts";

const FIRST_RETRY_SECONDS = 5;
const LAST_RETRY_SECONDS = 900;

/** Limits how many dead letters are replayed together; KV reads as many at once. */
const REPLAY_LIMIT = 100;

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

/** Consumes the dead-letter queue: keeps each message until the cron has replayed it. */
export const keepDeadLetters = async (batch: MessageBatch, env: Env): Promise<void> => {
  for (const message of batch.messages) {
    await env.DEAD_LETTERS.put(message.id, writeBody(message.body));
    message.ack();
  }
};

/** Stores dead letters as if they had just arrived; what fails, or cannot be read yet, stays for the next run. */
export const replayDeadLetters = async (env: Env): Promise<void> => {
  const { keys } = await env.DEAD_LETTERS.list({ limit: REPLAY_LIMIT });
  if (keys.length === 0) return;
  const texts = await env.DEAD_LETTERS.get(
    keys.map((key) => key.name),
    { type: "text" },
  );
  const deliveries = [...texts].flatMap(([id, text]) => (text === null ? [] : [{ id, body: readBody(text) }]));
  await ingest(env, deliveries);
  await Promise.all(deliveries.map(({ id }) => env.DEAD_LETTERS.delete(id)));
};

/**
 * Takes a customer's hash out of the dead letters, so that a replay cannot bring it back.
 *
 * @returns how many held it
 */
export const forgetInDeadLetters = async (env: Env, hash: string): Promise<number> => {
  let forgotten = 0;
  for (let cursor: string | null = null, done = false; !done;) {
    const page: KVNamespaceListResult<unknown> = await env.DEAD_LETTERS.list({ limit: REPLAY_LIMIT, cursor });
    const names = page.keys.map((key) => key.name);
    const texts = names.length > 0 ? await env.DEAD_LETTERS.get(names, { type: "text" }) : new Map<string, null>();
    for (const [name, text] of texts) {
      if (!text?.includes(hash)) continue;
      await env.DEAD_LETTERS.put(name, text.replaceAll(`"${hash}"`, "null"));
      forgotten += 1;
    }
    done = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
  return forgotten;
};
