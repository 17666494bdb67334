import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { idOfActor, type Actor } from "../../../db/accounts/actor.ts";
import { connect, type Db } from "../../../db/core/client.ts";
import type { Caller, Writing } from "../../../db/core/writing/writing.ts";
import { isKey } from "../../../db/core/secrets/secrets.ts";
import { requireReach } from "../../../db/accounts/reach.ts";
import { findPlatformActor, findPublisherActor } from "../../../db/accounts/credentials/credentials.ts";
import { settingsOf, type Settings } from "../../env.ts";
import type { AppEnv } from "../factory.ts";
import { declaring } from "../declared.ts";
import { ApiError } from "../errors.ts";
import { pathId } from "../input/ids.ts";
import { otherWrites, takeCall, type Budget } from "./rate-limit.ts";
import { refuseStray } from "../input/validate.ts";

type Kind = Actor["kind"];

/** Names the groups of callers that endpoints admit. */
export const ACCESS = {
  platform: ["platform"],
  publisher: ["publisher"],
  admin: ["admin"],
  /** Admits platforms for what is their own, and the administrator for everything. */
  manager: ["platform", "admin"],
  /** Admits a publisher for itself, a platform for its publishers, and the administrator for everything. */
  owner: ["publisher", "platform", "admin"],
} as const satisfies Record<string, readonly Kind[]>;

export type Access = keyof typeof ACCESS;
type Allowed<A extends Access> = Extract<Actor, { kind: (typeof ACCESS)[A][number] }>;

/**
 * Reads the credential of the `Authorization` header. It may contain spaces, since the administrator's may be any text.
 *
 * @returns undefined without the header, null when it has another form than `Bearer <token>`
 */
export const bearerOf = (c: Context): string | null | undefined => {
  const header = c.req.header("authorization");
  if (header === undefined) return undefined;
  return /^Bearer +(\S.*)$/i.exec(header)?.[1] ?? null;
};

const encoder = new TextEncoder();

/** Compares two texts in a time that reveals nothing about either. Hashing makes their lengths equal. */
const equal = async (a: string, b: string): Promise<boolean> => {
  const [left, right] = await Promise.all([a, b].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))));
  return left !== undefined && right !== undefined && crypto.subtle.timingSafeEqual(left, right);
};

/** Finds whose bearer token it is. A key of a kind that may not call the endpoint is refused without a query. */
const identify = async (db: Db, adminToken: string, bearer: string, kinds: readonly Kind[]): Promise<Actor | null> => {
  if (isKey("private", bearer)) return kinds.includes("publisher") ? findPublisherActor(db, bearer) : null;
  if (isKey("platform", bearer)) return kinds.includes("platform") ? findPlatformActor(db, bearer) : null;
  return kinds.includes("admin") && (await equal(bearer, adminToken)) ? { kind: "admin" } : null;
};

const HOLDERS: Record<Kind, string> = { publisher: "a publisher", platform: "a platform", admin: "the administrator" };

/** Makes the refusal of a caller. Endpoints only for platforms have their own code and shape (API.md, "Errors"). */
const refusal = (access: Access): ApiError =>
  access === "platform"
    ? new ApiError(
        "INVALID_TOKEN",
        "The platform token is missing or invalid; send it as Authorization: Bearer <token>",
      )
    : new ApiError(
        "UNAUTHORIZED",
        `This endpoint needs a valid token of ${ACCESS[access].map((kind) => HOLDERS[kind]).join(" or ")}; send it as Authorization: Bearer <token>`,
      );

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses a write with a read-only token before it is counted, so that it uses up nothing of the rate limit. */
const checkAccess = (actor: Actor): void => {
  if (actor.kind === "publisher" && actor.access === "READ") {
    throw new ApiError("FORBIDDEN", "This token may only read, with GET; call with a token whose access is WRITE");
  }
};

/** Returns the caller as the audit of its changes names it. */
const callerOf = (actor: Actor, requestId: string, ip: string | undefined): Caller => ({
  kind: actor.kind,
  id: idOfActor(actor),
  requestId,
  ip: ip ?? null,
});

/**
 * Admits the callers that an endpoint is for, if they send only what the endpoint takes, and lets them write no more
 * often than their budget allows. Leaves the caller as `actor`, a handle on the database as `db`, and for a change, as
 * `writing`, how that handle writes.
 */
export const allow = <A extends Access>(
  access: A,
  budgetOf: (actor: Allowed<A>, settings: Settings) => Budget = otherWrites,
) =>
  declaring(
    { part: "access", access },
    createMiddleware<AppEnv & { Variables: { actor: Allowed<A>; db: Db; writing: Writing } }>(async (c, next) => {
      const bearer = bearerOf(c);
      if (!bearer) throw refusal(access);
      const settings = settingsOf(c.env);
      const { DATABASE_URL } = settings;
      const db = connect(DATABASE_URL);
      const actor = (await identify(db, settings.ADMIN_TOKEN, bearer, ACCESS[access])) as Allowed<A> | null;
      if (!actor) throw refusal(access);
      c.set("actor", actor);
      if (READING.has(c.req.method)) c.set("db", db);
      else {
        checkAccess(actor);
        await takeCall(c, budgetOf(actor, settings));
        const writing = { caller: callerOf(actor, c.get("requestId"), c.req.header("cf-connecting-ip")) };
        c.set("writing", writing);
        c.set("db", connect(DATABASE_URL, undefined, writing));
      }
      await refuseStray(c);
      await next();
    }),
  );

/**
 * Admits callers that may reach the publisher that the path names by `:id`, and leaves its id as `publisherId`. It
 * comes after what checks the rest of a request, so that a bad request is refused before anything is looked up.
 */
export const reachPublisher = createMiddleware<AppEnv & { Variables: { actor: Actor; db: Db; publisherId: string } }>(
  async (c, next) => {
    const id = pathId("Publisher", c.req.param("id") ?? "");
    await requireReach(c.var.db, c.var.actor, id);
    c.set("publisherId", id);
    await next();
  },
);
