import { requestId } from "hono/request-id";
import { factory } from "./factory.ts";
import { onError } from "./http/errors.ts";
import { notFound } from "./http/not-found.ts";
import { health } from "./routes/health.ts";
import { odata } from "./routes/odata.ts";
import { storefront } from "./routes/storefront.ts";
import { tracking } from "./routes/tracking.ts";

const app = factory
  .createApp()
  .use(requestId())
  .route("/api/odata", odata)
  .route("/health", health)
  .route("/", storefront)
  .route("/", tracking);

app.onError(onError);
app.notFound(notFound(app));

export type App = typeof app;
export default app;
