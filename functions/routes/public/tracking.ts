import type { Context } from "hono";
import { connect } from "../../../db/core/client.ts";
import { newId } from "../../../db/core/ids.ts";
import { findDestination } from "../../../db/demand/revisions.ts";
import { settingsOf } from "../../env.ts";
import { addressHash } from "../../events/address-range.ts";
import { reasonNotToCount, track } from "../../events/track.ts";
import { describeError } from "../../core/log.ts";
import { factory, type AppEnv } from "../../http/factory.ts";
import { ApiError } from "../../http/errors.ts";
import { openToPages } from "../../http/open.ts";
import { fillMacros } from "../../answer/destination.ts";
import { documentKeys, readDocuments } from "../../documents/read.ts";
import { SAMPLE_OFFERS } from "../../decision/samples.ts";
import { isExpired, openToken, type TrackedOffer } from "../../answer/tracking-token.ts";

type TrackedKind = "impression" | "viewable" | "click" | "close";

const { preflight, open, headersOf } = openToPages({
  methods: ["GET", "POST"],
  exposed: ["x-request-id"],
  headers: { "Cross-Origin-Resource-Policy": "cross-origin" },
});

/** Holds a transparent GIF of one pixel. */
const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (digit) =>
  digit.charCodeAt(0),
);

const invalid = () => new ApiError("VALIDATION_FAILED", "The tracking token is missing, invalid or expired");

const offerOfRequest = (c: Context<AppEnv>): TrackedOffer => {
  const offer = openToken(settingsOf(c.env).TRACKING_KEYS, c.req.query("t") ?? "");
  if (!offer) throw invalid();
  // Whoever opts out by Global Privacy Control is not linked to what was decided before either.
  return c.req.header("sec-gpc") === "1" ? { ...offer, sessionHash: null, emailHash: null } : offer;
};

/** Tells whether a browser fetches a page that nobody has asked for yet. */
const isPrefetch = (c: Context<AppEnv>): boolean =>
  ["sec-purpose", "purpose", "x-purpose", "x-moz"].some((name) =>
    /prefetch|preview|prerender/i.test(c.req.header(name) ?? ""),
  );

/** Records a request as a hit, unless nobody stands behind it. */
const record = async (c: Context<AppEnv>, kind: TrackedKind, offer: TrackedOffer, expired: boolean): Promise<void> => {
  if (c.req.method === "HEAD" || isPrefetch(c)) return;
  const { isTest: _, ...tracked } = offer;
  const occurredAt = Date.now();
  const address = tracked.sessionHash === null ? c.req.header("cf-connecting-ip") : undefined;
  await track(c.env, {
    id: newId("event"),
    kind,
    reason: reasonNotToCount(offer.isTest, expired, c.req.header("user-agent")),
    occurredAt,
    ...tracked,
    addressHash: addressHash(settingsOf(c.env).SESSION_KEY, address, tracked.offerId, occurredAt),
  });
};

const wantsImage = (c: Context<AppEnv>): boolean => {
  const accept = c.req.header("accept") ?? "";
  return accept.includes("image/") && !accept.includes("text/html");
};

/** Answers a beacon: an image where a page asks for one, otherwise nothing. */
const beacon = async (c: Context<AppEnv>, kind: TrackedKind): Promise<Response> => {
  const offer = offerOfRequest(c);
  const expired = isExpired(kind, offer.issuedAt, Date.now());
  await record(c, kind, offer, expired);
  if (expired) throw invalid();
  if (!wantsImage(c)) return new Response(null, { status: 204, headers: headersOf(c) });
  return new Response(PIXEL, { headers: { "Content-Type": "image/gif", ...headersOf(c) } });
};

const NOTHING = { candidates: null, placement: null };

/** Reads what the edge knows of a click's offer and site: nothing, where neither KV nor Postgres has it. */
const knownOf = async (c: Context<AppEnv>, offer: TrackedOffer) => {
  try {
    return await readDocuments(c.env, c.executionCtx, {
      candidates: documentKeys.candidates(offer.placementId, offer.country),
      placement: documentKeys.placement(offer.placementId),
    });
  } catch {
    return NOTHING;
  }
};

/**
 * Finds where an offer led when it was shown, from the service's own data only, and the site it was shown on.
 *
 * @returns null for an offer that never was
 * @throws when the destination is neither at the edge nor to be had from Postgres
 */
const destinationOf = async (
  c: Context<AppEnv>,
  offer: TrackedOffer,
): Promise<{ url: string; siteId: string } | null> => {
  const { candidates, placement } = await knownOf(c, offer);
  const offers = offer.isTest ? SAMPLE_OFFERS : (candidates?.offers ?? []);
  const shown = offers.find(({ id, revision }) => id === offer.offerId && revision === offer.revision);
  const url =
    shown?.destinationUrl ?? (await findDestination(await connect(c.env.DATABASE_URL), offer.offerId, offer.revision));
  return url === null ? null : { url, siteId: placement?.siteId ?? "" };
};

/** Writes a URL as a header can hold it: visible ASCII. What is encoded already stays as it is. */
const toHeader = (url: string): string => url.replaceAll(/[^!-~]+/g, (text) => encodeURIComponent(text));

const RETRY_SECONDS = "5";
const RETRY_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>One moment, please</title><p>One moment, please. The offer opens in a few seconds.</p></html>`;

/**
 * Asks a customer's browser to come again soon. The click is recorded by then, and coming again does not count twice.
 */
const retryPage = (c: Context<AppEnv>): Response =>
  new Response(RETRY_PAGE, {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Retry-After": RETRY_SECONDS,
      Refresh: RETRY_SECONDS,
      ...headersOf(c),
    },
  });

/** Records a click, whatever else fails, and sends the customer where the offer led when it was shown. */
const click = async (c: Context<AppEnv>): Promise<Response> => {
  const offer = offerOfRequest(c);
  await record(c, "click", offer, isExpired("click", offer.issuedAt, Date.now()));
  let destination: Awaited<ReturnType<typeof destinationOf>>;
  try {
    destination = await destinationOf(c, offer);
  } catch (error) {
    console.error(`a click waits for its destination: ${describeError(error)}`);
    return retryPage(c);
  }
  if (!destination) throw new ApiError("NOT_FOUND", "This offer no longer exists");
  const location = toHeader(fillMacros(destination.url, offer, destination.siteId));
  return new Response(null, { status: 302, headers: { Location: location, ...headersOf(c) } });
};

const display = (c: Context<AppEnv>): Promise<Response> =>
  beacon(c, c.req.query("v") === "1" ? "viewable" : "impression");
const close = (c: Context<AppEnv>): Promise<Response> => beacon(c, "close");

/** Answers the tracking URLs of offers, open to every page. */
export const tracking = factory
  .createApp()
  .on("OPTIONS", ["/vdata", "/close", "/click"], preflight)
  .on(["GET", "POST"], "/vdata", open(display))
  .on(["GET", "POST"], "/close", open(close))
  .on(["GET", "POST"], "/click", open(click));
