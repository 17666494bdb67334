import type { Context } from "hono";
import { connect } from "../../../db/core/client.ts";
import { isWithheld } from "../../../db/documents/withheld.ts";
import { findDestination } from "../../../db/tracking/destinations.ts";
import { fillMacros, shopOf } from "../../answer/destination.ts";
import type { TrackedOffer } from "../../answer/tracking-token.ts";
import { settingsOf } from "../../env.ts";
import { destinationOf } from "../../decision/creatives.ts";
import { SAMPLE_OFFERS } from "../../decision/samples.ts";
import { documentKeys, readDocuments } from "../../documents/read.ts";
import { ApiError } from "../../http/errors.ts";
import type { AppEnv } from "../../http/factory.ts";

const NOTHING = { candidates: null, placement: null, network: null };

/** Reads what the edge knows of a click's offer and site: nothing if neither KV nor Postgres has it. */
const knownOf = async (c: Context<AppEnv>, offer: TrackedOffer) => {
  try {
    return await readDocuments(c.env, c.executionCtx, {
      candidates: documentKeys.candidates(offer.placementId, offer.country),
      placement: documentKeys.placement(offer.placementId),
      network: documentKeys.network,
    });
  } catch {
    return NOTHING;
  }
};

/** Finds an offer as it was shown among those that may be shown now, none of which is archived or deleted. */
const servedNow = async (c: Context<AppEnv>, offer: TrackedOffer) => {
  const { candidates, placement, network } = await knownOf(c, offer);
  const offers = offer.isTest ? SAMPLE_OFFERS : (candidates?.offers ?? []);
  const shown = offers.find(({ id, revision }) => id === offer.offerId && revision === offer.revision);
  if (!shown || (!offer.isTest && (network === null || isWithheld(network, shown)))) return null;
  const url = destinationOf(shown, offer.creative);
  return url === null ? null : { url, advertiserSerial: shown.advertiserSerial, siteId: placement?.siteId ?? "" };
};

/** Says where a click leads: to its offer or, because that has ended, to the shop, if the shop is known. */
export type Lead = { to: "offer"; url: string } | { to: "shop"; url: string | null };

/**
 * Finds where a click leads, from the service's own data only: where its offer led when it was shown. A click that has
 * expired, or whose offer or advertiser is archived or deleted, leads to the shop.
 *
 * @throws {ApiError} 404 for an offer that never existed; another error when Postgres is needed, but down
 */
export const leadOf = async (c: Context<AppEnv>, offer: TrackedOffer, isOver: boolean): Promise<Lead> => {
  const filled = (url: string, advertiserSerial: number, siteId: string): Lead => ({
    to: "offer",
    url: fillMacros(url, offer, { siteId, advertiserSerial, sessionKey: settingsOf(c.env).SESSION_KEY }),
  });
  const served = isOver ? null : await servedNow(c, offer);
  if (served) return filled(served.url, served.advertiserSerial, served.siteId);
  const known = await findDestination(connect(c.env.DATABASE_URL), offer);
  if (isOver || known?.isOver) return { to: "shop", url: shopOf(known?.domain ?? null) };
  if (!known || known.url === null) throw new ApiError("NOT_FOUND", "This offer no longer exists");
  return filled(known.url, known.advertiserSerial ?? 0, known.siteId ?? "");
};
