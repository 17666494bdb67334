import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";
import { thankYouPage } from "../../support/browser/shop.ts";
import { openStore, untilDrawn, untilLogged, type Store } from "../../support/browser/store.ts";

type Place = Parameters<typeof placeTag>[0];

/** Counts the lines that a part's text has. */
const linesOf = (page: Page, part: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector("[data-lanyap] > div").shadowRoot.querySelector(${JSON.stringify(part)}));
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  })()`);

const widthOf = async (page: Page, part: string): Promise<number> =>
  (await page.locator(part).first().boundingBox())?.width ?? 0;

/** What is seen of an offer's title once nothing moves, and how far the page is scrolled. */
const SEEN = `(async () => {
  const { shadowRoot } = document.querySelector("#offers > div");
  await Promise.allSettled(shadowRoot.getAnimations().map(({ finished }) => finished));
  const { top, bottom } = shadowRoot.querySelector("h2").getBoundingClientRect();
  return { isInSight: Math.round(top) >= 0 && Math.round(bottom) <= innerHeight, scrolled: scrollY };
})()`;

describe("enlarged offers", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Opens a page of 320 pixels in a browser whose text is twice as large. */
  const openLarge = async (asked: Place): Promise<Page> => {
    const visit = await store.visit("", { viewport: { width: 320, height: 700 } });
    const browser = await visit.context.newCDPSession(visit.page);
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 32 } });
    const body = thankYouPage(
      placeTag(asked, { count: "2" }) + scriptTag(store.h.url),
      "<style>h1 { font-size: 20px }</style>",
    );
    await visit.page.goto(store.shop.open({ body }));
    await visit.page.locator("article").waitFor();
    return visit.page;
  };

  it("are read in whole words on a small phone with text of twice the size", async () => {
    const templateConfig = {
      iconConfig: { mobilePosition: "left" },
      buttonConfig: { buttonLayoutMobile: "inline" },
    };
    const asked = await store.placement(2, { placement: { data: { brandName: "Pine & Pebble", templateConfig } } });
    const page = await openLarge(asked);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    for (const [part, words] of [
      [".name", 3],
      [".chip", 2],
      [".header", 2],
      [".button span", 2],
      [".decline", 2],
    ] as const) {
      expect([part, await linesOf(page, part)]).toEqual([part, expect.toSatisfy((lines: number) => lines <= words)]);
    }
    expect(await widthOf(page, "h2")).toBeGreaterThan((await widthOf(page, ".media")) * 1.2);
  });

  it.each([
    ["by key", "reduce", (page: Page) => page.getByRole("button", { name: "No, thanks" }).press("Enter")],
    ["by touch", "reduce", (page: Page) => page.getByRole("button", { name: "No, thanks" }).tap()],
    ["moving in", "no-preference", (page: Page) => page.getByRole("button", { name: "No, thanks" }).click()],
  ] as const)("show the next title where the last one was out of sight, %s", async (_, reducedMotion, decline) => {
    const asked = await store.placement(2);
    const visit = await store.show(asked, { viewport: { width: 320, height: 256 }, hasTouch: true, reducedMotion });
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    expect(await page.evaluate(SEEN)).toMatchObject({ scrolled: 0 });
    await untilDrawn(page);
    await page.getByRole("button", { name: "No, thanks" }).scrollIntoViewIfNeeded();
    expect(await page.evaluate(SEEN)).toMatchObject({ isInSight: false });
    await decline(page);
    await untilLogged(page, "onShow 1");
    expect(await page.evaluate(SEEN)).toMatchObject({ isInSight: true });
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
  });

  it("move nothing where the next title is in sight", async () => {
    const asked = await store.placement(2);
    const visit = await store.show(asked, { viewport: { width: 600, height: 500 } });
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    await untilDrawn(page);
    await page.evaluate("document.body.style.paddingBottom = '600px'; scrollTo(0, 40)");
    await page.getByRole("button", { name: "No, thanks" }).click();
    await untilLogged(page, "onShow 1");
    expect(await page.evaluate(SEEN)).toEqual({ isInSight: true, scrolled: 40 });
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
  });
});
