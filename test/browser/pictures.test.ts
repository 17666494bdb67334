import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { renderIcon } from "../../functions/storefront/icons.ts";
import { makePublisher, makeSite } from "../support/factories.ts";
import { api, dataOf } from "../support/api.ts";
import { looks } from "../support/browser/readme-code.ts";
import { newCustomer } from "../support/browser/launch.ts";
import { thankYouPage } from "../support/browser/shop.ts";
import { openStore, type Store } from "../support/browser/store.ts";

/** Says where the guide's picture is put; only `PICTURES=1` does so, since no two machines draw alike. */
const PICTURE = process.env["PICTURES"] && join(import.meta.dirname, "../../functions/storefront/looks.png");

/** Says where the favicon is put, for the next build. */
const FAVICON = process.env["PICTURES"] && join(import.meta.dirname, "../../functions/storefront/favicon.ico");

/** Wraps a PNG of 48 by 48 pixels as an icon file of one picture. */
const iconOf = (png: Buffer): Buffer => {
  const head = Buffer.alloc(22);
  head.set([0, 0, 1, 0, 1, 0, 48, 48, 0, 0, 1, 0, 32, 0]);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
};

const STYLE = `<style>
  body { margin: 0; padding: 16px; background: #f6f7f9; font-family: system-ui, sans-serif }
  h1, #below { display: none }
  [data-lanyap] { margin-bottom: 16px; --lanyap-accent: #4338ca }
</style>`;

/** Says of each look what the guide promises: whether there is an icon, and how many columns. */
const seen = `[...document.querySelectorAll("[data-lanyap] > div")].map(({ shadowRoot }) => [
  shadowRoot.querySelectorAll(".icon").length,
  getComputedStyle(shadowRoot.querySelector(".offer")).gridTemplateColumns.split(" ").length,
])`;

describe("the three looks of the guide", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it("are data that a placement takes, and look as the guide says", async () => {
    const { h } = store;
    const publisher = await makePublisher(h.db);
    const site = await makeSite(h.db, publisher.id, { name: "Pine & Pebble" });
    const places: string[] = [];
    for (const data of looks()) {
      const body = { siteId: site.id, name: "Look", pageType: "THANK_YOU_PAGE", isLiveMode: true, data };
      const answer = await api(h, "POST", "/api/placements", { token: publisher.privateKey, body });
      places.push(`<div data-lanyap data-public-key="${publisher.publicKey}" data-at-orderid="7" data-at-country="US"
        data-placement-id="${dataOf<{ id: string }>(answer).id}" data-session-id="picture" data-at-language="en"></div>`);
    }
    const page = thankYouPage(`${places.join("")}<script src="${h.url}/embed.js"></script>`, STYLE);
    const visit = await store.visit(page, { viewport: { width: 760, height: 700 }, colorScheme: "light" });
    await visit.page.locator("article").nth(2).waitFor();
    await visit.page.waitForLoadState("networkidle");
    expect(await visit.page.evaluate(seen)).toEqual([
      [1, 2],
      [1, 3],
      [0, 1],
    ]);
    if (PICTURE) await visit.page.screenshot({ path: PICTURE, fullPage: true });
    expect(visit.errors).toEqual([]);
  });
});

describe("the favicon", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it("is a picture of 48 by 48 pixels that a browser can draw", async () => {
    const page = await (await newCustomer(store.browser, { viewport: { width: 48, height: 48 } })).newPage();
    if (FAVICON) {
      const style = "<style>body{margin:0;background:transparent}svg{width:48px;height:48px;display:block}</style>";
      await page.setContent(`${style}${renderIcon("brand")}`);
      writeFileSync(FAVICON, iconOf(await page.screenshot({ omitBackground: true })));
    }
    // Playwright itself stops whatever a page asks of this name.
    const bytes = Buffer.from(await (await store.h.fetch("/favicon.ico")).arrayBuffer());
    await page.setContent(`<img src="data:image/x-icon;base64,${bytes.toString("base64")}">`);
    const size =
      "document.images[0].decode().then(() => [document.images[0].naturalWidth, document.images[0].naturalHeight])";
    expect(await page.evaluate(size)).toEqual([48, 48]);
  });
});
