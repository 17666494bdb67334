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

/**
 * Says whose secret or pixel key was presented. Everybody may know a pixel key, so those who have nothing else learn
 * nothing.
 */
export type Reporter = { advertiserId: string; hasPixelKey: boolean };

/** Describes what handlers of conversions can use: who reports, and a handle on the database. */
export type ConversionEnv = AppEnv & { Variables: Reporter & { db: Db } };

const unauthorized = () =>
  new ApiError(
    "UNAUTHORIZED",
    "A valid conversion secret is required; send it as Authorization: Bearer <secret>. A pixel reports with pixelKey=<pixel key> in its URL",
  );

/** Lists the parameters that only reports have: a URL with one of them, even an empty one, is a report. */
const OF_REPORTS = ["clickId", "amount", "currency"];

/** Tells whether a `GET` reports a conversion. */
export const isReport = (c: Context): boolean => OF_REPORTS.some((name) => c.req.query(name) !== undefined);

const reporterOf = (advertiserId: string | null, hasPixelKey: boolean): Reporter | null =>
  advertiserId === null ? null : { advertiserId, hasPixelKey };

/** Finds an advertiser by a text that may be its conversion secret. */
const findBySecret = async (db: Db, text: string | null | undefined): Promise<Reporter | null> =>
  text && isKey("conversion", text) ? reporterOf(await findAdvertiser(db, text), false) : null;

/**
 * Finds whose request this is. A server sends its secret as a bearer token. A page's image or a postback cannot set
 * headers, so a report by GET may have a pixel key in its URL, which does not reveal the secret. Pixels from before
 * pixel keys existed have the secret there.
 */
const findReporter = async (c: Context, db: Db): Promise<Reporter | null> => {
  const bearer = bearerOf(c);
  if (bearer !== undefined || c.req.method === "POST" || !isReport(c)) return findBySecret(db, bearer);
  const pixelKey = c.req.query("pixelKey");
  if (pixelKey) return isKey("pixel", pixelKey) ? reporterOf(await findPixelAdvertiser(db, pixelKey), true) : null;
  return isPixel(c) ? findBySecret(db, c.req.query("secret")) : null;
};

/**
 * Admits an advertiser by its conversion secret or pixel key, before anything else of the request is read. Leaves who
 * reports, and a handle on the database as `db`.
 */
export const admitAdvertiser = createMiddleware<ConversionEnv>(async (c, next) => {
  const db = connect(settingsOf(c.env).DATABASE_URL);
  const reporter = await findReporter(c, db);
  if (reporter === null) throw unauthorized();
  c.set("advertiserId", reporter.advertiserId);
  c.set("hasPixelKey", reporter.hasPixelKey);
  c.set("db", db);
  await next();
});
