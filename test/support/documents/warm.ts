import { makeAdvertiser, makeInventory, makePlacement } from "../factories.ts";
import { startHarness, type Harness } from "../harness.ts";
import { keysOf, untilStored } from "./stored.ts";

type Answer = { status: number; offers: string[]; body: unknown };

/** Lists round trips, except those of publications and consumers, which no request waits for. */
export const tripsOf = ({ database }: Harness): string[][] =>
  database.trips.filter((statements) => !/publish_outbox|request_flushes/.test(statements.join()));

/** Asks for twenty offers, for a customer in the United States. */
export const askOf = async (h: Harness, placementId: string, publicKey: string): Promise<Answer> => {
  const path = `/api/odata?placementId=${placementId}&sessionId=s&at.orderid=o&at.country=US&at.language=en&count=20`;
  const response = await h.fetch(path, { headers: { Authorization: `Bearer ${publicKey}` } });
  const body = (await response.json()) as { offers?: { bannerId: string }[] };
  return { status: response.status, offers: (body.offers ?? []).map((offer) => offer.bannerId), body };
};

/** Opens a harness with a publisher, for whose placements a test puts documents into KV and removes them. */
export const openWarm = async () => {
  const h = await startHarness();
  const inventory = await makeInventory(h.db);
  const advertiserId = (await makeAdvertiser(h.db)).id;
  const { publicKey } = inventory.publisher;
  const ask = (placementId: string): Promise<Answer> => askOf(h, placementId, publicKey);
  /** Makes a placement of its own whose documents are all in KV. */
  const makeWarm = async (): Promise<string> => {
    const { id } = await makePlacement(h.db, inventory.site.id);
    await ask(id);
    await untilStored(h, keysOf(publicKey, id));
    return id;
  };
  const publishOffers = async (): Promise<void> => {
    await h.rows("insert into publish_outbox (document_key) values ('network')");
    await h.cron();
  };
  return { h, inventory, advertiserId, ask, makeWarm, publishOffers, trips: () => tripsOf(h) };
};
