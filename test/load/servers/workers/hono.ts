import { Hono } from "hono";

/** Holds the answer to send, which the bundler puts here. */
declare const BODY: string;
declare const HEADERS: Record<string, string>;

const app = new Hono();
app.get("/api/odata", (c) => c.body(BODY, 200, HEADERS));

/** Does the least that a Hono app can: it has one route, and sends the same bytes for every request. */
export default app;
