import { factory } from "../../http/factory.ts";
import { FOREVER, LONG, page, serve, SHORT } from "./assets.ts";

const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" };

/**
 * Serves what browsers load: the storefront script, its pages, the pictures that offers refer to, and the API's
 * description.
 */
export const storefront = factory
  .createApp()
  .get("/:file{embed\\.js(?:on)?}", (c) =>
    serve(c, `/${c.req.param("file")}`, { ...ANY_ORIGIN, "Cache-Control": SHORT }),
  )
  .get("/:file{embed\\.[0-9a-f]{16}\\.js(?:on)?}", (c) =>
    serve(c, `/${c.req.param("file")}`, { ...ANY_ORIGIN, "Cache-Control": FOREVER }),
  )
  .get("/openapi.json", (c) => serve(c, c.req.path, { ...ANY_ORIGIN, "Cache-Control": SHORT }))
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
  .get("/ui/webview", (c) => page(c, "/ui/webview.html"));
