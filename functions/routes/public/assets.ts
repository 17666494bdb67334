import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../../http/factory.ts";
import { baseUrl } from "../../http/base-url.ts";
import { ApiError } from "../../http/errors.ts";

/**
 * Lets changes of files with a stable name reach shops within five minutes at most: a script from before a deployment
 * would ask for texts that are gone.
 */
export const SHORT = "public, max-age=300";

/** Keeps what seldom changes for a day, and for another week while a new copy is fetched. */
export const LONG = "public, max-age=86400, stale-while-revalidate=604800";

const NO_FRAMES = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns a file that the storefront's build made, as it was built. */
export const assetOf = (c: Context<AppEnv>, file: string, request?: Request): Promise<Response> =>
  c.env.ASSETS.fetch(new Request(new URL(file, c.req.url), request));

/** Serves a file that the storefront's build made, with the route's own headers. */
export const serve = async (c: Context<AppEnv>, file: string, headers: Record<string, string>): Promise<Response> => {
  const asset = await assetOf(c, file, c.req.raw);
  if (asset.status === 404) throw new ApiError("NOT_FOUND", "There is nothing at this path");
  // The answer is made through the context, which adds what middleware has set.
  return c.newResponse(asset.body, {
    status: asset.status as StatusCode,
    headers: { ...Object.fromEntries(asset.headers), "x-content-type-options": "nosniff", ...lowerCase(headers) },
  });
};

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Keeps what never changes under its name. */
export const FOREVER = "public, max-age=31536000, immutable";

/** Serves one of the service's own pages that shows offers, and loads nothing else except pictures of offers. */
export const page = (c: Context<AppEnv>, file: string, cached = SHORT): Promise<Response> => {
  const own = `'self' ${new URL(baseUrl(c)).origin}`;
  return serve(c, file, {
    "Cache-Control": cached,
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${own}; img-src ${own} https:; ${NO_FRAMES}`,
  });
};
