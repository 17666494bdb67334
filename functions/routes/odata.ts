import type { Context } from "hono";
import { cors } from "hono/cors";
import { isId, newId } from "../../db/ids.ts";
import { isKey, parseKeyRing } from "../../db/secrets.ts";
import { countRequest } from "../events/request-counts.ts";
import { factory, type AppEnv } from "../factory.ts";
import { bearerOf } from "../http/bearer.ts";
import { ApiError } from "../http/errors.ts";
import { baseUrl } from "../http/base-url.ts";
import { noStore } from "../http/no-store.ts";
import { isCountry, UNKNOWN_COUNTRY } from "../serving/country.ts";
import { decide } from "../serving/decide.ts";
import { documentKeys, readDocuments } from "../serving/documents.ts";
import { offerOf, templateOf, type Envelope } from "../serving/envelope.ts";
import { emailHash, sessionHash } from "../serving/keyed-hash.ts";
import { SAMPLE_OFFERS } from "../serving/samples.ts";
import { switchedOff } from "../serving/switches.ts";
import { sealDecision } from "../serving/tracking-token.ts";
import { parseOfferQuery, type OfferQuery, type QueryProblems } from "./odata-query.ts";

/** The public key of a request; the header wins over the parameter, which spares browsers a preflight. */
const publicKeyOf = (c: Context<AppEnv>): string => {
  const header = bearerOf(c);
  const key = header === undefined ? c.req.query("publicKey") : header;
  if (!key || !isKey("public", key)) throw unauthorized();
  return key;
};

const unauthorized = () => new ApiError("UNAUTHORIZED", "A valid public key is required");

const refused = ({ missingFields, invalidFields }: QueryProblems): ApiError => {
  const message =
    missingFields.length > 0
      ? `Required parameters are missing: ${missingFields.join(", ")}`
      : `Parameters are invalid: ${invalidFields.map((problem) => `${problem.field} ${problem.message}`).join("; ")}`;
  const details = { missingFields, ...(invalidFields.length > 0 ? { invalidFields } : {}) };
  return new ApiError("VALIDATION_FAILED", message, { shape: "B", details });
};

const notFound = (placementId: string) =>
  new ApiError("NOT_FOUND", "No placement has this id", { details: { placementId } });

/** Where the customer is: as the store says, else as the edge sees the connection. */
const countryOf = (c: Context<AppEnv>, query: OfferQuery): string => {
  const edge = c.req.raw.cf?.country;
  return query["at.country"] ?? (typeof edge === "string" && isCountry(edge) ? edge : UNKNOWN_COUNTRY);
};

/** The customer's language: as the store says, else what the browser prefers. */
const languageOf = (c: Context<AppEnv>, query: OfferQuery): string | undefined =>
  query["at.language"] ?? /^[A-Za-z]{2,3}(?![A-Za-z])/.exec(c.req.header("accept-language") ?? "")?.[0].toLowerCase();

/** Hashes of the customer's session and e-mail; none for a customer who opted out by Global Privacy Control. */
const hashesOf = async (c: Context<AppEnv>, query: OfferQuery) => {
  if (c.req.header("sec-gpc") === "1") return { sessionHash: null, emailHash: null };
  const email = query["at.email"];
  return {
    sessionHash: await sessionHash(c.env.SESSION_KEY, query.sessionId),
    emailHash: email === undefined ? null : await emailHash(c.env.SESSION_KEY, email),
  };
};

/** The offer endpoint: the contract's 4.3. */
export const odata = factory
  .createApp()
  .use(
    cors({
      origin: "*",
      allowMethods: ["GET"],
      allowHeaders: ["Authorization", "Content-Type"],
      exposeHeaders: ["x-no-fill-reason", "x-request-id"],
      maxAge: 7200,
    }),
    noStore,
  )
  .get("/", async (c) => {
    const publicKey = publicKeyOf(c);
    const { query, problems } = parseOfferQuery(c.req.query());
    const key = documentKeys.key(publicKey);
    if (problems || !isId("placement", query.placementId)) {
      const { key: publisher } = await readDocuments(c.env, c.executionCtx, { key });
      if (!isUsable(publisher)) throw unauthorized();
      throw problems ? refused(problems) : notFound(query.placementId);
    }

    const { placementId } = query;
    const country = countryOf(c, query);
    const documents = await readDocuments(c.env, c.executionCtx, {
      key,
      placement: documentKeys.placement(placementId),
      candidates: documentKeys.candidates(placementId, country),
      offers: documentKeys.offers,
    });
    const { key: publisher, placement } = documents;
    if (!isUsable(publisher)) throw unauthorized();
    if (placement?.publisherId !== publisher.publisherId) throw notFound(placementId);

    const isTest = !placement.isLiveMode;
    const request = {
      count: query.count,
      session: query.sessionId,
      now: Date.now(),
      language: languageOf(c, query),
      currency: query["at.currency"],
      amount: query["at.amount"],
      paymentType: query["at.paymenttype"],
    };
    const off = switchedOff(publisher, placement);
    const chosen = off
      ? []
      : isTest
        ? SAMPLE_OFFERS.slice(0, query.count)
        : decide(documents.candidates?.offers ?? [], documents.offers?.stopped ?? {}, request);

    const base = baseUrl(c);
    const decision = { decisionId: newId("decision"), placementId, country, isTest, ...(await hashesOf(c, query)) };
    const tokenOf = await sealDecision(
      parseKeyRing(c.env.TRACKING_KEYS),
      decision,
      chosen.map((offer) => offer.id),
    );
    const envelope: Envelope = {
      offers: chosen.map((offer) => offerOf(base, offer, tokenOf(offer.id))),
      isTestMode: isTest,
      siteStatus: placement.siteStatus,
      ...templateOf(base, placement.siteName, placement.data),
    };
    if (!isTest && c.req.method === "GET") countRequest(c.env, c.executionCtx, placementId, country, chosen.length > 0);
    if (chosen.length === 0) c.header("x-no-fill-reason", off ?? "no_eligible_offer");
    return c.json(envelope);
  });

const isUsable = <K extends { expiresAt: number | null }>(key: K | null): key is K =>
  key !== null && (key.expiresAt === null || Date.now() < key.expiresAt);
