import { AUDIT, KEYS, PLATFORMS, PUBLISHERS } from "./accounts.ts";
import { ADVERTISERS, OFFERS } from "./demand.ts";
import { DIRECTORY } from "./directory.ts";
import { PLACEMENTS, SITES } from "./inventory.ts";
import { PAGES, SERVICE } from "./open.ts";
import type { Operation } from "./operation.ts";
import { CONVERSIONS, REJECTS, REPORTS } from "./tracking.ts";

/** Holds every operation by its method and path. */
export const OPERATIONS = {
  ...PAGES,
  ...PLATFORMS,
  ...PUBLISHERS,
  ...KEYS,
  ...AUDIT,
  ...SITES,
  ...PLACEMENTS,
  ...DIRECTORY,
  ...ADVERTISERS,
  ...OFFERS,
  ...CONVERSIONS,
  ...REPORTS,
  ...REJECTS,
  ...SERVICE,
};

type Tag = { name: string; description: string; operations: object };

/** Lists the groups of operations in the order in which they are read. */
export const TAGS: readonly Tag[] = [
  { name: "Offers on pages", description: "What shops' pages ask for and report.", operations: PAGES },
  { name: "Publishers", description: "Store owners, with their sites and placements.", operations: PUBLISHERS },
  {
    name: "Tokens and keys",
    description: "What opens a publisher's account, and what its pages contain.",
    operations: KEYS,
  },
  { name: "Sites", description: "Stores of a publisher.", operations: SITES },
  { name: "Placements", description: "Ad units of a site: where offers are asked for.", operations: PLACEMENTS },
  { name: "Directory", description: "Everything within a caller's reach, to search in.", operations: DIRECTORY },
  { name: "Advertisers", description: "Who pays for offers.", operations: ADVERTISERS },
  { name: "Offers", description: "What customers see, with price, targeting and creatives.", operations: OFFERS },
  { name: "Conversions", description: "What an advertiser's server reports.", operations: CONVERSIONS },
  { name: "Reports", description: "Counts and money.", operations: REPORTS },
  { name: "Platforms", description: "Shop systems with many publishers.", operations: PLATFORMS },
  { name: "Audit", description: "Who changed what.", operations: AUDIT },
  {
    name: "Messages",
    description: "Tracking messages that were not understood, or that wait to be stored.",
    operations: REJECTS,
  },
  { name: "Service", description: "The service itself.", operations: SERVICE },
];

/** Returns the description of a route; null for one that has none. */
export const operationOf = (name: string): Operation | null =>
  Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name as keyof typeof OPERATIONS] : null;

/** Lists the routes that are pages and files, which are not part of the API. */
export const PAGES_AND_FILES: readonly string[] = [
  "GET /:file{embed\\.js(?:on)?}",
  "GET /:file{embed\\.[0-9a-f]{16}\\.js(?:on)?}",
  "GET /icons/:file{[a-z0-9-]+\\.svg}",
  "GET /privacy",
  "GET /ui/:file{[a-z]+\\.(?:js|css)}",
  "GET /ui/webview",
  "GET /openapi.json",
  "GET /console/demo.json",
  "GET /console/:file{[\\w-]+\\.(?:js|css)}",
  "GET /console/*",
  "GET /docs",
  "GET /docs/:file{[a-z-]+\\.(?:png|svg)}",
  "GET /docs/:guide{[a-z-]+}",
  "GET /demo",
  "GET /demo/figures",
  "GET /llms.txt",
  "GET /favicon.ico",
  "GET /robots.txt",
];
