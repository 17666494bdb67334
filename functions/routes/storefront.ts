import { factory } from "../factory.ts";
import { ApiError } from "../http/errors.ts";
import { renderIcon } from "../storefront/icons.ts";
import { PRIVACY_PAGE } from "../storefront/privacy.ts";

/** A day, and a week more while a new copy is fetched. */
const CACHE = "public, max-age=86400, stale-while-revalidate=604800";

/** Pages and pictures that offers refer to. */
export const storefront = factory
  .createApp()
  .get("/icons/:file{[a-z0-9-]+\\.svg}", (c) => {
    const icon = renderIcon(c.req.param("file").slice(0, -".svg".length));
    if (icon === null) throw new ApiError("NOT_FOUND", "No icon has this name");
    return c.body(icon, 200, {
      "Content-Type": "image/svg+xml",
      "Cache-Control": CACHE,
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
      "X-Content-Type-Options": "nosniff",
    });
  })
  .get("/privacy", (c) =>
    c.html(PRIVACY_PAGE, 200, {
      "Cache-Control": CACHE,
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    }),
  );
