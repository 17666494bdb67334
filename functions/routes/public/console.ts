import { isLoopback } from "../../../db/core/loopback.ts";
import { factory } from "../../http/factory.ts";
import { ApiError } from "../../http/errors.ts";
import { FOREVER, page, serve } from "./assets.ts";

/** Serves the console: one page for all its addresses, and the files that it loads. All it shows comes from the API. */
export const consolePages = factory
  .createApp()
  .get("/demo.json", (c) => {
    // Only `npm start` makes this file: tokens that everybody knows, for this machine only.
    if (!isLoopback(new URL(c.req.url).hostname)) throw new ApiError("NOT_FOUND", "There is nothing at this path");
    return serve(c, "/console/demo.json", { "Cache-Control": "no-store" });
  })
  .get("/:file{[\\w-]+\\.(?:js|css)}", (c) =>
    serve(c, `/console/${c.req.param("file")}`, {
      "Cache-Control": FOREVER,
      "Cross-Origin-Resource-Policy": "same-origin",
    }),
  )
  .get("/*", (c) => page(c, "/console/page.html", "no-cache"));
