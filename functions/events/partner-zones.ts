import { connect } from "../../db/core/client.ts";
import type { Writing } from "../../db/core/writing/writing.ts";
import {
  findPendingZone,
  recordZoneAttempt,
  takeForgottenZones,
  type NewZone,
  type ZoneOutcome,
  type ZoneSite,
} from "../../db/inventory/partner-zones.ts";
import type { Duty } from "../core/calls/lease.ts";
import { describeError } from "../core/log.ts";
import { settingsOf } from "../env.ts";

const TIMEOUT_MS = 10_000;
const MAX_ATTEMPTS = 10;
const FIRST_RETRY_SECONDS = 10;
const LAST_RETRY_SECONDS = 3_600;

/** Sets when a job's message counts as lost: after more than the longest pause between two attempts. */
const FORGOTTEN_AFTER_MINUTES = 120;
/** Limits how many of them are sent together, to as many as the queue delivers at once. */
const FORGOTTEN_LIMIT = 100;

type ZoneMessage = { siteId: string };

const zoneMessage = (siteId: string) => ({
  body: { siteId } satisfies ZoneMessage,
  contentType: "json" as const,
});

/** Returns the first status of a new site's job: it is pending if a partner is set. */
export const newZone = (env: Env): NewZone => (settingsOf(env).PARTNER_ZONE_URL ? "pending" : "skipped");

/** Hands a new site over to the queue. If the message is lost here, the cron sends it again. */
const handOver = async (env: Env, siteId: string): Promise<void> => {
  try {
    await env.PARTNER_ZONES.sendBatch([zoneMessage(siteId)]);
  } catch (error) {
    console.warn(`a partner zone could not be asked for, and is tried later: ${describeError(error)}`);
  }
};

/** Holds the part of a request's context that asking for a zone needs. */
type Context = { env: Env; executionCtx: Pick<ExecutionContext, "waitUntil">; var: { writing: Writing } };

/**
 * Asks for the zone of a site that was just created, behind the answer; not in a dry run.
 *
 * @param siteId null where no site was created
 * @param zone how its zone was recorded
 */
export const requestZone = (c: Context, siteId: string | null, zone: NewZone | undefined): void => {
  if (siteId === null || zone !== "pending" || c.var.writing.isDry) return;
  c.executionCtx.waitUntil(handOver(c.env, siteId));
};

/** Tells whether an answer says that the request itself is wrong, so that repeating it cannot help. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 429;

const zoneIdOf = (answer: unknown): string | null => {
  if (typeof answer !== "object" || answer === null) return null;
  const id = "zoneId" in answer ? answer.zoneId : "id" in answer ? answer.id : null;
  return typeof id === "number" ? String(id) : typeof id === "string" && id !== "" ? id : null;
};

/**
 * Asks the partner's ad server for a zone: POST of the site as JSON, with its id as the idempotency key; the answer
 * names the zone as `zoneId` or `id`.
 */
const askForZone = async (url: string, site: ZoneSite): Promise<ZoneOutcome> => {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": site.siteId },
      body: JSON.stringify(site),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return { error: `the partner answered ${response.status}`, final: isFinal(response.status) };
    const zoneId = zoneIdOf(await response.json());
    return zoneId === null ? { error: "the partner's answer names no zone", final: true } : { zoneId };
  } catch (error) {
    const name = error instanceof Error ? error.name : "unknown";
    return { error: `no answer of the partner could be read: ${name}`, final: false };
  }
};

const consumeZone = async (message: Message, env: Env): Promise<void> => {
  const db = connect(env.DATABASE_URL);
  const site = await findPendingZone(db, (message.body as ZoneMessage).siteId);
  if (!site) return message.ack();
  const outcome = await askForZone(settingsOf(env).PARTNER_ZONE_URL, site);
  const last = message.attempts >= MAX_ATTEMPTS;
  await recordZoneAttempt(db, site.siteId, "error" in outcome && last ? { ...outcome, final: true } : outcome);
  if ("zoneId" in outcome || outcome.final || last) return message.ack();
  return message.retry({ delaySeconds: retryDelay(message.attempts) });
};

const retryDelay = (attempts: number): number =>
  Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LAST_RETRY_SECONDS);

/** Consumes the partner zone queue, each job by itself. */
export const consumeZones = async (batch: MessageBatch, env: Env): Promise<void> => {
  for (const message of batch.messages) {
    try {
      await consumeZone(message, env);
    } catch (error) {
      console.error(`a partner zone is tried again: ${describeError(error)}`);
      message.retry({ delaySeconds: retryDelay(message.attempts) });
    }
  }
};

/** Sends jobs again whose messages were lost on the way. */
export const resendZones: Duty = async (env, reserve) => {
  if (!settingsOf(env).PARTNER_ZONE_URL) return;
  const db = connect(env.DATABASE_URL);
  for (let sent = FORGOTTEN_LIMIT; sent === FORGOTTEN_LIMIT && reserve(2);) {
    const sites = await takeForgottenZones(db, FORGOTTEN_AFTER_MINUTES, FORGOTTEN_LIMIT);
    if (sites.length > 0) await env.PARTNER_ZONES.sendBatch(sites.map(zoneMessage));
    sent = sites.length;
  }
};
