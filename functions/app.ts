import { factory } from "./http/factory.ts";
import { onError } from "./http/errors.ts";
import { notFound } from "./http/not-found.ts";
import { noStore, requestId, withSettings } from "./http/headers.ts";
import { readOut } from "./http/input/read-out.ts";
import { audit } from "./routes/accounts/audit.ts";
import { categories } from "./routes/inventory/categories.ts";
import { advertisers } from "./routes/demand/advertisers.ts";
import { creatives } from "./routes/demand/creatives.ts";
import { conversion } from "./routes/tracking/conversion.ts";
import { consolePages } from "./routes/public/console.ts";
import { docs } from "./routes/public/docs.ts";
import { demoStore } from "./routes/public/demo.ts";
import { directory } from "./routes/inventory/directory.ts";
import { forecast } from "./routes/demand/forecast.ts";
import { explanation } from "./routes/demand/explain.ts";
import { health } from "./routes/public/health.ts";
import { home } from "./routes/public/home.ts";
import { keys } from "./routes/accounts/keys.ts";
import { me } from "./routes/accounts/me.ts";
import { operations, outbox } from "./routes/tracking/operations.ts";
import { odata } from "./routes/public/odata.ts";
import { offers } from "./routes/demand/offers.ts";
import { placements } from "./routes/inventory/placements.ts";
import { overview } from "./routes/tracking/overview.ts";
import { platforms } from "./routes/accounts/platforms.ts";
import { publishers } from "./routes/accounts/publishers.ts";
import { experiments } from "./routes/tracking/experiments.ts";
import { hits, report } from "./routes/tracking/reports.ts";
import { deadLetters, rejects } from "./routes/tracking/rejects.ts";
import { sessions } from "./routes/accounts/sessions.ts";
import { sites } from "./routes/inventory/sites.ts";
import { storefront } from "./routes/public/storefront.ts";
import { tokens } from "./routes/accounts/tokens.ts";
import { transfer } from "./routes/demand/transfer.ts";
import { tracking } from "./routes/public/tracking.ts";

const app = factory
  .createApp()
  // What customers wait for comes first: it needs nothing that the others share.
  .route("/api/odata", odata)
  .route("/", tracking)
  .use(requestId)
  .use(readOut)
  .route("/health", health)
  .use(withSettings)
  // Files that browsers load say themselves how long they may be cached.
  .route("/", storefront)
  .route("/", demoStore)
  .route("/", home)
  .route("/console", consolePages)
  .route("/docs", docs)
  .use(noStore)
  .route("/api/v1/platforms", platforms)
  .route("/api/v1/publishers", publishers)
  .route("/api/v1/publishers", keys)
  .route("/api/v1/publishers", sessions)
  .route("/api/v1/api-tokens", tokens)
  .route("/api/v1/me", me)
  .route("/api/v1/overview", overview)
  .route("/api/v1/audit", audit)
  .route("/api/v1/categories", categories)
  .route("/api/v1/directory", directory)
  .route("/api/v1/advertisers", advertisers)
  .route("/api/v1/offers/explain", explanation)
  .route("/api/v1/offers", transfer)
  .route("/api/v1/offers/forecast", forecast)
  .route("/api/v1/offers", offers)
  .route("/api/v1/offers", creatives)
  .route("/api/v1/hits", hits)
  .route("/api/v1/rejects", rejects)
  .route("/api/v1/dead-letters", deadLetters)
  .route("/api/v1/operations", operations)
  .route("/api/v1/outbox", outbox)
  .route("/api/v1/experiments", experiments)
  .route("/api/report", report)
  .route("/api/site", sites)
  .route("/api/placements", placements)
  .route("/conversion", conversion);

app.onError(onError);
app.notFound(notFound(app));

export type App = typeof app;
export default app;
