import { trimTrailingSlash } from "hono/trailing-slash";
import { factory } from "../../http/factory.ts";
import { LONG, page, serve } from "./assets.ts";

/**
 * Serves the documentation that the build made: the reference at its root, guides and their pictures below. An address
 * with a slash at its end redirects to the one without.
 */
export const docs = factory
  .createApp()
  .use(trimTrailingSlash())
  .get("/", (c) => page(c, "/docs/reference.html"))
  .get("/:file{[a-z-]+\\.(?:png|svg)}", (c) => serve(c, `/docs/${c.req.param("file")}`, { "Cache-Control": LONG }))
  .get("/:guide{[a-z-]+}", (c) => page(c, `/docs/${c.req.param("guide")}.html`));
