import { beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES } from "../../../functions/storefront/languages.ts";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";
import { directives } from "../../support/browser/readme-code.ts";
import { thankYouPage } from "../../support/browser/shop.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";

const ON_DEMAND = /\/embed\.[0-9a-f]{16}\.js(?:on)?$/;

describe("what the script loads only when it is needed", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Opens a page, and notes its console and the further files that it loads. */
  const open = async (body: string, headers: Record<string, string> = {}, damaged?: RegExp) => {
    const visit = await store.visit("");
    const [heard, loaded]: [string[], string[]] = [[], []];
    visit.page.on("console", (message) => heard.push(message.text()));
    visit.page.on("request", (request) => {
      if (ON_DEMAND.test(request.url())) loaded.push(request.url().replace(/^.*\./, ""));
    });
    if (damaged) {
      await visit.page.route(damaged, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${await response.text()} ` });
      });
    }
    await visit.page.goto(store.shop.open({ body: thankYouPage(body), headers }));
    return { ...visit, visit, heard, loaded };
  };

  it("is nothing on an English page without a mistake", async () => {
    const asked = await store.placement(1);
    const { page, loaded, visit } = await open(placeTag(asked) + scriptTag(store.h.url));
    await page.locator("article").waitFor();
    await page.waitForLoadState("networkidle");
    expect(loaded).toEqual([]);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it.each(Object.entries(LANGUAGES))("is the texts in %s, beside the request for offers", async (locale, words) => {
    const asked = await store.placement(1);
    const { page, loaded, visit } = await open(placeTag(asked, { locale }) + scriptTag(store.h.url));
    await page.locator("article").waitFor();
    expect(await page.locator("[data-lanyap] section").getAttribute("aria-label")).toBe(words.split("|")[0]);
    expect(await page.locator("[data-lanyap] section").getAttribute("lang")).toBe(locale);
    expect(loaded).toEqual(["json"]);
    // Texts come late, so that an offer may be there long before it is drawn.
    await page.bringToFront();
    await eventually(async () => visit.beacons.length).toBeGreaterThan(0);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("works under the directives that the guide names, and nothing else", async () => {
    const asked = await store.placement(1);
    const { url } = store.h;
    const policy = `default-src 'none'; ${directives({ url })}; require-trusted-types-for 'script'`;
    const { page, heard, visit } = await open(placeTag(asked, { locale: "de", "at-contry": "DE" }) + scriptTag(url), {
      "content-security-policy": policy,
    });
    await page.locator("article").waitFor();
    expect(await page.locator("[data-lanyap] section").getAttribute("lang")).toBe("de");
    await eventually(async () => heard.filter((text) => !text.includes("'data:,'"))).toEqual([
      "Lanyap: data-at-contry is not known: data-at-country may be meant",
    ]);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("shows offers in English when texts come that are not those of this version", async () => {
    const asked = await store.placement(1);
    const { page, visit } = await open(
      placeTag(asked, { locale: "de" }) + scriptTag(store.h.url),
      {},
      /embed\..*\.json$/,
    );
    await page.locator("article").waitFor();
    expect(await page.locator("[data-lanyap] section").getAttribute("lang")).toBe("en");
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("runs no code that is not that of this version", async () => {
    const { heard } = await open(
      `<div data-lanyap data-at-orderid="7"></div>${scriptTag(store.h.url)}`,
      {},
      /embed\.[0-9a-f]{16}\.js$/,
    );
    await eventually(async () => heard).toContain("Lanyap: it needs a public key and a placement");
    expect(heard.filter((text) => text.includes("data-public-key"))).toEqual([]);
  });
});
