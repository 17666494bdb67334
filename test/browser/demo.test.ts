import { setTimeout } from "node:timers/promises";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../db/demo/network.ts";
import { findings } from "../support/browser/axe.ts";
import { newCustomer } from "../support/browser/launch.ts";
import { snippet } from "../support/browser/readme-code.ts";
import { COUNT_SHIFTS } from "../support/browser/shop.ts";
import { eventually, openStore, type Store } from "../support/browser/store.ts";

const SCREENSHOTS = join(import.meta.dirname, "screenshots");

const figure = (page: Page, name: string) => page.locator(`[data-figure="${name}"]`).textContent();
const shot = (page: Page, name: string) => page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });

describe("the demo store", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
    mkdirSync(SCREENSHOTS, { recursive: true });
  });

  const open = async (
    options: BrowserContextOptions = {},
    prepare: (page: Page) => Promise<unknown> = async () => undefined,
  ) => {
    const context = await newCustomer(store.browser, { viewport: { width: 1440, height: 1000 }, ...options });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(store.h.url)) problems.push(request.url());
    });
    await prepare(page);
    await page.goto(`${store.h.url}/demo`);
    await page.locator("#offers article").waitFor();
    return { page, problems };
  };

  it.each([
    ["on a computer", {}],
    ["on a small computer", { viewport: { width: 1100, height: 700 } }],
    ["on a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ])("moves nothing while it loads, %s", async (_, options) => {
    const context = await newCustomer(store.browser, { viewport: { width: 1440, height: 1000 }, ...options });
    const page = await context.newPage();
    await page.addInitScript(COUNT_SHIFTS);
    // What comes late shows what moves: the page is painted before each.
    for (const late of ["**/ui/demo.js", "**/demo/figures", "**/api/odata?**", "**/icons/*"]) {
      await page.route(late, async (route) => {
        await setTimeout(300);
        await route.fallback();
      });
    }
    await page.goto(`${store.h.url}/demo`);
    await page.locator("#offers article").waitFor();
    await page.waitForFunction("document.querySelector('#answer').textContent !== ''");
    await page.waitForTimeout(500);
    expect(await page.evaluate("window.moved")).toEqual([]);
    expect(await page.evaluate("window.shift")).toBe(0);
    // Counters are asked for again and again: what is under way ends with the page.
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  const NAMES = ["requests", "impressions", "viewable", "clicks", "closes"];
  const column = (page: Page, name: string) => Promise.all(NAMES.map((row) => figure(page, `${name}-${row}`)));

  it("shows a live offer, the snippet, the answer, and a session's counters as they move", async () => {
    const { page, problems } = await open();
    const lines = await page.locator("#snippet").textContent();
    expect(lines).toContain(`data-placement-id="${demo.placements.live}"`);
    expect(lines?.split("\n")[0]).toBe(snippet({ url: store.h.url }).split("\n")[0]);
    const answer = page.waitForResponse(/\/api\/odata\?/);
    await page.getByRole("button", { name: "New customer" }).click();
    const raw: unknown = await (await answer).json();
    await eventually(() => page.locator("#answer").textContent()).toBe(JSON.stringify(raw, null, 2));
    await eventually(() => figure(page, "sent-viewable")).toBe("1");
    await page.locator("#offers .decline").click();
    await eventually(() => figure(page, "sent-viewable")).toBe("2");
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.locator("#offers .button").first().click(),
    ]);
    await tab.close();
    await eventually(() => figure(page, "sent-viewable")).toBe("3");
    await shot(page, "desktop");
    await page.getByRole("button", { name: "Close offers" }).click();
    expect(await column(page, "sent")).toEqual(["1", "3", "3", "1", "2"]);
    await eventually(() => column(page, "counted")).toEqual(["1", "3", "3", "1", "2"]);
    expect(await page.locator("#session").textContent()).toMatch(/^order \d{6}$/);
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("counts a session's own hits only, from zero for each new customer", async () => {
    const [one, other] = [await open(), await open()];
    for (const { page } of [one, other]) await eventually(() => figure(page, "counted-viewable")).toBe("1");
    const title = () => other.page.locator("#offers h2").textContent();
    const before = await title();
    await other.page.locator("#offers .decline").click();
    expect(await title()).not.toBe(before);
    await eventually(() => figure(other.page, "counted-closes")).toBe("1");
    await one.page.waitForResponse(/\/demo\/figures$/);
    await eventually(() => column(one.page, "counted")).toEqual(["1", "1", "1", "0", "0"]);
    // What the first customer sent last is counted when the second is there already.
    await one.page.locator("#offers .decline").click();
    await one.page.getByRole("button", { name: "New customer" }).click();
    expect(await figure(one.page, "counted-closes")).toBe("0");
    await eventually(() => column(one.page, "counted")).toEqual(["1", "1", "1", "0", "0"]);
    expect(await column(one.page, "sent")).toEqual(["1", "1", "1", "0", "0"]);
    // Its own is counted soon: what was counted before it began is all that it is told until its zeros are seen.
    const looked = Promise.withResolvers<void>();
    let asked = 0;
    const again = await open({}, (page) =>
      page.route("**/demo/figures", async (route) => {
        asked += 1;
        if (asked > 1) await looked.promise;
        await route.fallback();
      }),
    );
    expect(await column(again.page, "counted")).toEqual(["0", "0", "0", "0", "0"]);
    looked.resolve();
    await eventually(() => figure(again.page, "counted-impressions")).toBe("1");
    await again.page.unrouteAll({ behavior: "ignoreErrors" });
    expect([...one.problems, ...other.problems, ...again.problems]).toEqual([]);
  });

  it("asks again for another country and language, from right to left too", async () => {
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

  it("shows no old answer where none comes, and asks for no amount that is refused", async () => {
    const { page, problems } = await open();
    await eventually(() => page.locator("#meta").textContent()).toMatch(/^200 · /);
    await page.route("**/api/odata?**", (route) => route.abort());
    await page.getByLabel("Country").selectOption("DE");
    await eventually(() => page.locator("#meta").textContent()).toBe("no answer");
    expect(await page.locator("#answer").textContent()).toBe("");
    expect(new Set(problems)).toEqual(new Set(["Failed to load resource: net::ERR_FAILED"]));
    await page.unroute("**/api/odata?**");
    await page.getByRole("button", { name: "New customer" }).click();
    await eventually(() => page.locator("#meta").textContent()).toMatch(/^200 · /);
    const amount = page.getByLabel("Amount");
    await amount.fill("1000001");
    await amount.blur();
    expect(await page.evaluate("document.querySelector('[name=amount]').validity.rangeOverflow")).toBe(true);
    expect(await page.locator("#snippet").textContent()).not.toContain("1000001");
    await amount.fill("1000000");
    await amount.blur();
    expect(await page.locator("#snippet").textContent()).toContain("1000000");
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
    await page.getByRole("button", { name: "New customer" }).click();
    await eventually(() => figure(page, "sent-viewable")).toBe("1");
    await page.waitForResponse(/\/demo\/figures$/);
    expect(await column(page, "counted")).toEqual(["0", "0", "0", "0", "0"]);
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
    // Below that a phone zooms in on the field.
    for (const field of ["country", "amount"]) {
      const size = `parseFloat(getComputedStyle(document.querySelector("[name=${field}]")).fontSize)`;
      expect(await phone.page.evaluate(size)).toBeGreaterThanOrEqual(16);
    }
    await shot(phone.page, "mobile");
    expect([...dark.problems, ...phone.problems]).toEqual([]);
  });

  it("tells that the lines are copied until they are others, and what to do where a browser refuses", async () => {
    const { page, problems } = await open();
    const button = page.locator("#copy");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await button.click();
    await eventually(() => button.textContent()).toBe("Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await page.locator("#snippet").textContent());
    await page.getByLabel("Country").selectOption("DE");
    expect(await button.textContent()).toBe("Copy");
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    await button.click();
    await eventually(() => button.textContent()).toBe("Not allowed: select the text");
    expect(problems).toEqual([]);
  });

  it("shows whether test mode is on to those who let the system choose colours", async () => {
    const { page } = await open({ forcedColors: "active" });
    const mode = page.getByLabel("Test mode");
    const off = await mode.screenshot();
    await mode.check();
    expect((await mode.screenshot()).equals(off)).toBe(false);
  });
});
