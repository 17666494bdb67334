import { Hono } from "hono";

/** The answer to send; the bundler puts it here. */
declare const BODY: string;
declare const HEADERS: Record<string, string>;

const app = new Hono();
app.get("/api/odata", (c) => c.body(BODY, 200, HEADERS));

/** The least a Hono app can do: one route, the same bytes for every request. */
export default app;
