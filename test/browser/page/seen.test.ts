import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { thankYouPage } from "../../support/browser/shop.ts";
import { eventually, openStore, untilDrawn, type Store, type Visit } from "../../support/browser/store.ts";

type Asked = { placementId: string; publicKey: string };

const DECLINE = { name: "No, thanks" };

/** Lists the ids of the offers that a page has shown, in their order. */
const shownBy = (page: Page) => page.evaluate<string[]>("shown");

/** Waits until a page has drawn one of its offers, counted from 1: only then is it displayed, and counts. */
const untilShown = async (page: Page, count: number): Promise<void> => {
  await eventually(async () => (await shownBy(page)).length).toBe(count);
  await untilDrawn(page);
};

/** Opens a page, and returns what it says to have been answered, in a list; null where it says nothing. */
const openPage = async (page: Page, address: string): Promise<string[] | null> => {
  const request = page.waitForRequest(/\/api\/odata\?/);
  await page.goto(address);
  const seen = new URL((await request).url()).searchParams.get("seen");
  await untilShown(page, 1);
  return seen?.split(",") ?? null;
};

describe("what a session has answered", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Puts a page with a session's offers into the shop. */
  const pageOf = (asked: Asked, options: object, head = "") =>
    store.shop.open({
      body: thankYouPage(
        `<div id="offers"></div><script src="${store.h.url}/embed.js"></script>
        <script>window.shown = []; Lanyap.init(${JSON.stringify({
          ...asked,
          container: "#offers",
          count: 3,
          ...options,
        })
          .slice(0, -1)
          .concat(", onShow: (offer) => shown.push(offer.bannerId)})")}</script>`,
        head,
      ),
    });

  it("is in its next requests, the latest first, of this tab alone and no other session", async () => {
    const asked = await store.placement(3);
    const visit = await store.visit("");
    const { page, context } = visit;
    const own = pageOf(asked, { attributes: { email: "customer@shop.example" } });
    expect(await openPage(page, own)).toBeNull();
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("link", { name: "Yes, please" }).click(),
    ]);
    await tab.waitForURL(/^https:\/\/advertiser\.example\//);
    await tab.close();
    await untilShown(page, 2);
    await page.getByRole("button", DECLINE).click();
    await untilShown(page, 3);
    await page.getByRole("button", { name: "Close offers" }).click();
    const [accepted, declined] = await shownBy(page);
    const answered = [declined, accepted];
    expect(await openPage(page, own)).toEqual(answered);
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("customer");

    expect(await openPage(page, pageOf(asked, { attributes: { orderid: "1002" } }))).toBeNull();
    expect(await openPage(page, pageOf(asked, { sessionId: "another", attributes: { orderid: "1" } }))).toBeNull();
    expect(await openPage(page, own)).toEqual(answered);
    const other = await context.newPage();
    expect(await openPage(other, own)).toBeNull();
    await other.close();
    await store.expectCounted(asked, visit, { impressions: 8, clicks: 1, closes: 2 });
  });

  it("is known of a session whose id is a number", async () => {
    const asked = await store.placement(2);
    const visit = await store.visit("");
    const { page } = visit;
    const own = pageOf(asked, { count: 2, sessionId: 1001, attributes: { orderid: 1001 } });
    expect(await openPage(page, own)).toBeNull();
    const [declined] = await shownBy(page);
    await page.getByRole("button", DECLINE).click();
    await untilShown(page, 2);
    expect(await openPage(page, own)).toEqual([declined]);
    // It is the same session as one that is told by its order, or by a text.
    expect(await openPage(page, pageOf(asked, { attributes: { orderid: 1001 } }))).toEqual([declined]);
    await store.expectCounted(asked, visit, { impressions: 4, closes: 1 });
  });

  it("is kept of the latest fifty offers, each once", async () => {
    const asked = await store.placement(1);
    const visit = await store.visit("");
    const { page } = visit;
    const own = pageOf(asked, { count: 1, attributes: { orderid: "1" } });
    /** Declines the offer that the page shows, once these were answered before. */
    const decline = async (before?: readonly string[]) => {
      const [id = ""] = await shownBy(page);
      if (before) await page.evaluate(`sessionStorage.setItem(Object.keys(sessionStorage)[0], "${before.join(",")}")`);
      await page.locator("#offers .decline").click();
      return id;
    };
    expect(await openPage(page, own)).toBeNull();
    const first = await decline();
    expect(await openPage(page, own)).toEqual([first]);
    const second = await decline();
    expect(await openPage(page, own)).toEqual([second, first]);
    // One that was answered before comes to the front; of fifty others the last one goes.
    const others = Array.from({ length: 50 }, (_, n) => `ofr_${String(n).padStart(26, "0")}`);
    const [third = ""] = await shownBy(page);
    await decline([...others.slice(0, 49), third]);
    expect(await openPage(page, own)).toEqual([third, ...others.slice(0, 49)]);
    const fourth = await decline(others);
    expect(await openPage(page, own)).toEqual([fourth, ...others.slice(0, 49)]);
    expect(new Set([first, second, third]).size).toBe(3);
    await store.expectCounted(asked, visit, { impressions: 5, closes: 4 });
  });

  it.each([
    ["forbids it", `get() { throw new DOMException("denied", "SecurityError") }`],
    ["has none", "value: null"],
    ["is full", `value: { getItem: () => null, setItem() { throw new DOMException("full", "QuotaExceededError") } }`],
  ])("is forgotten where the browser %s, and offers come all the same", async (_, storage) => {
    const asked = await store.placement(2);
    const visit: Visit = await store.visit("");
    const { page } = visit;
    const head = `<script>Object.defineProperty(window, "sessionStorage", { ${storage} })</script>`;
    const own = pageOf(asked, { count: 2, attributes: { orderid: "1" } }, head);
    expect(await openPage(page, own)).toBeNull();
    await page.getByRole("button", DECLINE).click();
    await untilShown(page, 2);
    expect(await openPage(page, own)).toBeNull();
    await store.expectCounted(asked, visit, { impressions: 3, closes: 1 });
  });
});
