import { beforeAll, describe, expect, it } from "vitest";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";
import { initScript, thankYouPage } from "../../support/browser/shop.ts";
import { logOf, openStore, untilLogged, type Store } from "../../support/browser/store.ts";

describe("a page that is not yet whole", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Opens a page, and holds its file of this name back until it is let go. */
  const open = async (body: string, held: string) => {
    const visit = await store.visit("");
    const { page } = visit;
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(`**/${held}`, async (route) => {
      await promise;
      const contentType = held.endsWith(".css") ? "text/css" : "text/javascript";
      return route.fulfill({ contentType, body: held.endsWith(".css") ? "body { background: #111 }" : "" });
    });
    await page.goto(store.shop.open({ body }), { waitUntil: "commit" });
    return { visit, page, letGo: resolve };
  };

  it.each([
    ["its attributes, behind their place", "behind"],
    ["its attributes, before their place", "before"],
    ["code, before their place", "code"],
  ])("shows offers while a script keeps the rest of it waiting, asked by %s", async (_, by) => {
    const asked = await store.placement(1);
    const { publicKey, placementId } = asked;
    const keys = { "public-key": publicKey, "placement-id": placementId, "at-orderid": "7", count: "1" };
    const tag = scriptTag(store.h.url, keys).replace("async ", "");
    const code = `<script src="${store.h.url}/embed.js"></script>${initScript({ ...asked, count: 1, attributes: { orderid: 7 } })}`;
    const head = by === "code" ? code : by === "before" ? tag : "";
    const body = `<div id="lanyap"></div>${by === "behind" ? scriptTag(store.h.url, keys) : ""}<script src="/slow.js"></script>`;
    const { visit, page, letGo } = await open(thankYouPage(body, head), "slow.js");
    await page.locator("#lanyap article").waitFor();
    expect(await page.evaluate("document.readyState")).toBe("loading");
    letGo();
    await page.waitForLoadState();
    expect(await page.locator("article").count()).toBe(1);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("tells that a page has no such container only when it is whole", async () => {
    const init = initScript({ ...(await store.placement(1)), container: "#nowhere", attributes: { orderid: 7 } });
    const { page, letGo } = await open(
      thankYouPage(`<script src="/slow.js"></script>`, `<script src="${store.h.url}/embed.js"></script>${init}`),
      "slow.js",
    );
    await page.waitForFunction("window.handle");
    expect([await logOf(page), await page.evaluate("document.readyState")]).toEqual(["", "loading"]);
    letGo();
    await untilLogged(page, "onError CONTAINER");
  });

  it("has places that are marked wait for those that come with the rest of it, which begin with other offers", async () => {
    const asked = await store.placement(3);
    const { visit, page, letGo } = await open(
      thankYouPage(
        `${placeTag(asked)}<script src="/slow.js"></script>${placeTag(asked)}${placeTag(asked)}`,
        scriptTag(store.h.url),
      ),
      "slow.js",
    );
    let requests = 0;
    page.on("request", (request) => {
      requests += Number(request.url().includes("/api/odata"));
    });
    await page.waitForFunction("window.Lanyap");
    expect([requests, await page.evaluate("document.readyState")]).toEqual([0, "loading"]);
    letGo();
    await page.locator("article").nth(2).waitFor();
    const titles = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(titles.toSorted()).toEqual(["Offer 1", "Offer 2", "Offer 3"]);
    await store.expectCounted(asked, visit, { impressions: 3 });
  });

  it("has a place found that comes with the rest of it, by the script's attributes", async () => {
    const asked = await store.placement(1);
    const { publicKey, placementId } = asked;
    const keys = { "public-key": publicKey, "placement-id": placementId, "at-orderid": "7", container: "#late" };
    const { visit, page, letGo } = await open(
      thankYouPage(`<script src="/slow.js"></script><div id="late"></div>`, scriptTag(store.h.url, keys)),
      "slow.js",
    );
    await page.waitForFunction("window.Lanyap");
    letGo();
    await page.locator("#late article").waitFor();
    expect(await page.locator("article").count()).toBe(1);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("has offers as dark as the style sheet that comes after them", async () => {
    const asked = await store.placement(1);
    const { visit, page, letGo } = await open(
      thankYouPage(placeTag(asked), `${scriptTag(store.h.url)}<link rel="stylesheet" href="/late.css">`),
      "late.css",
    );
    await page.locator("article").waitFor({ state: "attached" });
    expect(await page.locator(".dark").count()).toBe(0);
    letGo();
    await page.locator(".dark article").waitFor();
    await store.expectCounted(asked, visit, { impressions: 1 });
  });
});
