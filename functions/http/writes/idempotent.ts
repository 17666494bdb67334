import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { peersOf, type Actor } from "../../../db/accounts/actor.ts";
import { hashSecret } from "../../../db/core/secrets/secrets.ts";
import type { Writing } from "../../../db/core/writing/writing.ts";
import { invalidInput } from "../errors.ts";
import type { AppEnv } from "../factory.ts";

/** Returns the key of a request, if it has one. A malformed one is refused. */
const keyOf = ({ req }: Pick<Context, "req">): string | undefined => {
  const name = req.header("idempotency-key");
  if (name !== undefined && !/^[!-~]{1,255}$/.test(name)) {
    throw invalidInput(["Idempotency-Key: must be 1 to 255 visible ASCII characters"]);
  }
  return name;
};

const remembering = (isOnce: boolean) =>
  createMiddleware<AppEnv & { Variables: { actor: Actor; writing: Writing } }>(async (c, next) => {
    const name = keyOf(c);
    if (name === undefined) return next();
    const { actor, writing } = c.var;
    // A dry run does nothing that could be done twice.
    if (writing.isDry) return next();
    const { pathname, search } = new URL(c.req.url);
    const fingerprint = await hashSecret(`${c.req.method} ${pathname}${search}\n${await c.req.text()}`);
    writing.key = { principal: peersOf(actor), name, fingerprint, isOnce };
    await next();
    // An answer that can no longer be decrypted is refused, and so is not a replay of the first.
    if (writing.answer !== undefined && !c.error) c.header("Idempotent-Replayed", "true");
  });

/** Refuses a malformed `Idempotency-Key` before anything is looked up: for routes that look something up before `idempotent`. */
export const idempotencyKey = createMiddleware<AppEnv>((c, next) => {
  keyOf(c);
  return next();
});

/**
 * Makes a request create something only once, and get the same answer, however often it comes with the same
 * `Idempotency-Key`. It comes last before the handler: callers without access, and invalid requests, are refused in any
 * case.
 */
export const idempotent = remembering(false);

/** Makes a change happen once under an `Idempotency-Key` if its answer shows a secret, which is never shown again. */
export const idempotentOnce = remembering(true);
