import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { scriptTag } from "../../support/browser/markup.ts";
import { thankYouPage, WATCH_SHIFTS } from "../../support/browser/shop.ts";
import { eventually, logOf, openStore, untilDrawn, untilLogged, type Store } from "../../support/browser/store.ts";

const KEPT = 384;

const heightOf = (page: Page, selector = "#offers") =>
  page.locator(selector).evaluate((place) => (place as unknown as { offsetHeight: number }).offsetHeight);

const released = (page: Page, selector?: string) => eventually(() => heightOf(page, selector)).toBeLessThan(5);

const shift = (page: Page) => page.evaluate<number>("window.shift");

/** What comes after the offers is long enough to scroll. */
const LONG = "<style>#below { height: 300vh }</style>";

describe("the room that a page keeps for offers", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it.each([
    ["declined the last offer", ".decline"],
    ["closed them all", ".close"],
  ])("goes when the customer has %s", async (_, button) => {
    const asked = await store.placement(1);
    const visit = await store.show({ ...asked, count: 1 });
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    expect(await heightOf(page)).toBe(KEPT);
    await untilDrawn(page);
    // In the click itself: browsers hold nobody to what moves right after one, and customers expect it.
    const height = await page.evaluate<number>(`(() => {
      document.querySelector("#offers > div").shadowRoot.querySelector("${button}").click();
      return document.querySelector("#offers").offsetHeight;
    })()`);
    expect(height).toBeLessThan(5);
    await store.expectCounted(asked, visit, { impressions: 1, closes: 1 });
  });

  it("goes when the customer has accepted the last offer", async () => {
    const asked = await store.placement(1);
    const visit = await store.show({ ...asked, count: 1 });
    await visit.page.getByRole("link", { name: "Yes, please" }).click();
    await untilLogged(visit.page, "onEnd");
    await released(visit.page);
    expect(await heightOf(visit.page)).toBeLessThan(5);
    await store.expectCounted(asked, visit, { impressions: 1, clicks: 1 });
  });

  it("stays in sight when no offers come, and goes out of sight, where nothing moves", async () => {
    const asked = await store.placement(1, { site: { adsEnabled: false } });
    const visit = await store.show(asked, { head: WATCH_SHIFTS + LONG });
    const { page } = visit;
    await untilLogged(page, "onEmpty");
    await page.waitForTimeout(300);
    expect(await heightOf(page)).toBe(KEPT);
    await page.evaluate("scrollTo(0, innerHeight * 2)");
    const before = await page.evaluate<number>("document.querySelector('#below').getBoundingClientRect().top");
    await released(page);
    expect(await page.evaluate("document.querySelector('#below').getBoundingClientRect().top")).toBe(before);
    expect(await shift(page)).toBe(0);
    await store.expectCounted(asked, visit, {});
  });

  it("goes at once when no offers come and it is further down than the customer has read", async () => {
    const asked = await store.placement(1, { site: { adsEnabled: false } });
    const visit = await store.show(asked, { head: `${WATCH_SHIFTS}<style>#offers { margin-top: 200vh }</style>` });
    await untilLogged(visit.page, "onEmpty");
    await released(visit.page);
    expect(await shift(visit.page)).toBe(0);
    await store.expectCounted(asked, visit, {});
  });

  it("goes when the service cannot be asked, and when a place lacks its placement", async () => {
    const asked = await store.placement(1);
    const head = "<style>#offers, [data-lanyap] { margin-top: 200vh }</style>";
    const policy = `script-src 'unsafe-inline' *; connect-src 'self'`;
    const failed = await store.show(asked, { head, headers: { "content-security-policy": policy } });
    await untilLogged(failed.page, "onError NETWORK");
    await released(failed.page);
    const place = `<div data-lanyap style="min-height: 24rem" data-public-key="${asked.publicKey}"></div>`;
    const lacking = await store.visit(thankYouPage(place + scriptTag(store.h.url), head));
    await released(lacking.page, "[data-lanyap]");
    expect([failed.errors, lacking.errors]).toEqual([[], []]);
    await store.expectCounted(asked, failed, {});
  });

  it("is kept again for offers that are asked for again", async () => {
    const asked = await store.placement(1);
    const visit = await store.show({ ...asked, count: 1 });
    const { page } = visit;
    await page.getByRole("button", { name: "No, thanks" }).click();
    await released(page);
    const options = JSON.stringify({ ...asked, container: "#offers", count: 1, attributes: { orderid: "8" } });
    await page.evaluate(`Lanyap.init({ ...${options}, onShow: () => log.push("again") })`);
    await untilLogged(page, "again");
    expect(await heightOf(page)).toBe(KEPT);
    expect(await logOf(page)).toContain("onEnd");
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
  });
});
