import { connect } from "../../db/client.ts";
import { recordHits, type Hit } from "../../db/events.ts";
import { describeError } from "../log.ts";
import type { Message } from "./messages.ts";

/**
 * Accepts a hit: into the queue, else straight into the database, else into the log, whole. Never fails, because a
 * customer waits for the answer.
 */
export const track = async (env: Env, hit: Hit): Promise<void> => {
  try {
    await env.EVENTS.send({ type: "hit", hit } satisfies Message, { contentType: "json" });
  } catch (refusal) {
    console.warn(`the queue refused an event: ${describeError(refusal)}`);
    try {
      await recordHits(connect(env.DATABASE_URL), [hit]);
    } catch (error) {
      console.error(`an event is only in this log: ${JSON.stringify(hit)}: ${describeError(error)}`);
    }
  }
};
