import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { askOffers } from "../support/ask-offers.ts";
import { findings } from "../support/browser/axe.ts";
import { newCustomer } from "../support/browser/launch.ts";
import { thankYouPage } from "../support/browser/shop.ts";
import { eventually, logOf, openStore, untilDrawn, untilLogged, type Store } from "../support/browser/store.ts";

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.getAttribute("aria-label") ?? at.textContent;
  })()`);

const config = (templateConfig: Record<string, unknown>) => ({ templateConfig });

const texts = (size: string, titleTransform: string) =>
  config({ textConfig: { titleSize: size, subtitleSize: size, descriptionSize: size, titleTransform } });
const columns = (...gridColumnsDesktop: string[]) => config({ layoutConfig: { gridColumnsDesktop, gridGap: "2rem" } });
const button = (primaryButtonKind: string, primaryButtonAppearance: string) =>
  config({ buttonConfig: { primaryButtonKind, primaryButtonAppearance } });

/** How long nineteen placements on one page may take on a slow machine. */
const MANY_MS = 240_000;

const SETTINGS: Record<string, Record<string, unknown>> = {
  defaults: {},
  "nothing that can be switched off": {
    showPartnership: false,
    showFirstOfferIcon: false,
    ...config({
      iconConfig: { showIcon: false },
      linksConfig: { showTermsLink: false, showDisclaimerLink: false },
      footerConfig: { showPartnership: false },
    }),
  },
  "small texts": texts("small", "uppercase"),
  "large texts": texts("xlarge", "capitalize"),
  "medium texts": texts("medium", "lowercase"),
  "icon left": config({ iconConfig: { mobilePosition: "left" }, buttonConfig: { buttonLayoutMobile: "inline" } }),
  "icon right": config({ iconConfig: { mobilePosition: "right" }, layoutConfig: { gridColumnsMobile: "200px" } }),
  "one column": columns("1fr"),
  "three columns": columns("120px", "auto", "30%"),
  "four columns": columns("1fr", "1fr", "1fr", "1fr"),
};
for (const kind of ["primary", "secondary", "tertiary"]) {
  for (const look of ["filled", "outline", "text"]) SETTINGS[`${kind} button, ${look}`] = button(kind, look);
}

describe("offers for everyone", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it(
    "axe-core finds nothing in any setting, light or dark, narrow or wide",
    async () => {
      const settings = Object.entries(SETTINGS);
      const placements = await Promise.all(
        settings.map(([, data]) =>
          store.placement(1, { placement: { data: { brandName: "Pine & Pebble", ...data } } }),
        ),
      );
      // What is asked for the first time takes long on a busy machine, and the script waits for eight seconds.
      for (const placement of placements) await askOffers(store.h, placement);
      const places = placements.map(
        ({ placementId, publicKey }) =>
          `<div data-lanyap data-public-key="${publicKey}" data-placement-id="${placementId}" data-count="1" data-at-orderid="7"></div>`,
      );
      const script = `<script async src="${store.h.url}/embed.js"></script>`;
      const head = '<meta name="color-scheme" content="light dark">';
      const visit = await store.visit(thankYouPage(places.join("") + script, head));
      const { page } = visit;
      await page
        .locator("article")
        .nth(settings.length - 1)
        .waitFor({ timeout: MANY_MS });
      const found: Record<string, string[]> = {};
      for (const [width, colorScheme] of [
        [1000, "light"],
        [320, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page
          .locator(".dark")
          .nth(settings.length - 1)
          .waitFor({ state: colorScheme === "dark" ? "attached" : "detached" });
        for (const [at, [name]] of settings.entries()) {
          found[`${name}, ${colorScheme}`] = await findings(page, `[data-lanyap]:nth-of-type(${at + 1})`);
        }
      }
      expect(Object.entries(found).filter(([, what]) => what.length > 0)).toEqual([]);
      const [first] = placements;
      if (first) await store.expectCounted(first, visit, { impressions: 1 });
    },
    MANY_MS,
  );

  it("can be used with the keyboard alone, in the order in which they read", async () => {
    const asked = await store.placement(3);
    const visit = await store.show({ ...asked, count: 3 });
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    const order: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      await page.keyboard.press("Tab");
      order.push(await focused(page));
    }
    expect(order).toEqual([
      "Close offers",
      "Yes, please (opens in a new tab)",
      "No, thanks",
      "Terms (opens in a new tab)",
      "Disclaimer",
      "Privacy policy (opens in a new tab)",
    ]);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    expect(await page.getByText("Whatever you choose").isVisible()).toBe(true);
    await eventually(() => page.getByRole("status").textContent()).toContain("1 of 3");
    await page.getByRole("button", { name: "No, thanks" }).focus();
    await page.keyboard.press("Space");
    expect(await page.locator(".count").textContent()).toBe("2 of 3");
    // The focus is on the next offer, so a screen reader reads that, and finds nothing of the one before.
    expect(await page.getByRole("status").textContent()).toBe("");
    expect(await focused(page)).toContain("Offer");
    await untilDrawn(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await untilLogged(page, "onShow 2");
    await untilDrawn(page);
    await page.getByRole("button", { name: "Close offers" }).focus();
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("No more offers");
    expect((await logOf(page)).match(/on(?:Click|Close|End)[^,]*/g)).toEqual([
      "onClose 0 decline",
      "onClick 1",
      "onClose 2 close",
      "onEnd",
    ]);
    await store.expectCounted(asked, visit, { impressions: 3, clicks: 1, closes: 2 });
  });

  it("are announced without taking the focus, and are a named region with a heading", async () => {
    const asked = await store.placement(1);
    const visit = await store.show({ ...asked, count: 1 });
    const { page } = visit;
    await eventually(() => page.getByRole("status").textContent()).toContain("Offer 1");
    expect(await page.getByRole("region", { name: "Offers for you" }).count()).toBe(1);
    expect(await page.getByRole("article", { name: "Offer 1" }).count()).toBe(1);
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("fit at 200 % zoom on a small screen, with targets large enough for a thumb", async () => {
    const asked = await store.placement(1);
    const visit = await store.show(
      { ...asked, count: 1 },
      { viewport: { width: 320, height: 400 }, deviceScaleFactor: 2 },
    );
    const { page } = visit;
    await untilLogged(page, "onShow 0");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    const targets = await page.locator("#offers :is(a, button, summary)").all();
    expect(targets.length).toBe(6);
    for (const target of targets) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
    await store.expectCounted(asked, visit, { impressions: 1 });
  });
});

describe("the service's own root for everyone", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  it.each([
    [1000, "light"],
    [320, "dark"],
  ] as const)("axe-core finds nothing, and nothing is refused or cut, at %d pixels, %s", async (width, colorScheme) => {
    const page = await (
      await newCustomer(store.browser, { viewport: { width, height: 800 }, colorScheme, javaScriptEnabled: true })
    ).newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("requestfailed", (request) => problems.push(request.url()));
    await page.goto(`${store.h.url}/`);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.getByRole("link", { name: "demo store" }).click();
    await page.waitForURL(`${store.h.url}/demo`);
    expect(problems).toEqual([]);
  });

  it("axe-core finds nothing on the privacy page either", async () => {
    const page = await (await newCustomer(store.browser, { javaScriptEnabled: true, bypassCSP: true })).newPage();
    await page.goto(`${store.h.url}/privacy`);
    expect(await findings(page)).toEqual([]);
  });
});
