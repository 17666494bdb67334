import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openConsole, signIn, visitConsole } from "../../support/browser/console.ts";
import { holding } from "../../support/browser/holding.ts";
import { openStore, type Store } from "../../support/browser/store.ts";
import { makeInventory, makeOffer, makeAdvertiser, makePlatform } from "../../support/factories.ts";
import { ALL, day, reporting } from "../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const { count } = reporting(() => store.h);

/** Makes a platform with one of everything. */
const makeNetwork = async () => {
  const platform = await makePlatform(store.h.db);
  const inventory = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id);
  const pages: Record<string, string> = {
    overview: "",
    publisher: `/publishers/${inventory.publisher.id}`,
    site: `/sites/${inventory.site.id}`,
    placement: `/placements/${inventory.placement.id}`,
    advertiser: `/advertisers/${advertiser.id}`,
    offer: `/offers/${offer.id}`,
  };
  return { platform, ...inventory, advertiser, offer, pages };
};

describe.each([
  ["a screen", { width: 1280, height: 900 }],
  ["a phone", { width: 390, height: 800 }],
])("on %s, what somebody is about to click on stays in its place when figures come", (_, viewport) => {
  it.each([
    ["overview", "nothing"],
    ["overview", "something"],
    ["publisher", "nothing"],
    ["publisher", "something"],
    ["site", "nothing"],
    ["placement", "something"],
    ["advertiser", "nothing"],
    ["offer", "nothing"],
    ["offer", "something"],
  ])("%s of which %s was counted", async (kind, counted) => {
    const { platform, placement, advertiser, offer, pages } = await makeNetwork();
    if (counted === "something") {
      const ofOffer = { offerId: offer.id, advertiserId: advertiser.id };
      await count(placement.id, { requests: 10, fills: 9, impressions: 9, revenueMicros: 5_000_000 });
      await count(placement.id, { ...ofOffer, impressions: 9, clicks: 2, revenueMicros: 5_000_000 });
    }
    const { page } = await openConsole(store, `/console${pages[kind]}`, { viewport });
    const { asked, letGo } = await holding(page, /\/api\/(?:report\?|v1\/overview)/);
    await signIn(page, platform.token);
    await asked;
    const card = page.getByRole("region", { name: "The last 30 days", exact: true });
    const around = async () => {
      const [tiles, own] = [await page.locator(".tiles").boundingBox(), await card.boundingBox()];
      // On the overview stands between them what needs attention, in as many lines as there are.
      const at = kind === "overview" ? null : own?.y;
      return [tiles?.y, tiles?.height, at, Math.round(own?.height ?? 0)];
    };
    await card.getByRole("status", { name: "Loading" }).waitFor();
    const before = await around();
    letGo();
    if (counted === "nothing") await card.getByRole("heading", { name: "Nothing has been counted yet" }).waitFor();
    else await card.locator("canvas").waitFor();
    await page.locator(".tiles .delta").first().waitFor();
    expect(await around()).toEqual(before);
  });
});

const top = async (locator: Locator) => (await locator.boundingBox())?.y;

describe("reports", () => {
  it("move nothing that may be clicked when figures come later than rows", async () => {
    const { publisher, placement, advertiser, offer } = await makeNetwork();
    await count(placement.id, { ...ALL, offerId: offer.id, advertiserId: advertiser.id, day: day(-1) });
    const { page } = await visitConsole(store, publisher.privateKey);
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: offer.name }) });
    const [totals, chart] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = (what: RegExp, until: Promise<void>) =>
      page.route(what, async (route) => {
        await until;
        await route.continue();
      });
    await hold(/\/api\/report\?.*reportType=TOTAL/, totals.promise);
    await hold(/\/chart-[^/]*\.js$/, chart.promise);
    await page.getByRole("link", { name: "Reports" }).click();
    await Promise.all([
      page.waitForEvent("requestfinished", (request) => /\/api\/report\?.*reportType=OFFER/.test(request.url())),
      page.getByLabel("Rows").selectOption("OFFER"),
    ]);
    const tool = page.getByRole("button", { name: "One offer …" });
    const before = await top(tool);
    expect(await row.count()).toBe(0);
    totals.resolve();
    await row.waitFor();
    const first = await top(row);
    expect(await page.locator(".chart canvas").count()).toBe(0);
    chart.resolve();
    await page.locator(".chart canvas").waitFor();
    expect(await top(tool)).toBe(before);
    expect(await top(row)).toBe(first);
  });
});
