import { beforeAll, describe, expect, it } from "vitest";
import { initScript, thankYouPage } from "../support/browser/shop.ts";
import { logOf, openStore, untilDrawn, untilLogged, type Store, type Visit } from "../support/browser/store.ts";

/** Lists how the closes that a page sent came about. */
const closings = ({ beacons }: Visit) =>
  beacons.filter((address) => address.includes("/close?")).map((address) => new URL(address).searchParams.get("r"));

const withoutViews = (log: string) => log.replaceAll(/onView \d, /g, "").replace(/, onView \d$/, "");

describe("offers in a shop's page", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it("shows the first offer and counts it once as displayed, once as viewable", async () => {
    const asked = await store.placement();
    const visit = await store.show(asked);
    const { page } = visit;
    expect(await page.getByRole("heading", { level: 2 }).textContent()).toMatch(/^Offer [12]$/);
    expect(await page.locator(".count").textContent()).toBe("1 of 2");
    await untilLogged(page, "onView 0");
    expect(await logOf(page)).toBe("onReady 2, onShow 0, onView 0");
    await store.expectCounted(asked, visit, { impressions: 1, viewables: 1 });
  });

  it("follows a declined offer with the next, and ends after the last", async () => {
    const asked = await store.placement();
    const visit = await store.show(asked);
    const { page } = visit;
    const first = await page.getByRole("heading", { level: 2 }).textContent();
    const close = page.waitForRequest(/\/close\?t=/);
    await page.getByRole("button", { name: "No, thanks" }).click();
    // What only sendBeacon sends: the page may be left at once.
    expect((await close).resourceType()).toBe("ping");
    expect(await page.getByRole("heading", { level: 2 }).textContent()).not.toBe(first);
    await page.getByRole("button", { name: "No, thanks" }).click();
    await untilLogged(page, "onEnd");
    expect(await page.getByRole("heading", { level: 2 }).count()).toBe(0);
    expect(withoutViews(await logOf(page))).toBe(
      "onReady 2, onShow 0, onClose 0 decline, onShow 1, onClose 1 decline, onEnd",
    );
    await store.expectCounted(asked, visit, { impressions: 2, closes: 2 });
    expect(closings(visit)).toEqual(["decline", "decline"]);
  });

  it("opens an accepted offer in a new tab that cannot reach the page, and shows the next", async () => {
    const asked = await store.placement();
    const visit = await store.show(asked);
    const { page, context } = visit;
    const accept = page.getByRole("link", { name: "Yes, please (opens in a new tab)" });
    expect(await accept.getAttribute("rel")).toBe("noreferrer sponsored");
    expect(await page.locator("#offers img.icon").getAttribute("referrerpolicy")).toBe("no-referrer");
    const [tab] = await Promise.all([context.waitForEvent("page"), accept.click()]);
    await tab.waitForURL(/^https:\/\/advertiser\.example\/landing\?click=\w/);
    expect(await tab.evaluate("window.opener")).toBeNull();
    await untilLogged(page, "onShow 1");
    expect(await page.locator(".count").textContent()).toBe("2 of 2");
    expect(withoutViews(await logOf(page))).toBe("onReady 2, onShow 0, onClick 0, onShow 1");
    await store.expectCounted(asked, visit, { impressions: 2, clicks: 1 });
  });

  it("closes everything at once, and tells only of the offer that was there", async () => {
    const asked = await store.placement();
    const visit = await store.show(asked);
    await visit.page.getByRole("button", { name: "Close offers" }).click();
    expect(withoutViews(await logOf(visit.page))).toBe("onReady 2, onShow 0, onClose 0 close, onEnd");
    expect(await visit.page.locator(".card").count()).toBe(0);
    await store.expectCounted(asked, visit, { impressions: 1, closes: 1 });
    expect(closings(visit)).toEqual(["close"]);
  });

  it.each([2, 3, 5])("takes %d fast clicks for one: nobody has read the offers after the first", async (clickCount) => {
    const asked = await store.placement(3);
    const visit = await store.show({ ...asked, count: 3 });
    await visit.page.getByRole("button", { name: "No, thanks" }).click({ clickCount });
    expect(await visit.page.locator(".count").textContent()).toBe("2 of 3");
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
  });

  it("opens one offer for several fast clicks, and takes a click for another that comes by itself", async () => {
    const asked = await store.placement(3);
    const visit = await store.show({ ...asked, count: 3 });
    const { page, context } = visit;
    const accept = page.getByRole("link", { name: "Yes, please" });
    await Promise.all([context.waitForEvent("page"), accept.click({ clickCount: 4, delay: 20 })]);
    await untilLogged(page, "onShow 1");
    await Promise.all([context.waitForEvent("page"), accept.click()]);
    await untilLogged(page, "onShow 2");
    expect(withoutViews(await logOf(page))).toBe("onReady 3, onShow 0, onClick 0, onShow 1, onClick 1, onShow 2");
    await store.expectCounted(asked, visit, { impressions: 3, clicks: 2 });
  });

  it("counts an offer as displayed once its page shows the place", async () => {
    const asked = await store.placement();
    const visit = await store.show(asked, {
      head: "<style>.later #offers{display:none}</style><script>document.documentElement.className = 'later'</script>",
    });
    const { page, beacons } = visit;
    await untilLogged(page, "onShow 0");
    await untilDrawn(page);
    expect(beacons).toEqual([]);
    for (const shown of [true, false, true]) {
      await page.evaluate(`document.documentElement.classList.toggle("later", ${!shown})`);
      await untilDrawn(page);
    }
    await untilLogged(page, "onView 0");
    expect(beacons.filter((address) => !address.endsWith("&v=1"))).toHaveLength(1);
    await store.expectCounted(asked, visit, { impressions: 1, viewables: 1 });
  });

  it("does not call an offer viewable that is out of sight, or in a hidden tab", async () => {
    const asked = await store.placement();
    const visit = await store.show(asked, { head: "<style>#offers{margin-top:200vh}</style>" });
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.clock.runFor(5000);
    await page.evaluate(`Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.querySelector("#offers").scrollIntoView()`);
    await page.waitForFunction("document.querySelector('#offers').getBoundingClientRect().top < innerHeight / 2");
    await page.clock.runFor(5000);
    expect(await logOf(page)).toBe("onReady 2, onShow 0");
    await page.evaluate(`delete document.hidden; document.dispatchEvent(new Event("visibilitychange"))`);
    await page.clock.runFor(900);
    // A second is meant in one piece: most of it, a look elsewhere, and most of it again is none.
    const look = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
    await look(true);
    await page.clock.runFor(5000);
    await look(false);
    await page.clock.runFor(900);
    expect(await logOf(page)).toBe("onReady 2, onShow 0");
    await page.clock.runFor(200);
    await untilLogged(page, "onView 0");
    await store.expectCounted(asked, visit, { impressions: 1, viewables: 1 });
  });

  it("calls an offer viewable by its half, and not by less", async () => {
    const asked = await store.placement();
    const visit = await store.show(asked, { head: "<style>#offers{margin-top:200vh}</style>" });
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    /** Scrolls until a share of the offer is on screen, and waits until observers were told. */
    const showShare = (share: number) =>
      page.evaluate<number>(`new Promise((resolve) => {
        const article = document.querySelector("#offers > div").shadowRoot.querySelector("article");
        const { top, height } = article.getBoundingClientRect();
        scrollBy(0, top + height * ${share} - innerHeight);
        new IntersectionObserver(([{ intersectionRatio }]) => resolve(intersectionRatio)).observe(article);
      })`);
    expect(await showShare(0.45)).toBeCloseTo(0.45, 1);
    await page.clock.runFor(3000);
    expect(await logOf(page)).toBe("onReady 2, onShow 0");
    expect(await showShare(0.55)).toBeCloseTo(0.55, 1);
    await page.clock.runFor(1100);
    await untilLogged(page, "onView 0");
    await store.expectCounted(asked, visit, { impressions: 1, viewables: 1 });
  });

  it("counts two placements on one page apart, without a line of code", async () => {
    const [one, other] = await Promise.all([store.placement(1), store.placement(1)]);
    const place = ({ placementId, publicKey }: typeof one) =>
      `<div data-lanyap data-public-key="${publicKey}" data-placement-id="${placementId}" data-count="1" data-at-orderid="7"></div>`;
    const script = `<script async src="${store.h.url}/embed.js"></script>`;
    const visit = await store.visit(thankYouPage(place(one) + place(other) + script));
    await visit.page.locator("article").nth(1).waitFor();
    const decline = visit.page.getByRole("button", { name: "No, thanks" });
    await decline.first().click();
    expect(await visit.page.locator("article").count()).toBe(1);
    await store.expectCounted(one, visit, { impressions: 1, closes: 1 });
    await store.expectCounted(other, visit, { impressions: 1 });
  });

  it("replaces what a container shows, and takes it away when told to", async () => {
    const asked = await store.placement(1);
    const init = initScript({ ...asked, container: "#offers", count: 1, attributes: { email: "a@b.example" } });
    const twice = `${init}<script>{ window.first = handle; }</script>${init}`;
    const script = `<script src="${store.h.url}/embed.js"></script>`;
    const visit = await store.visit(thankYouPage(`<div id="offers"></div>${script}`) + twice);
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    expect(await page.locator("#offers > div").count()).toBe(1);
    expect(withoutViews(await logOf(page))).toBe("onReady 1, onShow 0");
    await untilDrawn(page);
    await page.evaluate("first.destroy(); handle.destroy(); handle.destroy()");
    expect(await page.locator("#offers > div").count()).toBe(0);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("asks for nothing in a page that the browser only prepares", async () => {
    const asked = await store.placement();
    const prepared = `<script>Object.defineProperty(document, "prerendering", { value: true, configurable: true })</script>`;
    const visit = await store.show(asked, { head: prepared });
    await visit.page.waitForLoadState("networkidle");
    expect(await visit.page.evaluate("performance.getEntriesByType('resource').length")).toBe(1);
    await visit.page.evaluate(`delete document.prerendering; document.dispatchEvent(new Event("prerenderingchange"))`);
    await untilLogged(visit.page, "onShow 0");
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("counts nothing of a placement in test mode", async () => {
    const asked = await store.placement(0, { placement: { isLiveMode: false } });
    const visit = await store.show(asked);
    await visit.page.getByText("Test mode", { exact: true }).waitFor();
    await visit.page.getByRole("button", { name: "No, thanks" }).click();
    await untilLogged(visit.page, "onView 1");
    await untilDrawn(visit.page);
    await visit.page.goto("about:blank");
    await expect.poll(() => visit.beacons.length, { timeout: 180_000 }).toBeGreaterThanOrEqual(4);
    await store.expectCounted(asked, visit, { viewables: 0 });
  });
});
