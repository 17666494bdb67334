import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { connect, type Db } from "../../../../db/core/client.ts";
import { isKey } from "../../../../db/core/secrets/secrets.ts";
import { findAdvertiser } from "../../../../db/tracking/conversions/find.ts";
import { settingsOf } from "../../../env.ts";
import { bearerOf } from "../../../http/credentials/auth.ts";
import { ApiError } from "../../../http/errors.ts";
import type { AppEnv } from "../../../http/factory.ts";
import { isPixel } from "../../../http/answers/pixel.ts";

/** Describes what handlers of conversions have at hand: whose secret was presented, and a handle on the database. */
export type ConversionEnv = AppEnv & { Variables: { advertiserId: string; db: Db } };

const unauthorized = () =>
  new ApiError(
    "UNAUTHORIZED",
    "A valid conversion secret is required; send it as Authorization: Bearer <secret>. Only pixels may send it as secret in the URL",
  );

/** Lists what only a report has: a URL with one of them is a report, also with an empty one. */
const OF_REPORTS = ["clickId", "amount", "currency"];

/** Tells whether a `GET` reports a conversion. */
export const isReport = (c: Context): boolean => OF_REPORTS.some((name) => c.req.query(name) !== undefined);

/**
 * Returns the secret, which comes as a bearer. A page's image has no headers of its own, so only a report by one may have
 * it in its URL, which others may log.
 */
const secretOf = (c: Context): string => {
  const bearer = bearerOf(c);
  const secret = bearer === undefined && isPixel(c) && isReport(c) ? c.req.query("secret") : bearer;
  if (!secret || !isKey("conversion", secret)) throw unauthorized();
  return secret;
};

/**
 * Admits an advertiser's server by its conversion secret, before anything else of the request is read. Leaves whose it is
 * as `advertiserId`, and a handle on the database as `db`.
 */
export const admitAdvertiser = createMiddleware<ConversionEnv>(async (c, next) => {
  const secret = secretOf(c);
  const db = connect(settingsOf(c.env).DATABASE_URL);
  const advertiserId = await findAdvertiser(db, secret);
  if (advertiserId === null) throw unauthorized();
  c.set("advertiserId", advertiserId);
  c.set("db", db);
  await next();
});
