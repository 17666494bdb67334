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
import { answer } from "../serving/answer.ts";
import { documentKeys, readDocuments } from "../serving/documents.ts";
import { offerOf, templateOf, type Envelope } from "../serving/envelope.ts";
import { emailHash, sessionHash } from "../serving/keyed-hash.ts";
import { sealDecision } from "../serving/tracking-token.ts";
import { parseOfferQuery, type OfferQuery } from "./odata-query.ts";
import { countryOf, decisionRequest, invalidRequest, unknownPlacement } from "./offer-request.ts";

/** The public key of a request; the header wins over the parameter, which spares browsers a preflight. */
const publicKeyOf = (c: Context<AppEnv>): string => {
  const header = bearerOf(c);
  const key = header === undefined ? c.req.query("publicKey") : header;
  if (!key || !isKey("public", key)) throw unauthorized();
  return key;
};

const unauthorized = () => new ApiError("UNAUTHORIZED", "A valid public key is required");

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
      throw problems ? invalidRequest(problems) : unknownPlacement(query.placementId);
    }

    const { placementId } = query;
    const country = countryOf(c.req, query);
    const documents = await readDocuments(c.env, c.executionCtx, {
      key,
      placement: documentKeys.placement(placementId),
      candidates: documentKeys.candidates(placementId, country),
      offers: documentKeys.offers,
    });
    const { key: publisher, placement } = documents;
    if (!isUsable(publisher)) throw unauthorized();
    if (placement?.publisherId !== publisher.publisherId) throw unknownPlacement(placementId);

    const situation = { publisher, placement, candidates: documents.candidates, offers: documents.offers };
    const { chosen, isTest, noFillReason } = answer(situation, decisionRequest(c.req, query));

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
    if (noFillReason) c.header("x-no-fill-reason", noFillReason);
    return c.json(envelope);
  });

const isUsable = <K extends { expiresAt: number | null }>(key: K | null): key is K =>
  key !== null && (key.expiresAt === null || Date.now() < key.expiresAt);
