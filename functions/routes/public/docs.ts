import { factory } from "../../http/factory.ts";
import { LONG, page, serve } from "./assets.ts";

/** Serves the documentation that the build made: the reference at its root, guides and their pictures below. */
export const docs = factory
  .createApp()
  .get("/", (c) => page(c, "/docs/reference.html"))
  .get("/:file{[a-z-]+\\.(?:png|svg)}", (c) => serve(c, `/docs/${c.req.param("file")}`, { "Cache-Control": LONG }))
  .get("/:guide{[a-z-]+}", (c) => page(c, `/docs/${c.req.param("guide")}.html`));
