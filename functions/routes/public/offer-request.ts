import type { HonoRequest } from "hono";
import { ApiError } from "../../http/errors.ts";
import { isCountry, UNKNOWN_COUNTRY } from "../../decision/country.ts";
import type { DecisionRequest } from "../../decision/order.ts";
import type { OfferQuery, QueryProblems } from "./odata-query.ts";

/** Makes the refusal of parameters that are missing or break a rule. */
export const invalidRequest = ({ missingFields, invalidFields }: QueryProblems): ApiError => {
  const message =
    missingFields.length > 0
      ? `Required parameters are missing: ${missingFields.join(", ")}`
      : `Parameters are invalid: ${invalidFields.map((problem) => `${problem.field} ${problem.message}`).join("; ")}`;
  const details = { missingFields, ...(invalidFields.length > 0 ? { invalidFields } : {}) };
  return new ApiError("VALIDATION_FAILED", message, { shape: "B", details });
};

/** Makes the refusal of a placement that is not there, or not the caller's. */
export const unknownPlacement = (placementId: string): ApiError =>
  new ApiError("NOT_FOUND", "No placement has this id", { details: { placementId } });

/** Tells where the customer is: as the store says, else as the edge sees the connection. */
export const countryOf = (request: HonoRequest, query: OfferQuery): string => {
  const named = query["at.country"];
  if (named !== undefined) return named;
  const edge = request.raw.cf?.country;
  return typeof edge === "string" && isCountry(edge) ? edge : UNKNOWN_COUNTRY;
};

/** Returns the customer's language: as the store says, else what the browser prefers. */
const languageOf = (request: HonoRequest, query: OfferQuery): string | undefined =>
  query["at.language"] ?? /^[A-Za-z]{2,3}(?![A-Za-z])/.exec(request.header("accept-language") ?? "")?.[0].toLowerCase();

/** Returns what the decision depends on of a request. */
export const decisionRequest = (request: HonoRequest, query: OfferQuery): DecisionRequest => ({
  count: query.count,
  session: query.sessionId,
  now: Date.now(),
  language: languageOf(request, query),
  currency: query["at.currency"],
  amount: query["at.amount"],
  paymentType: query["at.paymenttype"],
});
