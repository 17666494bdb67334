import type { Context } from "hono";
import { within } from "../../core/calls/within.ts";
import { asksFor } from "../../http/answers/accept.ts";
import { factory, type AppEnv } from "../../http/factory.ts";
import { LONG, page, serve, SHORT } from "./assets.ts";
import { demoPlacement } from "./demo.ts";

/**
 * Limits how long it takes to find out whether there is a demo store, in milliseconds. Without an answer, it is not
 * linked.
 */
const LIMIT_MS = 1_000;

/** Returns the folder of the files that link the demo store, or of those that do not. */
const folderOf = async (c: Context<AppEnv>): Promise<string> =>
  (await within(
    demoPlacement(c).catch(() => null),
    LIMIT_MS,
  )) === null
    ? "/home/plain"
    : "/home/demo";

/** Serves an introduction at the service's root: a page, or its links as JSON if the caller asks for that. */
export const home = factory
  .createApp()
  .get("/", async (c) => {
    c.header("Vary", "Accept");
    const folder = await folderOf(c);
    if (asksFor(c, "application/json", "text/html") && !asksFor(c, "text/html", "application/json")) {
      return serve(c, `${folder}/home.json`, { "Cache-Control": SHORT });
    }
    return page(c, `${folder}/home.html`);
  })
  .get("/llms.txt", async (c) => serve(c, `${await folderOf(c)}/llms.txt`, { "Cache-Control": SHORT }))
  .on("GET", ["/favicon.ico", "/robots.txt"], (c) => serve(c, c.req.path, { "Cache-Control": LONG }));
