import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askOffers } from "../../support/ask-offers.ts";
import { CUSTOMER, explaining, type Explained } from "../../support/explaining.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeOffers } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { FRENCH_FACTS, makeCut } from "../../support/network/cut.ts";

let h: Harness;
let cut: Awaited<ReturnType<typeof makeCut>>;
const { explain } = explaining(() => h);

beforeAll(async () => {
  h = await startHarness();
  cut = await makeCut(h);
});
afterAll(() => h.close());

const servedIn = ({ offers }: Explained) =>
  offers.filter(({ served }) => served).map(({ offerId, rank }) => [offerId, rank]);
/** Asks until offers are served: a narrower list that is not built in time is there for the next answer. */
const explainFilled = (placementId: string, params: object, token?: string) =>
  h.until(
    () => explain(placementId, params, token),
    (explained) => servedIn(explained).length > 0,
  );
const ranked = (ids: readonly string[]) => ids.map((id, i) => [id, i + 1]);

describe("where the list of candidates is cut", () => {
  const asked = { ...FRENCH_FACTS, count: "3" };

  it("offers are served that come of a narrower list", async () => {
    const explained = await explainFilled(cut.placement.id, asked);
    const { publicKey } = cut.publisher;
    const { ids } = await askOffers(h, { publicKey, placementId: cut.placement.id, ...CUSTOMER, ...asked });
    expect(ids.toSorted()).toEqual(cut.french);
    expect(explained.noFillReason).toBeNull();
    expect(servedIn(explained)).toEqual(ranked(ids));
  });

  it("the others have what the request says against them as their reason", async () => {
    const { offers } = await explainFilled(cut.placement.id, asked);
    const reasons = new Map(offers.map(({ offerId, reason }) => [offerId, reason]));
    expect([reasons.get(cut.gated[0] ?? ""), reasons.get(cut.french[0] ?? "")]).toEqual(["currency", null]);
  });
});

describe("where more offers may serve than are told", () => {
  it("the served one is told with its rank, though all others are worth more", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const { id: advertiserId } = await makeAdvertiser(h.db);
    const includeSites = [site.id];
    await makeOffers(h.db, advertiserId, 1_100, () => ({ includeSites, languages: ["de"], bidMicros: 900_000 }));
    const { id } = await makeOffer(h.db, advertiserId, { includeSites, languages: ["fr"], bidMicros: 1 });
    for (const token of [undefined, publisher.privateKey]) {
      const explained = await explainFilled(placement.id, { ...FRENCH_FACTS, count: 1 }, token);
      expect(servedIn(explained)).toEqual([[id, 1]]);
      expect(explained.offers).toHaveLength(1_000);
    }
  });
});
