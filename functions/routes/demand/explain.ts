import * as z from "zod";
import { explainPlacement } from "../../../db/demand/explain.ts";
import { isId } from "../../../db/core/ids.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { jsonBody } from "../../http/input/validate.ts";
import { documentKeys, readDocuments } from "../../documents/read.ts";
import { armOf } from "../../decision/arms.ts";
import { UNKNOWN_COUNTRY } from "../../decision/country.ts";
import { answer, comesShort } from "../../decision/decide.ts";
import { explain, withoutGross } from "../../decision/explain.ts";
import { accessOf } from "../tracking/report-format.ts";
import { completed } from "../public/narrow.ts";
import {
  parseOfferQuery,
  countryOf,
  decisionRequest,
  invalidRequest,
  parameterNames,
  unknownPlacement,
} from "../public/odata-query.ts";

/** Limits how many offers are explained, the best first: more than anyone reads. */
const MAX_OFFERS = 1_000;

/** Writes a value as the offer endpoint takes it, without an exponent. */
const textOf = (value: string | number | undefined): string => {
  if (typeof value !== "number" || !String(value).includes("e")) return String(value);
  return Math.abs(value) < 1 ? value.toFixed(20) : String(BigInt(value));
};

/**
 * Checks the parameters of the offer endpoint, by their names; numbers may be sent as numbers. A session that is too
 * large for a number has lost digits by now: another session would be explained.
 */
export const parameters = () => {
  const value = z.union([z.string(), z.number()], "must be a string or a number").optional();
  const sessionId = z.union([z.string(), z.int("must be a string")], "must be a string").optional();
  return z.object({
    ...Object.fromEntries(parameterNames().map((name) => [name, value])),
    placementId: value,
    sessionId,
  });
};

/**
 * Answers `POST /api/v1/offers/explain`: what the offer endpoint would answer to the same parameters, and why, for each offer
 * that the caller may know of, at a placement of its own. Counts nothing.
 */
export const explanation = factory.createApp().post("/", allow("owner"), ...jsonBody(parameters), async (c) => {
  const sent = Object.entries(c.req.valid("json")).map(([name, value]) => [name, textOf(value)] as const);
  const { query, problems } = parseOfferQuery(new Map(sent));
  if (problems) throw invalidRequest(problems);
  const { placementId } = query;
  if (!isId("placement", placementId)) throw unknownPlacement(placementId);
  const country = countryOf(c.req, query);
  const known = (first: readonly string[]) =>
    explainPlacement(c.var.db, c.var.actor, placementId, country, first, MAX_OFFERS);
  const [best, documents] = await Promise.all([
    known([]),
    readDocuments(c.env, c.executionCtx, {
      placement: documentKeys.placement(placementId),
      candidates: documentKeys.candidates(placementId, country),
      network: documentKeys.network,
    }),
  ]);
  const { placement, candidates, network } = documents;
  if (!best || !placement) throw unknownPlacement(placementId);
  const { publisher } = best;
  const situation = { publisher, placement, candidates, network };
  const request = decisionRequest(c.req, query, armOf(query.sessionId, query.count, publisher.holdoutPercent));
  const broad = answer(situation, request);
  const used = comesShort(situation, broad, request)
    ? (await completed(c, { placementId, country }, situation, request, broad)).candidates
    : candidates;
  const listed = used?.offers.map(({ id }) => id) ?? [];
  // If some are left out, the best ones by the tables may lack offers that the list has.
  const { offers } = best.offers.length < MAX_OFFERS ? best : ((await known(listed)) ?? best);
  const data = explain({ ...situation, candidates: used }, request, offers, candidates?.offers);
  const told = accessOf(c.var.actor).grossAccess ? data.offers : data.offers.map(withoutGross);
  const decidedOn = { country: country === UNKNOWN_COUNTRY ? null : country, language: request.language ?? null };
  return c.json({ success: true, data: { ...data, ...decidedOn, offers: told } });
});
