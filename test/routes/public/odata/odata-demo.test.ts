import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { demoOffers } from "../../../../db/demo/offers.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { makeInventory } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

type Params = Record<string, string>;
let h: Harness;
const live = { publicKey: demo.publicKey, placementId: demo.placements.live };

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const admits = (values: readonly string[] | undefined, value: string | undefined) =>
  !values?.length || values.includes(value ?? "");

describe("the demo network", () => {
  const requests: [string, Params][] = [
    ["US, English", { "at.country": "US", "at.language": "en" }],
    [
      "US, with an amount and a currency",
      { "at.country": "US", "at.language": "en-US", "at.amount": "80", "at.currency": "USD" },
    ],
    [
      "US, a high amount by card",
      {
        "at.country": "US",
        "at.language": "en",
        "at.amount": "900",
        "at.currency": "USD",
        "at.paymenttype": "creditCard",
      },
    ],
    ["US, by wallet", { "at.country": "US", "at.language": "en", "at.paymenttype": "applePay" }],
    ["DE, German", { "at.country": "de", "at.language": "de-DE" }],
    ["FR, French", { "at.country": "FR", "at.language": "fr" }],
    ["FR, 80 euros", { "at.country": "FR", "at.language": "fr", "at.amount": "80", "at.currency": "eur" }],
    ["GB, English", { "at.country": "GB", "at.language": "en" }],
    ["MX, Spanish", { "at.country": "MX", "at.language": "es" }],
    ["JP, Japanese", { "at.country": "JP", "at.language": "ja" }],
  ];

  it.each(requests)("serves %s four offers, each meant for it, in order of priority", async (_, params) => {
    const { ids, noFillReason } = await askOffers(h, { ...live, ...params });
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(noFillReason).toBeNull();
    const chosen = ids.map((id) => demoOffers.find((offer) => offer.id === id));
    for (const offer of chosen) {
      expect(offer?.status ?? "active").toBe("active");
      expect(admits(offer?.countries, params["at.country"]?.toUpperCase())).toBe(true);
      expect(admits(offer?.languages, params["at.language"]?.slice(0, 2))).toBe(true);
      expect(admits(offer?.currencies, params["at.currency"]?.toUpperCase())).toBe(true);
      expect(admits(offer?.paymentTypes, params["at.paymenttype"])).toBe(true);
      expect(admits(offer?.includeSites, demo.sites.trail)).toBe(true);
      expect(offer?.excludeSites ?? []).not.toContain(demo.sites.trail);
      expect(offer?.excludePublishers ?? []).not.toContain(demo.publisherId);
      // An amount that is not told is NaN, which lies in no range.
      const amount = Number(params["at.amount"]);
      expect(offer?.amountMin === undefined || amount >= Number(offer.amountMin)).toBe(true);
      expect(offer?.amountMax === undefined || amount <= Number(offer.amountMax)).toBe(true);
    }
    const priorities = chosen.map((offer) => offer?.priority ?? 5);
    expect(priorities).toEqual(priorities.toSorted((a, b) => a - b));
  });

  it("serves each of them others", async () => {
    const sets = await Promise.all(
      requests.map(async ([, params]) => (await askOffers(h, { ...live, ...params })).ids.toSorted().join()),
    );
    expect(new Set(sets).size).toBe(requests.length);
  });

  it("fills any publisher's placement for a US, English request", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const asked = {
      publicKey: publisher.publicKey,
      placementId: placement.id,
      "at.country": "US",
      "at.language": "en",
    };
    expect((await askOffers(h, { ...asked, count: "6" })).offers).toHaveLength(6);
  });
});
