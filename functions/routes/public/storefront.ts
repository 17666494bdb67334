import type { Context } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import { factory, type AppEnv } from "../../http/factory.ts";
import { baseUrl } from "../../http/base-url.ts";
import { ApiError } from "../../http/errors.ts";
import { documentKeys, readDocuments } from "../../documents/read.ts";

/** Lets a change of what has a stable name reach shops within five minutes. */
const SHORT = "public, max-age=300, stale-while-revalidate=86400";

/** Keeps what seldom changes for a day, and a week more while a new copy is fetched. */
const LONG = "public, max-age=86400, stale-while-revalidate=604800";

const FOREVER = "public, max-age=31536000, immutable";

const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };
const NO_FRAMES = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const assetOf = (c: Context<AppEnv>, file: string, request?: Request): Promise<Response> =>
  c.env.ASSETS.fetch(new Request(new URL(file, c.req.url), request));

/** Serves a file that the storefront's build made, under headers of the route's own. */
const serve = async (c: Context<AppEnv>, file: string, headers: Record<string, string>): Promise<Response> => {
  const asset = await assetOf(c, file, c.req.raw);
  if (asset.status === 404) throw new ApiError("NOT_FOUND", "There is nothing at this path");
  // Through the context, which adds what middleware has set.
  return c.newResponse(asset.body, {
    status: asset.status as StatusCode,
    headers: { ...Object.fromEntries(asset.headers), "x-content-type-options": "nosniff", ...lowerCase(headers) },
  });
};

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Serves a page of the service's own that shows offers, and loads nothing else but pictures of offers. */
const page = (c: Context<AppEnv>, file: string): Promise<Response> => {
  const own = `'self' ${new URL(baseUrl(c)).origin}`;
  return serve(c, file, {
    "Cache-Control": SHORT,
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${own}; img-src ${own} https:; ${NO_FRAMES}`,
  });
};

/** Serves what browsers load: the storefront script, its pages, and the pictures that offers refer to. */
export const storefront = factory
  .createApp()
  .get("/:file{embed\\.js(?:on)?}", (c) =>
    serve(c, `/${c.req.param("file")}`, { ...ANY_ORIGIN, "Cache-Control": SHORT }),
  )
  .get("/:file{embed\\.[0-9a-f]{16}\\.js}", (c) =>
    serve(c, `/${c.req.param("file")}`, { ...ANY_ORIGIN, "Cache-Control": FOREVER }),
  )
  .get("/icons/:file{[a-z0-9-]+\\.svg}", (c) =>
    serve(c, `/icons/${c.req.param("file")}`, {
      ...ANY_ORIGIN,
      "Cache-Control": LONG,
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }),
  )
  .get("/privacy", (c) =>
    serve(c, "/ui/privacy.html", {
      "Cache-Control": LONG,
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    }),
  )
  .get("/ui/:file{[a-z]+\\.(?:js|css)}", (c) =>
    serve(c, `/ui/${c.req.param("file")}`, { "Cache-Control": SHORT, "Cross-Origin-Resource-Policy": "same-origin" }),
  )
  .get("/ui/webview", (c) => page(c, "/ui/webview.html"))
  .get("/demo", async (c) => {
    const demo = await assetOf(c, "/ui/demo.json");
    const { placementId } = await demo.json<{ placementId: string }>();
    // The demo network is seeded by `npm start`, and nowhere else.
    const { placement } = await readDocuments(c.env, c.executionCtx, {
      placement: documentKeys.placement(placementId),
    });
    if (!placement) throw new ApiError("NOT_FOUND", "This service has no demo network");
    return page(c, "/ui/demo.html");
  });
