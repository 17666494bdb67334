import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { categoryList } from "../../../../db/inventory/categories.ts";
import type { offers } from "../../../../db/schema/demand.ts";
import type { sites } from "../../../../db/schema/inventory.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { isWithheld } from "../../../support/documents/stored.ts";
import { makeAdvertiser, makeInventory, makeOffer, makeUsage } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

type Params = Record<string, string>;
let h: Harness;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

/** What an offer is, what a request for it says, and what else there is. */
type Case = [
  name: string,
  served: boolean,
  offer: Partial<typeof offers.$inferInsert>,
  params?: Params,
  more?: { site?: Partial<typeof sites.$inferInsert>; headers?: Params; usage?: [daysAgo: number, used: number][] },
];

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Inventory of its own for an offer, and how to ask for what is shown there. */
const prepare = async ([, , offer, params, { site: ofSite, headers, usage = [] } = {}]: Case) => {
  const { publisher, site, placement } = await makeInventory(h.db, { site: ofSite ?? {} });
  const { id } = await makeOffer(h.db, advertiserId, { includeSites: [site.id], ...offer });
  for (const [daysAgo, used] of usage) await makeUsage(h.db, id, dayBefore(daysAgo), used);
  const asked = {
    publicKey: publisher.publicKey,
    placementId: placement.id,
    "at.country": "US",
    count: "20",
    ...params,
  };
  return async () => (await askOffers(h, asked, headers)).ids.includes(id);
};

/** Stopped offers are one document for the whole network. */
const publishStopped = async () => {
  await h.rows("insert into publish_outbox (document_key) values ('network')");
  await h.cron();
};

const category = (path: string) => categoryList.find((entry) => entry.path === path)?.id ?? "";

describe("an offer", () => {
  const shoes = category("apparel-and-fashion/footwear");
  const games = category("hobbies-and-leisure/video-games");

  const cases: Case[] = [
    ["open to all", true, {}],
    ["for the country", true, { countries: ["DE", "US"] }],
    ["for another country", false, { countries: ["DE"] }],
    ["for the language", true, { languages: ["en"] }, { "at.language": "en-GB" }],
    ["for the language by its older code", true, { languages: ["he"] }, { "at.language": "iw-IL" }],
    ["for the language by three letters", true, { languages: ["de"] }, { "at.language": "deu" }],
    ["for Norwegian, asked in Bokmål", true, { languages: ["no"] }, { "at.language": "nb-NO" }],
    ["for Norwegian, asked in Nynorsk by three letters", true, { languages: ["no"] }, { "at.language": "nno" }],
    [
      "for Norwegian, in a browser",
      true,
      { languages: ["no"] },
      {},
      { headers: { "accept-language": "nb-NO,nb;q=0.9" } },
    ],
    ["for Norwegian, asked in Danish", false, { languages: ["no"] }, { "at.language": "da" }],
    ["for another language", false, { languages: ["en"] }, { "at.language": "de" }],
    ["for a language, not told", false, { languages: ["en"] }],
    [
      "for the browser's language",
      true,
      { languages: ["en"] },
      {},
      { headers: { "accept-language": "EN-us,de;q=0.5" } },
    ],
    [
      "for the browser's language by its older code",
      true,
      { languages: ["id"] },
      {},
      { headers: { "accept-language": "in-ID,en;q=0.5" } },
    ],
    [
      "for another language than the browser's",
      false,
      { languages: ["en"] },
      {},
      { headers: { "accept-language": "de" } },
    ],
    ["for any browser", false, { languages: ["en"] }, {}, { headers: { "accept-language": "*" } }],
    [
      "for the store's word on the language over the browser's",
      true,
      { languages: ["fr"] },
      { "at.language": "fr" },
      { headers: { "accept-language": "en" } },
    ],
    ["for the currency", true, { currencies: ["EUR"] }, { "at.currency": "eur" }],
    ["for another currency", false, { currencies: ["EUR"] }, { "at.currency": "USD" }],
    ["for the least amount", true, { currencies: ["USD"], amountMin: 50 }, { "at.amount": "50", "at.currency": "USD" }],
    ["for more", false, { currencies: ["USD"], amountMin: 50 }, { "at.amount": "49.99", "at.currency": "USD" }],
    ["for an amount, not told", false, { currencies: ["USD"], amountMin: 0 }, { "at.currency": "USD" }],
    ["for an amount, its currency not told", false, { currencies: ["USD"], amountMin: 0 }, { "at.amount": "50" }],
    ["for less", false, { currencies: ["USD"], amountMax: 50 }, { "at.amount": "50.01", "at.currency": "USD" }],
    ["for the payment type", true, { paymentTypes: ["paypal"] }, { "at.payment_type": "paypal" }],
    ["for another payment type", false, { paymentTypes: ["paypal"] }, { "at.payment_type": "crypto" }],
    ["for the site's category", true, { categoryIds: [games, shoes] }, {}, { site: { categoryId: shoes } }],
    ["for another category", false, { categoryIds: [games] }, {}, { site: { categoryId: shoes } }],
    ["for a category, the site having none", false, { categoryIds: [games] }],
    ["for the site's age", true, { ageDemographics: ["AGE_18_24"] }, {}, { site: { ageDemographics: "AGE_18_24" } }],
    ["for another age", false, { ageDemographics: ["AGE_18_24"] }, {}, { site: { ageDemographics: "AGE_25_34" } }],
    ["for the site's gender", true, { genderDemographics: ["MIXED"] }, {}, { site: { genderDemographics: "MIXED" } }],
    ["for another gender", false, { genderDemographics: ["MALE"] }, {}, { site: { genderDemographics: "MIXED" } }],
    ["for a gender, the site having none", false, { genderDemographics: ["MALE"] }],
    ["for another site", false, { includeSites: [demo.sites.home] }],
    ["for another publisher", false, { includePublishers: [demo.publisherId] }],
    ["not for another publisher", true, { excludePublishers: [demo.publisherId], excludeSites: [demo.sites.home] }],
    ["that has started", true, { startsAt: new Date(Date.now() - 1_000) }],
    ["that starts soon", false, { startsAt: new Date(Date.now() + 300_000) }],
    ["that starts one day", false, { startsAt: new Date("2099-01-01") }],
    ["that ends one day", true, { endsAt: new Date("2099-01-01") }],
    ["that has ended", false, { endsAt: new Date(Date.now() - 1_000) }],
    ["that is paused", false, { status: "paused" }],
    ["that is archived", false, { status: "archived" }],
    ["below its daily cap", true, { dailyCap: 2 }, {}, { usage: [[0, 1]] }],
    ["at its daily cap", false, { dailyCap: 2 }, {}, { usage: [[0, 2]] }],
    ["at its daily cap yesterday", true, { dailyCap: 2 }, {}, { usage: [[1, 2]] }],
    [
      "below its lifetime cap",
      true,
      { lifetimeCap: 5 },
      {},
      {
        usage: [
          [1, 2],
          [0, 2],
        ],
      },
    ],
    [
      "at its lifetime cap",
      false,
      { lifetimeCap: 5 },
      {},
      {
        usage: [
          [9, 2],
          [1, 2],
          [0, 1],
        ],
      },
    ],
  ];
  const isServed = new Map<string, () => Promise<boolean>>();
  beforeAll(async () => {
    for (const given of cases) isServed.set(given[0], await prepare(given));
    await publishStopped();
  });

  it.each(cases)("%s: %j", async (name, served) => {
    expect(await isServed.get(name)?.()).toBe(served);
  });

  it("is for its own site and publisher, and not for those it excludes", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const [forSite, forPublisher, notForSite, notForPublisher] = await Promise.all([
      makeOffer(h.db, advertiserId, { includeSites: [site.id] }),
      makeOffer(h.db, advertiserId, { includePublishers: [publisher.id] }),
      makeOffer(h.db, advertiserId, { includePublishers: [publisher.id], excludeSites: [site.id] }),
      makeOffer(h.db, advertiserId, { includeSites: [site.id], excludePublishers: [publisher.id] }),
    ]);
    const { ids } = await askOffers(h, { publicKey: publisher.publicKey, placementId: placement.id, count: "20" });
    expect(ids).toEqual(expect.arrayContaining([forSite.id, forPublisher.id]));
    expect(ids).not.toContain(notForSite.id);
    expect(ids).not.toContain(notForPublisher.id);
  });

  it("of an advertiser that is not active is not served", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const paused = await makeAdvertiser(h.db, { status: "paused" });
    const { id } = await makeOffer(h.db, paused.id, { includeSites: [site.id] });
    const { ids } = await askOffers(h, { publicKey: publisher.publicKey, placementId: placement.id, count: "20" });
    expect(ids).not.toContain(id);
  });

  it("that is paused leaves answers as soon as that is published", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const { id } = await makeOffer(h.db, advertiserId, { includeSites: [site.id] });
    const ask = async () =>
      (await askOffers(h, { publicKey: publisher.publicKey, placementId: placement.id, count: "20" })).ids;
    expect(await ask()).toContain(id);
    await h.rows("update offers set status = 'paused', changed_at = now() where id = $1", [id]);
    await publishStopped();
    expect(await isWithheld(h, id)).toBe(true);
    // An answer may come from memory if it would have to wait too long for what was published.
    await h.until(ask, (ids) => !ids.includes(id));
  });
});
