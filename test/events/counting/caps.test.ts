import { askOffers } from "../../support/ask-offers.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { DAY, idAt, makeHit, message } from "../../support/tracking/hits.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { isWithheld, storedText, untilStored } from "../../support/documents/stored.ts";

let h: Harness;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
  await h.cron();
});
afterAll(() => h.close());

const clicks = (offerId: string, count: number, occurredAt = Date.now()) =>
  Array.from({ length: count }, () =>
    message(makeHit({ offerId, occurredAt, decisionId: idAt("decision", occurredAt - 1_000) })),
  );
/** Makes an offer that candidates hold from the start, so that only the list of changes can withhold it. */
const makeCapped = async (caps: { dailyCap?: number; lifetimeCap?: number }) => {
  const { publisher, site, placement } = await makeInventory(h.db);
  const { id } = await makeOffer(h.db, advertiserId, { ...caps, includeSites: [site.id] });
  await h.rows("insert into publish_outbox (document_key) values ('network')");
  await h.cron();
  const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", count: "20" };
  /**
   * Tells whether it is served; it may be for a while if answers would have to wait too long for what was published.
   */
  const isServed = async () => (await askOffers(h, asked)).ids.includes(id);
  expect(await isServed()).toBe(true);
  await untilStored(h, [documentKey.candidates(placement.id, "US")]);
  return { id, isServed };
};
const networkText = () => storedText(h, documentKey.network);

describe("a cap", () => {
  it("of a day stops its offer, by one publication", async () => {
    const { id, isServed } = await makeCapped({ dailyCap: 3 });
    await h.deliver(clicks(id, 2));
    expect(await isServed()).toBe(true);
    await h.deliver(clicks(id, 1));
    expect(await h.rows("select * from publish_outbox")).toEqual([]);
    expect(await isWithheld(h, id)).toBe(true);
    await h.until(isServed, (served) => !served);
    expect(
      await h.rows("select (capped_through = (now() at time zone 'UTC')::date) as today from offers where id = $1", [
        id,
      ]),
    ).toEqual([{ today: true }]);

    const published = await networkText();
    await h.deliver(clicks(id, 5));
    expect(await h.rows("select * from publish_outbox")).toEqual([]);
    expect(await networkText()).toBe(published);
  });

  it("for life stops its offer for good, days added up", async () => {
    const { id, isServed } = await makeCapped({ lifetimeCap: 4 });
    await h.deliver(clicks(id, 2, Date.now() - DAY));
    expect(await isServed()).toBe(true);
    await h.deliver([...clicks(id, 1, Date.now() - DAY), ...clicks(id, 1)]);
    expect(await isWithheld(h, id)).toBe(true);
    await h.until(isServed, (served) => !served);
    expect(await h.rows("select capped_through::text as day from offers where id = $1", [id])).toEqual([
      { day: "infinity" },
    ]);
  });
});
