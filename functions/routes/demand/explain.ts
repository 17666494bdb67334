import * as z from "zod";
import { explainPlacement } from "../../../db/demand/explain.ts";
import { isId } from "../../../db/core/ids.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { jsonBody } from "../../http/input/validate.ts";
import { documentKeys, readDocuments } from "../../documents/read.ts";
import { armOf } from "../../decision/arms.ts";
import { explain } from "../../decision/explain.ts";
import {
  parseOfferQuery,
  countryOf,
  decisionRequest,
  invalidRequest,
  parameterNames,
  unknownPlacement,
} from "../public/odata-query.ts";

/** Limits the offers that are told of, the best first: more than anyone reads. */
const MAX_OFFERS = 1_000;

/** Checks the parameters of the offer endpoint, under their names; numbers may come as numbers. */
const parameters = () => {
  const value = z.union([z.string(), z.number()], "must be a string or a number").optional();
  return z.object(Object.fromEntries(parameterNames().map((name) => [name, value])));
};

/**
 * Answers `POST /api/v1/offers/explain`: what the offer endpoint would answer to the same parameters, and why, for each offer
 * that the caller may know of, at a placement of its own. Counts nothing.
 */
export const explanation = factory.createApp().post("/", allow("owner"), ...jsonBody(parameters), async (c) => {
  const sent = Object.entries(c.req.valid("json")).map(([name, value]) => [name, String(value)] as const);
  const { query, problems } = parseOfferQuery(new Map(sent));
  if (problems) throw invalidRequest(problems);
  const { placementId } = query;
  if (!isId("placement", placementId)) throw unknownPlacement(placementId);
  const country = countryOf(c.req, query);
  const [known, documents] = await Promise.all([
    explainPlacement(c.var.db, c.var.actor, placementId, country, MAX_OFFERS),
    readDocuments(c.env, c.executionCtx, {
      placement: documentKeys.placement(placementId),
      candidates: documentKeys.candidates(placementId, country),
      network: documentKeys.network,
    }),
  ]);
  const { placement, candidates, network } = documents;
  if (!known || !placement) throw unknownPlacement(placementId);
  const { publisher } = known;
  const situation = { publisher, placement, candidates, network };
  const request = decisionRequest(c.req, query, armOf(query.sessionId, query.count, publisher.holdoutPercent));
  return c.json({ success: true, data: explain(situation, request, known.offers) });
});
