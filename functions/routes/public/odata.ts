import type { Context } from "hono";
import type { CandidatesDocument, Documents, PlacementDocument } from "../../../db/documents/types.ts";
import { isId, newId, withPrefix } from "../../../db/core/ids.ts";
import { isKey } from "../../../db/core/secrets/secrets.ts";
import { settingsOf } from "../../env.ts";
import { countRequest } from "../../events/request-counts.ts";
import { factory, type AppEnv } from "../../http/factory.ts";
import { bearerOf } from "../../http/credentials/auth.ts";
import { ApiError } from "../../http/errors.ts";
import { baseUrl } from "../../http/base-url.ts";
import { openToPages } from "../../http/open.ts";
import { parametersOf } from "../../http/input/parameters.ts";
import { remembering } from "../../core/calls/remember.ts";
import { armOf, ARMS, partOf } from "../../decision/arms.ts";
import { answer, comesShort, type Answer } from "../../decision/decide.ts";
import type { DecisionRequest } from "../../decision/eligibility.ts";
import { documentKeys, readDocuments } from "../../documents/read.ts";
import { renderEnvelope } from "../../answer/render.ts";
import { emailHash, sessionHash } from "../../core/keyed-hash.ts";
import { sealDecision } from "../../answer/tracking-token.ts";
import { completed, knownNarrow } from "./narrow.ts";
import {
  parseOfferQuery,
  type OfferQuery,
  countryOf,
  decisionRequest,
  invalidRequest,
  unknownPlacement,
} from "./odata-query.ts";

const { preflight, open, prepare } = openToPages({
  methods: ["GET"],
  allowed: ["Authorization", "Content-Type"],
  exposed: ["x-no-fill-reason", "x-request-id"],
});

const JSON_TYPE = { "Content-Type": "application/json" };
const answerFilled = prepare({ headers: JSON_TYPE });
const answerEmpty = prepare({ headers: JSON_TYPE, explains: true });

const isPublicKey = remembering(1_000, (key) => isKey("public", key));

/** Returns the public key of a request; the header wins over the parameter, which spares browsers a preflight. */
const publicKeyOf = (c: Context<AppEnv>, parameters: ReadonlyMap<string, string>): string => {
  const header = bearerOf(c);
  const key = header === undefined ? parameters.get("publicKey") : header;
  if (!key || !isPublicKey(key)) throw unauthorized();
  return key;
};

const unauthorized = () =>
  new ApiError(
    "UNAUTHORIZED",
    "A valid public key is required; send it as Authorization: Bearer <key>, or as publicKey",
  );

/**
 * Returns the hashes of the customer's session and e-mail; none for a customer who opted out by Global Privacy Control.
 */
const hashesOf = (c: Context<AppEnv>, query: OfferQuery) => {
  if (c.req.header("sec-gpc") === "1") return { sessionHash: null, emailHash: null };
  const email = query["at.email"];
  const { SESSION_KEY } = settingsOf(c.env);
  return {
    sessionHash: sessionHash(SESSION_KEY, query.sessionId),
    emailHash: email === undefined ? null : emailHash(SESSION_KEY, email),
  };
};

const isUsable = <K extends { expiresAt: number | null }>(key: K | null): key is K =>
  key !== null && (key.expiresAt === null || Date.now() < key.expiresAt);

/** Refuses a request. Only a caller with a valid key learns why. */
const refuse = async (c: Context<AppEnv>, publicKey: string, refusal: ApiError): Promise<never> => {
  const { key } = await readDocuments(c.env, c.executionCtx, { key: documentKeys.key(publicKey) });
  throw isUsable(key) ? refusal : unauthorized();
};

/** Holds a valid request for offers with its URL, and what its decision depends on. */
type Asked = { url: string; query: OfferQuery; country: string; request: DecisionRequest };

/** Holds the documents that a request needs; `narrow` if it was read, too. */
type Found = { [Kind in "key" | "placement" | "candidates" | "network"]: Documents[Kind] | null } & {
  narrow?: CandidatesDocument | null;
};

/**
 * Returns the decision's id, which ends like its request's, unless the caller named that: callers may use one name for
 * several.
 */
const decisionIdOf = (c: Context<AppEnv>): string => {
  const suffix = c.get("newSuffix");
  return suffix === null ? newId("decision") : withPrefix("decision", suffix);
};

/** Renders and signs an answer, and counts the request. */
const respond = (
  c: Context<AppEnv>,
  { url, query, country, request }: Asked,
  placement: PlacementDocument,
  { chosen, isTest, noFillReason }: Answer,
): Response => {
  const { placementId } = query;
  const decisionId = decisionIdOf(c);
  const hashes = hashesOf(c, query);
  const decision = { decisionId, placementId, country, isTest, arm: request.arm, ...hashes };
  const seal = sealDecision(settingsOf(c.env).TRACKING_KEYS, decision, chosen);
  if (!isTest && c.req.method === "GET") {
    const part = partOf(hashes.sessionHash, decisionId);
    countRequest(c.env, c.executionCtx, request, placementId, country, part, noFillReason);
  }
  const body = renderEnvelope(baseUrl(c, url), placement, chosen, seal);
  if (noFillReason === null) return answerFilled(c, body);
  const response = answerEmpty(c, body);
  response.headers.set("x-no-fill-reason", noFillReason);
  return response;
};

/** Answers a valid request from the documents that it needs. */
const serve = (c: Context<AppEnv>, asked: Asked, found: Found): Response | Promise<Response> => {
  const { key: publisher, placement, candidates, network } = found;
  const { placementId } = asked.query;
  if (!isUsable(publisher)) throw unauthorized();
  if (placement?.publisherId !== publisher.publisherId) throw unknownPlacement(placementId);
  const { request } = asked;
  request.arm = armOf(request.session, request.count, publisher.holdoutPercent);
  const situation = { publisher, placement, candidates, network };
  const broad = answer(situation, request);
  if (!comesShort(situation, broad, request)) return respond(c, asked, placement, broad);
  const full = completed(c, { placementId, country: asked.country }, situation, request, broad, found.narrow);
  return full instanceof Promise
    ? full.then(({ answered }) => respond(c, asked, placement, answered))
    : respond(c, asked, placement, full.answered);
};

/** Answers `GET /api/odata`, the offer endpoint. */
export const odata = factory
  .createApp()
  .options("/", preflight)
  .get(
    "/",
    open((c) => {
      const { url } = c.req;
      const parameters = parametersOf(url);
      const publicKey = publicKeyOf(c, parameters);
      const { query, problems } = parseOfferQuery(parameters);
      if (problems) return refuse(c, publicKey, invalidRequest(problems));
      const { placementId } = query;
      if (!isId("placement", placementId)) return refuse(c, publicKey, unknownPlacement(placementId));

      const country = countryOf(c.req, query);
      // The arm is not known before the publisher is.
      const asked = { url, query, country, request: decisionRequest(c.req, query, ARMS.learned) };
      const wanted = {
        key: documentKeys.key(publicKey),
        placement: documentKeys.placement(placementId),
        candidates: documentKeys.candidates(placementId, country),
        network: documentKeys.network,
      };
      const along = () => knownNarrow({ placementId, country }, asked.request);
      const found = readDocuments(c.env, c.executionCtx, wanted, along);
      return found instanceof Promise ? found.then((documents) => serve(c, asked, documents)) : serve(c, asked, found);
    }),
  )
  .all(
    "*",
    open((c) => c.notFound()),
  );
