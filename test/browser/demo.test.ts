import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../db/demo-network.ts";
import { findings } from "./axe.ts";
import { describeInBrowser, newCustomer } from "./browser.ts";
import { eventually, openStore, type Store } from "./store.ts";

const SCREENSHOTS = join(import.meta.dirname, "screenshots");

const figure = (page: Page, name: string) => page.locator(`[data-figure="${name}"]`).textContent();
const shot = (page: Page, name: string) => page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });

describeInBrowser("the demo store", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
    mkdirSync(SCREENSHOTS, { recursive: true });
  });
  afterAll(() => store.close());

  const open = async (options: BrowserContextOptions = {}) => {
    const context = await newCustomer(store.browser, { viewport: { width: 1440, height: 1000 }, ...options });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(store.h.url)) problems.push(request.url());
    });
    await page.goto(`${store.h.url}/demo`);
    await page.locator("#offers article").waitFor();
    return { page, problems };
  };

  it("shows a live offer, the snippet, the answer, and counters that move", async () => {
    const { page, problems } = await open();
    expect(await page.locator("#snippet").textContent()).toContain(`data-placement-id="${demo.placements.live}"`);
    await eventually(() => page.locator("#answer").textContent()).toContain('"beaconUrl"');
    await eventually(() => figure(page, "sent-viewable")).toBe("1");
    await page.locator("#offers .decline").click();
    expect(await figure(page, "sent-closes")).toBe("1");
    expect(await figure(page, "sent-impressions")).toBe("2");
    await eventually(() => figure(page, "counted-closes")).toBe("1");
    expect(await figure(page, "counted-viewable")).toMatch(/^[12]$/);
    expect(await findings(page)).toEqual([]);
    await shot(page, "desktop");
    expect(problems).toEqual([]);
  });

  it("asks anew for another country and language, from right to left too", async () => {
    const { page, problems } = await open();
    const title = page.locator("#offers h2");
    await page.getByLabel("Country").selectOption("DE");
    await page.getByLabel("Language").selectOption("de");
    await page.getByLabel("Currency").selectOption("EUR");
    await eventually(() => page.locator("#offers .foot").textContent()).toContain("Bedingungen");
    expect(await page.locator("h1").textContent()).toBe("Vielen Dank, Robin!");
    const german = await title.textContent();
    await page.getByLabel("Language").selectOption("ar");
    await eventually(() => page.locator("#offers section").getAttribute("dir")).toBe("rtl");
    expect(await title.textContent()).not.toBe(german);
    await shot(page, "right-to-left");
    expect(problems).toEqual([]);
  });

  it("tries template settings and test mode, where nothing is counted", async () => {
    const { page, problems } = await open();
    await page.getByText("How it looks").click();
    await page.getByLabel("Columns").selectOption("1fr 2fr 1fr");
    await page.locator("[name='textConfig.titleSize']").selectOption("xlarge");
    await eventually(() => page.locator("#answer").textContent()).toContain('"titleSize": "xlarge"');
    await page.getByLabel("Test mode").check();
    await eventually(() => page.locator("#offers h2").textContent()).toBe("Sample offer: a free gift");
    await eventually(() => page.locator("#hint").textContent()).toBe("In test mode nothing is counted.");
    await eventually(() => figure(page, "counted-impressions")).toBe("0");
    await page.getByLabel("Preview").selectOption("phone");
    await eventually(async () => (await page.locator("#offers .card").boundingBox())?.width).toBeLessThan(390);
    await shot(page, "settings");
    expect(problems).toEqual([]);
  });

  it("is dark for those who like it dark, and fits a phone", async () => {
    const dark = await open({ colorScheme: "dark" });
    expect(await findings(dark.page)).toEqual([]);
    await shot(dark.page, "dark");
    const phone = await open({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
    });
    expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await findings(phone.page)).toEqual([]);
    await shot(phone.page, "mobile");
    expect([...dark.problems, ...phone.problems]).toEqual([]);
  });
});
