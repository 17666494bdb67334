import { beforeAll, describe, expect, it } from "vitest";
import { thankYouPage } from "../../support/browser/shop.ts";
import { openStore, type Store } from "../../support/browser/store.ts";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";

const WIDTH = "document.querySelector('[data-lanyap] > div').getBoundingClientRect().width";

describe("the width of offers", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it.each([
    ["is that of a narrow column", `<div style="width: 200px">`, 200],
    ["is 16em where the place is as wide as what it holds", `<div style="display: inline-block">`, 256],
    ["is 16em in a row of boxes", `<div style="display: flex">`, 256],
    ["is 16em out of the page's flow", `<div style="position: absolute">`, 256],
    ["is 16em in a column of a grid", `<div style="display: grid; grid-template-columns: auto 100%">`, 256],
  ])("%s", async (_, around, width) => {
    const asked = await store.placement(1);
    const visit = await store.visit(thankYouPage(`${around}${placeTag(asked)}</div>${scriptTag(store.h.url)}`));
    const { page } = visit;
    await page.locator("article").waitFor();
    expect(await page.evaluate(WIDTH)).toBe(width);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("leaves nothing to scroll sideways on a phone with text of twice the size", async () => {
    const asked = await store.placement(1);
    const visit = await store.visit("", { viewport: { width: 360, height: 700 } });
    const { page } = visit;
    const browser = await visit.context.newCDPSession(page);
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 32 } });
    const body = thankYouPage(
      `<div style="padding: 0 16px">${placeTag(asked)}</div>${scriptTag(store.h.url)}`,
      "<style>h1 { font-size: 20px }</style>",
    );
    await page.goto(store.shop.open({ body }));
    await page.locator("article").waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });
});
