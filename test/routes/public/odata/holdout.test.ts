import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { armOf, ARMS } from "../../../../functions/decision/arms.ts";
import { api } from "../../../support/api.ts";
import { askOffers, trackedOf } from "../../../support/ask-offers.ts";
import { explaining } from "../../../support/explaining.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

// Offers of other tests would compete.
let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());
const { explain } = explaining(() => h);

/** Makes a placement of a publisher with a share, and two offers there: one with a high bid, and one that is clicked. */
const makePlace = async (holdoutPercent: number) => {
  const { publisher, site, placement } = await makeInventory(h.db, { publisher: { holdoutPercent } });
  const offers = await Promise.all(
    [2_000_000, 500_000].map(async (bidMicros, i) => {
      const advertiser = await makeAdvertiser(h.db);
      const offer = await makeOffer(h.db, advertiser.id, {
        priority: 1,
        pricing: "CPC",
        bidMicros,
        includeSites: [site.id],
        createdAt: new Date("2026-01-01"),
      });
      await h.rows(
        `insert into rate_offers (offer_id, clicks, exposure, advertiser_click_rate, advertiser_conversion_rate)
        values ($1, $2, 100000, 0.02, 0.05)`,
        [offer.id, i === 0 ? 100 : 10_000],
      );
      return offer.id;
    }),
  );
  const ask = (sessionId: string, count = "2") =>
    askOffers(h, { publicKey: publisher.publicKey, placementId: placement.id, sessionId, count });
  return { publisher, placement, offers, ask };
};

const sessions = Array.from({ length: 160 }, (_, i) => `held-${i}`);

describe("a session that is held out", () => {
  it("is named so in its tokens, and sees offers by their bids for the most part, others by what was learned", async () => {
    const { offers, ask } = await makePlace(50);
    const firsts = { [ARMS.learned]: 0, [ARMS.holdout]: 0, [ARMS.random]: 0 };
    const asked = { ...firsts };
    for (const session of sessions) {
      const { offers: answered, ids } = await ask(session);
      const { arm } = await trackedOf(answered[0]);
      expect(arm).toBe(armOf(session, 2, 50));
      asked[arm as keyof typeof asked] += 1;
      if (ids[0] === offers[0]) firsts[arm as keyof typeof firsts] += 1;
    }
    expect(asked[ARMS.learned]).toBeGreaterThan(5);
    expect(asked[ARMS.holdout]).toBeGreaterThan(5);
    expect(firsts[ARMS.learned]).toBe(0);
    expect(firsts[ARMS.holdout]).toBeGreaterThan(asked[ARMS.holdout] / 2);
  });

  it("is held out of answers of one offer, too", async () => {
    const { ask } = await makePlace(50);
    const session = sessions.find((name) => armOf(name, 1, 50) === ARMS.holdout) ?? "";
    expect((await trackedOf((await ask(session, "1")).offers[0])).arm).toBe(ARMS.holdout);
  });

  it("is explained as it is served, without a draw from what was learned", async () => {
    const { placement, ask } = await makePlace(50);
    for (const sessionId of sessions.filter((name) => armOf(name, 2, 50) === ARMS.holdout).slice(0, 5)) {
      const { offers } = await explain(placement.id, { sessionId, count: 2 });
      const served = offers.filter((offer) => offer.served);
      expect(served.map(({ offerId }) => offerId)).toEqual((await ask(sessionId)).ids);
      expect(served.map(({ expectation }) => expectation?.score)).toEqual([null, null]);
    }
  });

  it("is one no more as soon as its publisher holds nobody out", async () => {
    const { publisher, ask } = await makePlace(50);
    const session = sessions.find((name) => armOf(name, 2, 50) === ARMS.holdout) ?? "";
    const arm = async () => (await trackedOf((await ask(session)).offers[0])).arm;
    expect(await arm()).toBe(ARMS.holdout);
    const token = publisher.privateKey;
    const path = `/api/v1/publishers/${publisher.id}/order`;
    expect((await api(h, "PATCH", path, { token, body: { holdoutPercent: 0 } })).status).toBe(200);
    await h.until(arm, (now) => now === ARMS.learned);
  });
});
