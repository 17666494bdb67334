import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { connect, type Db } from "../../../../db/core/client.ts";
import { isKey } from "../../../../db/core/secrets/secrets.ts";
import { findAdvertiser, findPixelAdvertiser } from "../../../../db/tracking/conversions/find.ts";
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
    "A valid conversion secret is required; send it as Authorization: Bearer <secret>. A pixel reports with pixelKey=<pixel key> in its URL",
  );

/** Lists what only a report has: a URL with one of them is a report, also with an empty one. */
const OF_REPORTS = ["clickId", "amount", "currency"];

/** Tells whether a `GET` reports a conversion. */
export const isReport = (c: Context): boolean => OF_REPORTS.some((name) => c.req.query(name) !== undefined);

/** Finds an advertiser by a text that may be its conversion secret. */
const findBySecret = async (db: Db, text: string | null | undefined): Promise<string | null> =>
  text && isKey("conversion", text) ? findAdvertiser(db, text) : null;

/**
 * Finds whose request this is. A server sends its secret as a bearer. A page's image and a postback have no headers of
 * their own, so a report by GET may have a pixel key in its URL, which tells nothing of the secret. Pixels that are older
 * than pixel keys have the secret there.
 */
const findCaller = async (c: Context, db: Db): Promise<string | null> => {
  const bearer = bearerOf(c);
  if (bearer !== undefined || c.req.method === "POST" || !isReport(c)) return findBySecret(db, bearer);
  const pixelKey = c.req.query("pixelKey");
  if (pixelKey) return isKey("pixel", pixelKey) ? findPixelAdvertiser(db, pixelKey) : null;
  return isPixel(c) ? findBySecret(db, c.req.query("secret")) : null;
};

/**
 * Admits an advertiser by its conversion secret or pixel key, before anything else of the request is read. Leaves whose
 * it is as `advertiserId`, and a handle on the database as `db`.
 */
export const admitAdvertiser = createMiddleware<ConversionEnv>(async (c, next) => {
  const db = connect(settingsOf(c.env).DATABASE_URL);
  const advertiserId = await findCaller(c, db);
  if (advertiserId === null) throw unauthorized();
  c.set("advertiserId", advertiserId);
  c.set("db", db);
  await next();
});
