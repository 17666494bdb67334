import { isbot } from "isbot";
import { connect } from "../../db/core/client.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { NO_CUSTOMER, type Hit } from "../../db/tracking/hits.ts";
import { describeError } from "../core/log.ts";
import { within } from "../core/calls/within.ts";
import { publishCounted } from "../documents/publish.ts";
import type { Message } from "./messages.ts";

/** Limits how long a customer waits for the queue, and then for each answer of Postgres, in milliseconds. */
const LIMIT_MS = 3_000;

/** Holds the part of a request's context that accepting a hit needs. */
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil"> };

/**
 * Puts a hit into the queue; if that fails, straight into the database; if that fails, too, into the log, without its
 * customer. It never fails, because a customer waits for the answer.
 */
export const track = async (c: Context, hit: Hit): Promise<void> => {
  const { env } = c;
  try {
    const sent = env.EVENTS.send({ type: "hit", hit } satisfies Message, { contentType: "json" }).then(() => true);
    // If it arrives after all, its id keeps it from counting twice.
    if (!(await within(sent, LIMIT_MS))) throw new Error("no answer in time");
  } catch (refusal) {
    console.warn(`the queue refused an event: ${describeError(refusal)}`);
    try {
      publishCounted(c, await recordHits(connect(env.DATABASE_URL, LIMIT_MS), [hit]));
    } catch (error) {
      console.error(
        `an event is only in this log: ${JSON.stringify({ ...hit, ...NO_CUSTOMER })}: ${describeError(error)}`,
      );
    }
  }
};

/** Matches libraries with which native apps and shop servers call tracking URLs, and which isbot takes for bots. */
const HTTP_CLIENT =
  /^(?:aiohttp|apache-httpclient|axios|curl|dart|go-http-client|got|guzzlehttp|httpie|insomnia|java|k6|libcurl|node|node-fetch|okhttp|php|postmanruntime|python|python-httpx|python-requests|ruby|undici|wget)(?:[/\s(]|$)/i;

const isBot = (userAgent: string | undefined): boolean =>
  userAgent !== undefined && isbot(userAgent) && !HTTP_CLIENT.test(userAgent);

/** Returns why a hit is kept but not counted; null for one that counts. Crawlers and other bots do not count. */
export const reasonNotToCount = (isTest: boolean, isExpired: boolean, userAgent: string | undefined): Hit["reason"] => {
  if (isTest) return "test";
  if (isExpired) return "expired";
  return isBot(userAgent) ? "bot" : null;
};
