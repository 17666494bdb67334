import { openToken, type TrackedOffer } from "../../functions/answer/tracking-token.ts";
import type { Envelope, Offer } from "../../functions/answer/envelope.ts";
import { parseKeyRing } from "../../db/core/secrets/secrets.ts";
import type { Harness } from "./harness.ts";
import { SECRETS } from "./secrets.ts";

type Params = Record<string, string>;
type Asked = { publicKey: string; placementId: string } & Params;

/** Returns the path of a request for offers. */
export const offersPath = (params: Params): string => `/api/odata?${new URLSearchParams(params).toString()}`;

/** Asks for offers with all required parameters, and with `publicKey` as the bearer. */
export const requestOffers = (h: Harness, asked: Asked, headers: Record<string, string> = {}) => {
  const { publicKey, ...params } = asked;
  return h.fetch(offersPath({ sessionId: "s-1", "at.orderid": "1001", ...params }), {
    headers: { authorization: `Bearer ${publicKey}`, ...headers },
  });
};

/** Asks for offers and reads the answer, which has to be a success. */
export const askOffers = async (
  h: Harness,
  asked: Asked,
  headers: Record<string, string> = {},
): Promise<Envelope & { ids: string[]; noFillReason: string | null }> => {
  const response = await requestOffers(h, asked, headers);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const envelope = (await response.json()) as Envelope;
  return {
    ...envelope,
    ids: envelope.offers.map((offer) => offer.bannerId),
    noFillReason: response.headers.get("x-no-fill-reason"),
  };
};

/**
 * Reads the tracking token of an offer.
 *
 * @throws {Error} when it has no valid one
 */
export const trackedOf = async (offer: Offer | undefined): Promise<TrackedOffer> => {
  const token = new URL(offer?.clickUrl ?? "").searchParams.get("t") ?? "";
  const opened = openToken(parseKeyRing(SECRETS.TRACKING_KEYS), token);
  if (!opened) throw new Error("an offer has no valid token");
  return opened;
};
