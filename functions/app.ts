import { factory } from "./factory.ts";
import { onError } from "./http/errors.ts";
import { notFound } from "./http/not-found.ts";
import { requestId } from "./http/request-id.ts";
import { advertisers } from "./routes/advertisers.ts";
import { conversion } from "./routes/conversion.ts";
import { explanation } from "./routes/explain.ts";
import { health } from "./routes/health.ts";
import { keys } from "./routes/keys.ts";
import { odata } from "./routes/odata.ts";
import { offers } from "./routes/offers.ts";
import { placements } from "./routes/placements.ts";
import { platforms } from "./routes/platforms.ts";
import { publishers } from "./routes/publishers.ts";
import { hits, report } from "./routes/reports.ts";
import { sessions } from "./routes/sessions.ts";
import { sites } from "./routes/sites.ts";
import { storefront } from "./routes/storefront.ts";
import { tracking } from "./routes/tracking.ts";

const app = factory
  .createApp()
  // First what customers wait for: it needs nothing of what the others share.
  .route("/api/odata", odata)
  .route("/", tracking)
  .use(requestId)
  .route("/api/v1/platforms", platforms)
  .route("/api/v1/publishers", publishers)
  .route("/api/v1/publishers", keys)
  .route("/api/v1/publishers", sessions)
  .route("/api/v1/advertisers", advertisers)
  .route("/api/v1/offers/explain", explanation)
  .route("/api/v1/offers", offers)
  .route("/api/v1/hits", hits)
  .route("/api/report", report)
  .route("/api/site", sites)
  .route("/api/placements", placements)
  .route("/conversion", conversion)
  .route("/health", health)
  .route("/", storefront);

app.onError(onError);
app.notFound(notFound(app));

export type App = typeof app;
export default app;
