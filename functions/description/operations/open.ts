import * as z from "zod";
import { ALIASES, schemasOf } from "../../routes/public/odata-query.ts";
import { json, type Operations } from "./operation.ts";
import { found, listOf } from "../schemas/common.ts";
import * as schemas from "../schemas/open.ts";
import { operating, waiting } from "../schemas/operations.ts";

/** Describes the parameters of a request for offers, including their other names. */
const offerParameters = () => {
  const { placementId, sessionId, ...others } = schemasOf();
  const { shape } = z.object(others).partial();
  const aliases = Object.entries(ALIASES).map(([name, alias]) => [alias, shape[name as keyof typeof shape]] as const);
  return z.object({ placementId, sessionId, ...shape, ...Object.fromEntries(aliases) });
};

const token = () => ({ t: z.string() });
const beacons = {
  200: { text: "A GIF of one pixel, for callers that ask for an image", content: { "image/gif": null } },
  204: { text: "Reported" },
};
const refused = ["invalidTrackingToken"] as const;
const display = {
  answers: beacons,
  errors: refused,
  access: "anyone",
  query: () => z.object({ ...token(), v: z.string().optional() }),
} as const;
const close = {
  answers: beacons,
  errors: refused,
  access: "anyone",
  query: () => z.object({ ...token(), r: z.string().optional() }),
} as const;
const page = { "text/html": z.string() };
const click = {
  description: "The destination comes from the service's own data, never from the URL.",
  answers: {
    302: { text: "To the offer, or to the shop where the offer has ended", headers: ["Location"] },
    410: { text: "A page that says that the offer has ended", content: page },
    503: { text: "A page that tries again in five seconds", content: page },
  },
  errors: [...refused, "goneOffer"],
  access: "anyone",
  query: () => z.object(token()),
} as const;

/** Describes the operations of shops' pages. */
export const PAGES = {
  "GET /api/odata": {
    id: "getOffers",
    summary: "Get offers for a customer at a placement",
    description: "`at.email` or `at.orderid` is required. Unknown parameters are ignored.",
    answers: { 200: { ...json(schemas.envelope, "The offers, best first"), headers: ["x-no-fill-reason"] } },
    refusalHeaders: { 500: ["Retry-After"] },
    errors: ["invalidParameters", "unknownPlacement"],
    access: "page",
    query: offerParameters,
  },
  "GET /vdata": { id: "reportDisplay", summary: "Report that an offer is displayed", ...display },
  "POST /vdata": { id: "sendDisplay", summary: "Report that an offer is displayed, as a beacon", ...display },
  "GET /close": { id: "reportClose", summary: "Report that an offer was declined or closed", ...close },
  "POST /close": { id: "sendClose", summary: "Report that an offer was declined or closed, as a beacon", ...close },
  "GET /click": { id: "followClick", summary: "Send a customer to an offer", ...click },
  "POST /click": { id: "sendClick", summary: "Send a customer to an offer, by a form", ...click },
} as const satisfies Operations;

/** Describes the service itself. */
export const SERVICE = {
  "GET /health": {
    id: "getHealth",
    summary: "Check whether the service is up",
    answers: { 200: json(schemas.health), 503: json(schemas.unhealthy, "Something failed") },
    access: "anyone",
    query: () => z.object({ deep: z.string().optional() }),
  },
  "GET /api/v1/operations": {
    id: "getOperations",
    summary: "Check on storing, the cron and the removal of old rows, and which version answers",
    answers: { 200: json(found(operating)) },
  },
  "GET /api/v1/outbox": {
    id: "listOutbox",
    summary: "List documents that wait to be published",
    answers: { 200: json(listOf(waiting)) },
  },
  "GET /": {
    id: "getLinks",
    summary: "Get what the service is, with links",
    description: "Programs ask with `Accept: application/json`; browsers get a page.",
    answers: {
      200: {
        text: "The links",
        content: { "application/json": schemas.root, "text/html": z.string() },
        headers: ["ETag"],
      },
      304: { text: "Not changed since the answer whose `ETag` was sent in `If-None-Match`", headers: ["ETag"] },
    },
    access: "anyone",
  },
} as const satisfies Operations;
