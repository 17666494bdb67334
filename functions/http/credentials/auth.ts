import { createMiddleware } from "hono/factory";
import type { Actor } from "../../../db/accounts/actor.ts";
import { connect } from "../../../db/core/client.ts";
import { isKey } from "../../../db/core/secrets.ts";
import { findPlatformActor, findPublisherActor } from "../../../db/accounts/tokens.ts";
import type { AppEnv } from "../factory.ts";
import { bearerOf } from "./bearer.ts";
import { ApiError } from "../errors.ts";

type Kind = Actor["kind"];

/** Who may call an endpoint, in one word. */
const ACCESS = {
  platform: ["platform"],
  publisher: ["publisher"],
  admin: ["admin"],
  /** Platforms for their own, the administrator for all. */
  operator: ["platform", "admin"],
  /** Publishers for themselves, platforms for their own, the administrator for all. */
  anyone: ["publisher", "platform", "admin"],
} as const satisfies Record<string, readonly Kind[]>;

type Access = keyof typeof ACCESS;
type Allowed<A extends Access> = Extract<Actor, { kind: (typeof ACCESS)[A][number] }>;

const encoder = new TextEncoder();

/** Compares two texts in a time that tells nothing of either; hashing makes their lengths equal. */
const equal = async (a: string, b: string): Promise<boolean> => {
  const [left, right] = await Promise.all([a, b].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))));
  return left !== undefined && right !== undefined && crypto.subtle.timingSafeEqual(left, right);
};

/** Whom a bearer stands for. A key of a kind that may not call the endpoint is refused without a query. */
const identify = async (env: Env, bearer: string, kinds: readonly Kind[]): Promise<Actor | null> => {
  if (isKey("private", bearer)) {
    return kinds.includes("publisher") ? findPublisherActor(await connect(env.DATABASE_URL), bearer) : null;
  }
  if (isKey("platform", bearer)) {
    return kinds.includes("platform") ? findPlatformActor(await connect(env.DATABASE_URL), bearer) : null;
  }
  return kinds.includes("admin") && (await equal(bearer, env.ADMIN_TOKEN)) ? { kind: "admin" } : null;
};

/** The contract answers the platform's own endpoints with another code and shape. */
const refusal = (access: Access): ApiError =>
  access === "platform"
    ? new ApiError("INVALID_TOKEN", "The platform token is missing or invalid")
    : new ApiError("UNAUTHORIZED", "A valid credential for this endpoint is required");

/** Admits the callers that an endpoint is for, and leaves the caller as `actor`. */
export const allow = <A extends Access>(access: A) =>
  createMiddleware<AppEnv & { Variables: { actor: Allowed<A> } }>(async (c, next) => {
    const bearer = bearerOf(c);
    const actor = bearer ? await identify(c.env, bearer, ACCESS[access]) : null;
    if (!actor) throw refusal(access);
    c.set("actor", actor as Allowed<A>);
    await next();
  });
