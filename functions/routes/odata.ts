import type { Context } from "hono";
import { isId, newId } from "../../db/ids.ts";
import { isKey } from "../../db/secrets.ts";
import { countRequest } from "../events/request-counts.ts";
import { factory, type AppEnv } from "../factory.ts";
import { bearerOf } from "../http/bearer.ts";
import { ApiError } from "../http/errors.ts";
import { baseUrl } from "../http/base-url.ts";
import { openToPages } from "../http/open.ts";
import { parametersOf } from "../http/parameters.ts";
import { remembering } from "../remember.ts";
import { answer } from "../serving/answer.ts";
import { documentKeys, readDocuments } from "../serving/documents.ts";
import { renderEnvelope } from "../serving/render.ts";
import { emailHash, sessionHash } from "../serving/keyed-hash.ts";
import { sealDecision, trackingRing } from "../serving/tracking-token.ts";
import { parseOfferQuery, type OfferQuery } from "./odata-query.ts";
import { countryOf, decisionRequest, invalidRequest, unknownPlacement } from "./offer-request.ts";

const { preflight, open, headersOf } = openToPages({
  methods: ["GET"],
  allowed: ["Authorization", "Content-Type"],
  exposed: ["x-no-fill-reason", "x-request-id"],
});

const isPublicKey = remembering(1_000, (key) => isKey("public", key));

/** The public key of a request; the header wins over the parameter, which spares browsers a preflight. */
const publicKeyOf = (c: Context<AppEnv>, parameters: ReadonlyMap<string, string>): string => {
  const header = bearerOf(c);
  const key = header === undefined ? parameters.get("publicKey") : header;
  if (!key || !isPublicKey(key)) throw unauthorized();
  return key;
};

const unauthorized = () => new ApiError("UNAUTHORIZED", "A valid public key is required");

/** Hashes of the customer's session and e-mail; none for a customer who opted out by Global Privacy Control. */
const hashesOf = (c: Context<AppEnv>, query: OfferQuery) => {
  if (c.req.header("sec-gpc") === "1") return { sessionHash: null, emailHash: null };
  const email = query["at.email"];
  return {
    sessionHash: sessionHash(c.env.SESSION_KEY, query.sessionId),
    emailHash: email === undefined ? null : emailHash(c.env.SESSION_KEY, email),
  };
};

/** The offer endpoint: the contract's 4.3. */
export const odata = factory
  .createApp()
  .options("/", preflight)
  .use(open)
  .get("/", async (c) => {
    const parameters = parametersOf(c.req.url);
    const publicKey = publicKeyOf(c, parameters);
    const { query, problems } = parseOfferQuery(parameters);
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
    const request = decisionRequest(c.req, query);
    const { chosen, isTest, noFillReason } = answer(situation, request);

    const decisionId = newId("decision", request.now);
    const decision = { decisionId, placementId, country, isTest, ...hashesOf(c, query) };
    const ids = chosen.map((offer) => offer.id);
    const seal = sealDecision(trackingRing(c.env.TRACKING_KEYS), decision, ids);
    if (!isTest && c.req.method === "GET") countRequest(c.env, c.executionCtx, placementId, country, chosen.length > 0);
    const headers = headersOf(c, noFillReason !== null);
    headers["Content-Type"] = "application/json";
    if (noFillReason) headers["x-no-fill-reason"] = noFillReason;
    return new Response(renderEnvelope(baseUrl(c), placement, chosen, seal), { headers });
  });

const isUsable = <K extends { expiresAt: number | null }>(key: K | null): key is K =>
  key !== null && (key.expiresAt === null || Date.now() < key.expiresAt);
