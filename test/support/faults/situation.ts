import { requestOffers } from "../ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../factories.ts";
import type { Harness } from "../harness.ts";
import { keysOf, untilStored } from "../documents/stored.ts";

export type Inventory = Awaited<ReturnType<typeof makeInventory>>;

/**
 * Describes an answer of the offer endpoint: the offers' ids and tokens, the reason why there are none, and the body.
 */
export type Offered = { status: number; ids: string[]; tokens: string[]; noFill: string | null; body: unknown };

/** Asks for all offers that a placement has in a country. */
export const ask = async (
  h: Harness,
  { publisher }: Pick<Inventory, "publisher">,
  placementId: string,
  country = "US",
): Promise<Offered> => {
  const asked = { publicKey: publisher.publicKey, placementId, "at.country": country, count: "20" };
  const response = await requestOffers(h, asked);
  const body = (await response.json()) as { offers?: { bannerId: string; clickUrl: string }[] };
  const offers = body.offers ?? [];
  return {
    status: response.status,
    ids: offers.map((offer) => offer.bannerId),
    tokens: offers.map((offer) => new URL(offer.clickUrl).searchParams.get("t") ?? ""),
    noFill: response.headers.get("x-no-fill-reason"),
    body,
  };
};

/** Makes a placement that was asked for before, so that its documents are in KV and in the isolate's memory. */
export const makeSeen = async (h: Harness, inventory: Inventory): Promise<string> => {
  const { id } = await makePlacement(h.db, inventory.site.id);
  await ask(h, inventory, id);
  await untilStored(h, keysOf(inventory.publisher.publicKey, id));
  return id;
};

/** Makes a publisher with a site, a placement that was asked for before, and an offer for that site. */
export const makeSituation = async (h: Harness) => {
  const inventory = await makeInventory(h.db);
  const advertiser = await makeAdvertiser(h.db);
  const destinationUrl = "https://advertiser.example/";
  const offer = await makeOffer(h.db, advertiser.id, { includeSites: [inventory.site.id], destinationUrl });
  return { inventory, advertiser, offer, seen: await makeSeen(h, inventory) };
};

/** Returns the round trips that requests waited for, without those of writers, the cron and consumers. */
export const tripsOf = (h: Harness): string[][] =>
  h.database.trips.filter((statements) => !/publish_outbox|request_flushes|incoming/.test(statements.join()));

/**
 * Holds back the database's answers until the returned function is called. To let later queries through, set
 * `h.database.hold` to null.
 */
export const holdDatabase = (h: Harness): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  h.database.hold = promise;
  return () => {
    h.database.hold = null;
    resolve();
  };
};
