import { requestId } from "hono/request-id";
import { factory } from "./factory.ts";
import { onError } from "./http/errors.ts";
import { notFound } from "./http/not-found.ts";
import { health } from "./routes/health.ts";
import { odata } from "./routes/odata.ts";
import { placements } from "./routes/placements.ts";
import { platforms } from "./routes/platforms.ts";
import { publishers } from "./routes/publishers.ts";
import { sites } from "./routes/sites.ts";
import { storefront } from "./routes/storefront.ts";
import { tracking } from "./routes/tracking.ts";

const app = factory
  .createApp()
  .use(requestId())
  .route("/api/odata", odata)
  .route("/api/v1/platforms", platforms)
  .route("/api/v1/publishers", publishers)
  .route("/api/site", sites)
  .route("/api/placements", placements)
  .route("/health", health)
  .route("/", storefront)
  .route("/", tracking);

app.onError(onError);
app.notFound(notFound(app));

export type App = typeof app;
export default app;
