import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import type { Actor } from "../../db/accounts/actor.ts";
import type { ChangeRequest } from "../../db/accounts/publishers/switching.ts";
import type { Db } from "../../db/core/client.ts";
import type { Writing } from "../../db/core/writing/writing.ts";
import type { Changed } from "../../db/documents/outdate.ts";
import { announce } from "../documents/publish.ts";
import type { AppEnv } from "../http/factory.ts";
import { flag, longText, oneOf } from "../http/input/fields.ts";
import { pathId } from "../http/input/ids.ts";
import { jsonBody } from "../http/input/validate.ts";
import { tagged } from "../http/writes/tags.ts";

type Body<Change> = { out: { json: Change & { reason?: string | undefined } } };

const reason = () => longText(0).optional();

/** Notes the reason for a switch, for the audit of what it changes. It comes after the check of the body. */
const noteReason = createMiddleware<AppEnv & { Variables: { writing: Writing } }, string, Body<object>>(
  async (c, next) => {
    c.var.writing.caller.reason = c.req.valid("json").reason;
    await next();
  },
);

/**
 * Checks the body of a status change, and notes its reason for the audit.
 *
 * @param readOnly members of the resource that may be sent back as they were read, and are ignored
 * @param owner checks the member that names the owner, which may be sent unchanged
 */
export const statusBody = <const Statuses extends readonly [string, ...string[]]>(
  statuses: Statuses,
  readOnly: readonly string[] = [],
  owner?: () => z.ZodRawShape,
) =>
  [
    ...jsonBody(() => z.object({ status: oneOf(statuses), reason: reason(), ...owner?.() }), {
      enumerated: { field: "status", expectedType: statuses.join(" | ") },
      readOnly,
    }),
    noteReason,
  ] as const;

/** Checks the body of an ads switch, and notes its reason for the audit. */
export const adsBody = () =>
  [
    ...jsonBody(() => z.object({ adsEnabled: flag(), reason: reason() }), {
      enumerated: { field: "adsEnabled", expectedType: "boolean" },
    }),
    noteReason,
  ] as const;

type Vars<A> = { actor: A; db: Db; writing: Writing };

/**
 * Makes the handler of a lifecycle switch, which sets what the body says, publishes it and answers with the new state.
 *
 * @param resource what is switched, by the id in the path
 * @param set the mutation, which throws `NotFoundError` for an unknown id
 */
export const switching =
  <A extends Actor, Change extends object, State extends { status: string; adsEnabled?: boolean; tag: string }>(
    resource: Parameters<typeof pathId>[0],
    set: (db: Db, request: ChangeRequest<A, Change>) => Promise<Changed<State>>,
  ) =>
  async (c: Context<AppEnv & { Variables: Vars<A> }, "/:id/status" | "/:id/ads", Body<Change>>) => {
    const { reason: why, ...change } = c.req.valid("json");
    const { actor, db } = c.var;
    const id = pathId(resource, c.req.param("id"));
    const callerIpAddress = c.req.header("cf-connecting-ip") ?? null;
    const changed = await set(db, { actor, id, change: change as object as Change, callerIpAddress, reason: why });
    const value = announce(c, changed);
    const done =
      "adsEnabled" in change ? `ads ${value.adsEnabled ? "enabled" : "disabled"}` : `status updated to ${value.status}`;
    return c.json({ success: true, data: tagged(c, value), message: `${resource} ${done}` });
  };
