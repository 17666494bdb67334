import type { Verdict } from "../../functions/decision/explain.ts";
import { api, dataOf } from "./api.ts";
import type { Harness } from "./harness.ts";
import { SECRETS } from "./secrets.ts";

/** Holds what explain answers. */
export type Explained = {
  isTestMode: boolean;
  noFillReason: string | null;
  country: string | null;
  language: string | null;
  offers: Verdict[];
};

/** Holds a customer, as a request for offers names one. */
export const CUSTOMER = { sessionId: "s-1", "at.orderid": "1001", "at.country": "US" };

/** Makes what tests of explain need: a call with any body, and one for {@link CUSTOMER} at a placement. */
export const explaining = (harness: () => Harness) => {
  const post = (body: object, token: string = SECRETS.ADMIN_TOKEN, headers = {}) =>
    api(harness(), "POST", "/api/v1/offers/explain", { token, body, headers });
  const explain = async (placementId: string, params: object = {}, token?: string) =>
    dataOf<Explained>(await post({ placementId, ...CUSTOMER, ...params }, token));
  return { post, explain };
};
