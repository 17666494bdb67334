import { beforeAll, describe, expect, it } from "vitest";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";
import { thankYouPage } from "../../support/browser/shop.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";

const OTHER = "https://widgets.example";

/** Loads another vendor's script, which has the same name and a key of its own. */
const VENDOR = `<script src="${OTHER}/next/embed.js" data-public-key="pk_1"></script>`;

/** Returns code that asks for offers of an order with an e-mail, and notes what failed. */
const init = (asked: object): string =>
  `Lanyap.init({ ...${JSON.stringify(asked)}, container: "#offers", attributes: { orderid: 7, email: "jane@shop.example" },
    onError: ({ code }) => (window.code = code) })`;

describe("the script as a module", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Opens a page with another vendor's script, and notes what it asks for and what it writes to the console. */
  const open = async (content: string) => {
    const visit = await store.visit("");
    const { page, context } = visit;
    const [asked, heard]: [string[], string[]] = [[], []];
    await context.route(`${OTHER}/**`, (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => heard.push(message.text()));
    const address = store.shop.open({ body: thankYouPage(VENDOR + content) });
    await page.goto(address);
    /** Lists what the page has asked for beside itself, the vendor's script and the service. */
    const elsewhere = () =>
      asked.filter((url) => ![address, `${OTHER}/next/embed.js`].includes(url) && !url.startsWith(store.h.url));
    return { visit, page, heard, elsewhere };
  };

  it("shows offers where its own tag has the key, by attributes, places and code", async () => {
    const asked = await store.placement(3);
    const keys = { "public-key": asked.publicKey, "placement-id": asked.placementId, "at-orderid": "7", count: "1" };
    const tag = scriptTag(store.h.url, keys).replace("async", `type="module" crossorigin`);
    const { visit, page, heard, elsewhere } = await open(`<div id="lanyap"></div>${placeTag(asked)}${tag}`);
    await page.locator("article").nth(1).waitFor();
    expect(elsewhere()).toEqual([]);
    expect(heard).toEqual([]);
    await store.expectCounted(asked, visit, { impressions: 2 });
  });

  it.each([
    ["a tag without the key", (url: string) => `<script type="module" crossorigin src="${url}/embed.js"></script>`],
    ["an import", (url: string) => `<script type="module">await import("${url}/embed.js")</script>`],
    [
      "its text in the page",
      (url: string) => `<script type="module">(0, eval)(await (await fetch("${url}/embed.js")).text())</script>`,
    ],
  ])("asks nobody, and says why, where the page loads it by %s", async (_, load) => {
    const asked = await store.placement(1);
    const { visit, page, heard, elsewhere } = await open(
      `<div id="offers"></div>${load(store.h.url)}<script type="module">
        while (!window.Lanyap) await new Promise((resolve) => setTimeout(resolve, 10));
        ${init(asked)};
        Lanyap.init({ ...${JSON.stringify(asked)}, attributes: { orderid: 7 } });
      </script>`,
    );
    await page.waitForFunction("window.code");
    expect(await page.evaluate("window.code")).toBe("SCRIPT");
    await eventually(async () => heard.filter((text) => text.startsWith("Lanyap:"))).toEqual([
      "Lanyap: it needs a tag with data-public-key",
    ]);
    expect(elsewhere().filter((url) => url.startsWith("http"))).toEqual([]);
    await store.expectCounted(asked, visit, {});
  });
});
