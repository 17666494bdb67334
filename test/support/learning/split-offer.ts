import type { Offer } from "../../../functions/answer/envelope.ts";
import type { Verdict } from "../../../functions/decision/explain.ts";
import { api, dataOf, type Method } from "../api.ts";
import { askOffers } from "../ask-offers.ts";
import { creativeBody, makeInventory, makePlatform, offerBody } from "../factories.ts";
import type { Harness } from "../harness.ts";
import { compact, day } from "../tracking/reporting.ts";

/** Names where the other creative leads. */
export const OTHER = "https://advertiser.example/other";

/**
 * Makes an offer with a second creative, shown by a placement of its platform, and functions to change, show and report
 * it.
 */
export const makeSplitOffer = async (h: Harness, given: object = {}) => {
  const platform = await makePlatform(h.db);
  const inventory = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const { publisher, site, placement } = inventory;
  const call = async <Data = { id: string }>(method: Method, path: string, body?: object) =>
    dataOf<Data>(await api(h, method, `/api/v1${path}`, { token: platform.token, body }));
  const advertiser = await call<{ id: string; conversionSecret: string }>("POST", "/advertisers", {
    name: `Advertiser ${site.id}`,
  });
  const targeting = { includeSites: [site.id] };
  const own = { targeting, destinationUrl: "https://advertiser.example/own", bidMicros: 100_000, ...given };
  const { id } = await call("POST", "/offers", offerBody(advertiser.id, own));
  const path = `/offers/${id}/creatives`;
  const body = creativeBody({ destinationUrl: OTHER });
  const creative = `${path}/${(await call("POST", path, body)).id}`;
  const find = async (sessionId: string): Promise<Offer | undefined> => {
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", sessionId };
    return (await askOffers(h, asked)).offers.find(({ bannerId }) => bannerId === id);
  };
  /** Shows the offer to a session, after its list was renewed by an earlier request. */
  const show = async (sessionId: string, title?: string): Promise<Offer> => {
    const shown = await h.until(
      () => find(sessionId),
      (offer) => offer !== undefined && (title === undefined || offer.title === title),
    );
    if (!shown) throw new Error("the offer was not shown");
    return shown;
  };
  const rows = async (query: string) =>
    dataOf<Record<string, unknown>[]>(
      await api(h, "GET", `/api/report?dateStart=${compact(day())}&dateEnd=${compact(day())}&offerId=${id}&${query}`, {
        token: platform.token,
      }),
    );
  const explain = async (sessionId = "s") => {
    const asked = { placementId: placement.id, sessionId, "at.orderid": "1", "at.country": "US" };
    const { offers } = await call<{ offers: Verdict[] }>("POST", "/offers/explain", asked);
    return offers.find(({ offerId }) => offerId === id);
  };
  return { ...inventory, advertiser, id, offer: `/offers/${id}`, creative, path, call, show, rows, explain };
};
