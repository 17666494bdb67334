import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAdvertiser, makeInventory, makeOffer } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { DAY, idAt, makeHit, message } from "../support/hits.ts";
import { documentKey } from "../../db/documents/keys.ts";
import { storedDocument } from "../support/stored.ts";

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  inventory = await makeInventory(h.db);
  advertiserId = (await makeAdvertiser(h.db)).id;
  await h.worker.scheduled({ cron: "* * * * *" });
});
afterAll(() => h.close());

const served = async (): Promise<string[]> => {
  const path = `/api/odata?placementId=${inventory.placement.id}&sessionId=s&at.orderid=o&at.country=US&count=20`;
  const answer = await h.fetch(path, { headers: { Authorization: `Bearer ${inventory.publisher.publicKey}` } });
  const { offers } = (await answer.json()) as { offers: { bannerId: string }[] };
  return offers.map((offer) => offer.bannerId);
};
const networkDocument = async () =>
  (await storedDocument(h, documentKey.network)) as { builtAt: number; value: { stopped: Record<string, number> } };
const clicks = (offerId: string, count: number, occurredAt = Date.now()) =>
  Array.from({ length: count }, () =>
    message(makeHit({ offerId, occurredAt, decisionId: idAt("decision", occurredAt - 1_000) })),
  );
/** Makes offers that candidates hold from the start, so that only the offers document can stop them. */
const makeCapped = async (caps: { dailyCap?: number; lifetimeCap?: number }) => {
  const offer = await makeOffer(h.db, advertiserId, { ...caps, includeSites: [inventory.site.id] });
  await h.rows("insert into publish_outbox (document_key) values ('network')");
  await h.worker.scheduled({ cron: "* * * * *" });
  expect(await served()).toContain(offer.id);
  return offer.id;
};

describe("a cap", () => {
  it("of a day stops its offer until the next UTC midnight, by one publication", async () => {
    const id = await makeCapped({ dailyCap: 3 });
    await h.deliver(clicks(id, 2));
    expect(await served()).toContain(id);
    await h.deliver(clicks(id, 1));
    expect(await served()).not.toContain(id);
    expect(await h.rows("select * from publish_outbox")).toEqual([]);
    const document = await networkDocument();
    const midnight = (Math.floor(Date.now() / DAY) + 1) * DAY;
    expect(document.value.stopped[id]).toBe(midnight);

    await h.deliver(clicks(id, 5));
    expect(await h.rows("select * from publish_outbox")).toEqual([]);
    expect(await networkDocument()).toEqual(document);
  });

  it("for life stops its offer for good, days added up", async () => {
    const id = await makeCapped({ lifetimeCap: 4 });
    await h.deliver(clicks(id, 2, Date.now() - DAY));
    await h.deliver([...clicks(id, 1, Date.now() - DAY), ...clicks(id, 1)]);
    expect(await served()).not.toContain(id);
    expect((await networkDocument()).value.stopped[id]).toBe(0);
  });
});
