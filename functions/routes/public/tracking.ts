import type { Context } from "hono";
import { newId } from "../../../db/core/ids.ts";
import { CLOSINGS, type Closing } from "../../../db/schema/values.ts";
import { settingsOf } from "../../env.ts";
import { addressHash } from "../../events/address-range.ts";
import { reasonNotToCount, track } from "../../events/track.ts";
import { describeError } from "../../core/log.ts";
import { within } from "../../core/calls/within.ts";
import { factory, type AppEnv } from "../../http/factory.ts";
import { ApiError } from "../../http/errors.ts";
import { openToPages } from "../../http/open.ts";
import { leadOf, type Lead } from "./destination.ts";
import { partOf } from "../../decision/arms.ts";
import { PIXEL, wantsImage } from "../../http/answers/pixel.ts";
import { isPrefetch } from "../../http/prefetch.ts";
import { isExpired, openToken, type TrackedOffer } from "../../answer/tracking-token.ts";

type TrackedKind = "impression" | "viewable" | "click" | "close";

const { preflight, open, prepare } = openToPages({
  methods: ["GET", "POST"],
  exposed: ["x-request-id"],
  headers: { "Cross-Origin-Resource-Policy": "cross-origin" },
});

const invalid = () => new ApiError("VALIDATION_FAILED", "The tracking token is missing, invalid or expired");

const offerOfRequest = (c: Context<AppEnv>): TrackedOffer => {
  const offer = openToken(settingsOf(c.env).TRACKING_KEYS, c.req.query("t") ?? "");
  if (!offer) throw invalid();
  // A customer who opts out by Global Privacy Control is not linked to earlier decisions either.
  return c.req.header("sec-gpc") === "1" ? { ...offer, sessionHash: null, emailHash: null } : offer;
};

/** Returns how the customer closed an offer, if the page says so. */
const closingOf = (c: Context<AppEnv>): Closing | undefined => CLOSINGS.find((closing) => closing === c.req.query("r"));

/** Records a request as a hit, unless no customer caused it. */
const record = async (c: Context<AppEnv>, kind: TrackedKind, offer: TrackedOffer, expired: boolean): Promise<void> => {
  if (c.req.method === "HEAD" || isPrefetch(c)) return;
  const { isTest: _, ...tracked } = offer;
  const occurredAt = Date.now();
  const address = tracked.sessionHash === null ? c.req.header("cf-connecting-ip") : undefined;
  await track(c, {
    id: newId("event"),
    kind,
    reason: reasonNotToCount(offer.isTest, expired, c.req.header("user-agent")),
    occurredAt,
    ...tracked,
    part: partOf(tracked.sessionHash, tracked.decisionId),
    addressHash: addressHash(settingsOf(c.env).SESSION_KEY, address, tracked.offerId, occurredAt),
    closing: kind === "close" ? closingOf(c) : undefined,
  });
};

const answerNothing = prepare({ status: 204 });
const answerPixel = prepare({ headers: { "Content-Type": "image/gif" } });

/** Answers a beacon: an image where a page asks for one, otherwise nothing. */
const beacon = async (c: Context<AppEnv>, kind: TrackedKind): Promise<Response> => {
  const offer = offerOfRequest(c);
  const expired = isExpired(kind, offer.issuedAt, Date.now());
  await record(c, kind, offer, expired);
  if (expired) throw invalid();
  return wantsImage(c) ? answerPixel(c, PIXEL) : answerNothing(c, null);
};

/** Writes a URL so that a header can hold it: in visible ASCII. What is already encoded stays as it is. */
const toHeader = (url: string): string => url.replaceAll(/[^!-~]+/g, (text) => encodeURIComponent(text));

const page = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><p>${text}</p></html>`;

/** Limits how long a click waits for its destination before it is recorded, in milliseconds. */
const LEAD_LIMIT_MS = 3_000;

const RETRY_SECONDS = "5";
const RETRY_PAGE = page("One moment, please", "One moment, please. The offer opens in a few seconds.");
const GONE_PAGE = page("This offer has ended", "This offer has ended. You may close this page.");

const HTML_TYPE = { "Content-Type": "text/html; charset=utf-8" };
const answerGone = prepare({ status: 410, headers: HTML_TYPE });
const answerLater = prepare({
  status: 503,
  headers: { ...HTML_TYPE, "Retry-After": RETRY_SECONDS, Refresh: RETRY_SECONDS },
});
const answerElsewhere = prepare({ status: 302 });

const redirect = (c: Context<AppEnv>, url: string): Response => {
  const response = answerElsewhere(c, null);
  response.headers.set("Location", toHeader(url));
  return response;
};

/**
 * Records a click and sends the customer where the offer led when it was shown. If that cannot be found now, the
 * customer's browser tries again soon, which does not count twice. A click on something that has ended leads to the
 * shop and does not count.
 */
const follow = async (c: Context<AppEnv>, offer: TrackedOffer): Promise<Response> => {
  const isOver = isExpired("click", offer.issuedAt, Date.now());
  let lead: Lead | null;
  try {
    lead = await within(leadOf(c, offer, isOver), LEAD_LIMIT_MS);
    if (!lead) throw new Error("no answer in time");
  } catch (error) {
    await record(c, "click", offer, isOver);
    if (error instanceof ApiError) throw error;
    console.error(`a click waits for its destination: ${describeError(error)}`);
    return isOver ? answerGone(c, GONE_PAGE) : answerLater(c, RETRY_PAGE);
  }
  await record(c, "click", offer, lead.to === "shop");
  return lead.url === null ? answerGone(c, GONE_PAGE) : redirect(c, lead.url);
};

/** Completes an answer even if the customer left before it came: what they did counts. */
const seenThrough =
  (answerOf: (c: Context<AppEnv>) => Promise<Response>) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const answer = answerOf(c);
    c.executionCtx.waitUntil(answer.catch(() => {}));
    return answer;
  };

const display = seenThrough(async (c) => beacon(c, c.req.query("v") === "1" ? "viewable" : "impression"));
const close = seenThrough(async (c) => beacon(c, "close"));
const click = seenThrough(async (c) => follow(c, offerOfRequest(c)));

/** Answers the tracking URLs of offers, open to every page. */
export const tracking = factory
  .createApp()
  .on("OPTIONS", ["/vdata", "/close", "/click"], preflight)
  .on(["GET", "POST"], "/vdata", open(display))
  .on(["GET", "POST"], "/close", open(close))
  .on(["GET", "POST"], "/click", open(click));
