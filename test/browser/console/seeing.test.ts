import { beforeAll, expect, it } from "vitest";
import type { BrowserContextOptions, Page } from "playwright-core";
import { HOSTILE_NAMES, signIn, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { ALL, day, reporting } from "../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const { count } = reporting(() => store.h);

/** Makes a platform with something in every list, and an offer that has used a part of its cap. */
const makeSeen = async () => {
  const platform = await makePlatform(store.h.db);
  const made = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { dailyCap: 10 });
  await count(made.placement.id, { ...ALL, offerId: offer.id, advertiserId: advertiser.id, day: day(-1) });
  return { platform, offer, ...made };
};

/** Reads how the first element that a selector finds is drawn. */
const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);

it("who lets the system choose colours sees where they are, and how much is used", async () => {
  const { platform, offer } = await makeSeen();
  const options = { forcedColors: "active" } as const;
  const { page } = await visitConsole(store, platform.token, "/console/reports", options);
  await page.locator(".u-marker").first().waitFor();
  for (const current of ['.nav [aria-current="page"]', 'main [aria-current="page"]']) {
    expect(await styleOf(page, current, "textDecorationLine")).toBe("underline");
    expect(await styleOf(page, current, "borderLeftWidth")).toMatch(/^[24]px$/);
  }
  expect(await styleOf(page, ".nav a:not([aria-current])", "textDecorationLine")).toBe("none");
  expect(await styleOf(page, ".u-marker", "forcedColorAdjust")).toBe("none");
  await page.goto(`${store.h.url}/console/offers/${offer.id}`);
  await signIn(page, platform.token);
  await page.locator(".gauge").first().waitFor();
  expect(await styleOf(page, ".gauge", "forcedColorAdjust")).toBe("none");
  expect(await styleOf(page, ".gauge", "borderTopWidth")).toBe("1px");
});

/** Names the tiles whose words do not fit, and what of the menu leaves it, in the page’s script. */
const CUT = `[...document.querySelectorAll(".tile dt, .side .row > *")].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const around = one.closest(".tile, .side").getBoundingClientRect();
  return around.width > 0 && range.getBoundingClientRect().right > around.right;
}).map((one) => one.textContent)`;

it.each([1280, 1900, 390])(
  "who asks the browser for larger text gets it, and nothing is cut, at %d pixels",
  async (width) => {
    const { platform } = await makeSeen();
    const options = { viewport: { width, height: 900 } };
    const { page, context } = await visitConsole(store, platform.token, "/console/reports", options);
    expect(await styleOf(page, "html", "fontSize")).toBe("15px");
    const session = await context.newCDPSession(page);
    await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await eventually(() => styleOf(page, "html", "fontSize")).toBe("30px");
    await page.getByRole("rowheader").first().waitFor();
    await eventually(() => page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.evaluate(CUT)).toEqual([]);
  },
);

it.each([1280, 390])("a filter with a long name is cut, at %d pixels", async (width) => {
  const name = `${width}${HOSTILE_NAMES[2].slice(4)}`;
  const { publisher, site } = await makeInventory(store.h.db, { site: { name } });
  const options = { viewport: { width, height: 900 } };
  const at = `/console/placements?siteId=${site.id}`;
  const { page } = await visitConsole(store, publisher.privateKey, at, options);
  const chip = page.getByRole("button", { name: `Remove filter Site: ${name}` });
  await chip.waitFor();
  expect(await chip.getAttribute("title")).toBe(`Site: ${name}`);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(await findings(page)).toEqual([]);
});

it.each([1280, 360])("what is told of a long name is undone by its button, at %d pixels", async (width) => {
  const { publisher, site } = await makeInventory(store.h.db, { site: { name: HOSTILE_NAMES[2] } });
  const options = { viewport: { width, height: 800 } };
  const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`, options);
  await page.getByRole("button", { name: "Switch ads off …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  const { x, width: wide } = (await undo.boundingBox()) ?? { x: 0, width: 0 };
  expect(x + wide).toBeLessThanOrEqual(width);
  await undo.click();
  await page.getByText("Undone.").waitFor();
});

it.each([1280, 360])(
  "a question keeps to its dialog, however long the name that is typed, at %d pixels",
  async (width) => {
    const { publisher, placement } = await makeInventory(store.h.db, { placement: { name: HOSTILE_NAMES[2] } });
    const options = { viewport: { width, height: 800 } };
    const at = `/console/placements/${placement.id}`;
    const { page } = await visitConsole(store, publisher.privateKey, at, options);
    await page.getByRole("button", { name: "Delete …" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete this placement?" });
    await dialog.getByText(HOSTILE_NAMES[2]).waitFor();
    expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  },
);

it("fields for times keep to the page where the text is twice as large, at 360 pixels", async () => {
  const { platform } = await makeSeen();
  const options = { viewport: { width: 360, height: 740 } };
  const { page, context } = await visitConsole(store, platform.token, "/console/audit", options);
  const session = await context.newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  await eventually(() => styleOf(page, "html", "fontSize")).toBe("30px");
  await page.getByLabel("From (your time)").waitFor();
  await eventually(() => page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await page.evaluate(CUT)).toEqual([]);
});

/** Opens a site whose ads were just switched off, with what is told of that. */
const tellOfAds = async (options: BrowserContextOptions = {}) => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`, options);
  await page.getByRole("button", { name: "Switch ads off …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
  await page.getByRole("button", { name: "Close this message" }).waitFor();
  return page;
};

/** Returns the contrast of a colour of the mark that closes a message to what is painted behind it. */
const contrastOfMark = (page: Page, property: string, behind: string) =>
  page.evaluate<number>(`(() => {
    const brush = document.createElement("canvas").getContext("2d");
    const message = getComputedStyle(document.querySelector(".toast"));
    const mark = getComputedStyle(document.querySelector(".toast .plain"));
    const lightness = (...colours) => {
      for (const colour of colours) {
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
      }
      const linear = (part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4);
      const [red, green, blue] = [...brush.getImageData(0, 0, 1, 1).data].map(linear);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const under = [message.backgroundColor, ...(${JSON.stringify(behind)} === "mark" ? [mark.backgroundColor] : [])];
    const ratio = lightness(...under) / lightness(...under, mark[${JSON.stringify(property)}]);
    return Math.max(ratio, 1 / ratio);
  })()`);

it.each(["light", "dark"] as const)(
  "who points at what closes a message sees it, and who comes by keyboard sees where they are, %s",
  async (colorScheme) => {
    const page = await tellOfAds({ colorScheme });
    const mark = page.getByRole("button", { name: "Close this message" });
    await mark.hover();
    expect(await contrastOfMark(page, "color", "mark")).toBeGreaterThan(4.5);
    await page.getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("Tab");
    expect(await mark.evaluate((button) => button.matches(":focus-visible"))).toBe(true);
    expect(await contrastOfMark(page, "outlineColor", "message")).toBeGreaterThan(3);
  },
);

it("who lets the system choose colours sees where a message ends", async () => {
  const page = await tellOfAds({ forcedColors: "active" });
  expect(await styleOf(page, ".toast", "borderTopStyle")).toBe("solid");
});

it("the ring around a link above the title is not cut off", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
  await page.getByRole("heading", { name: site.name, level: 1 }).waitFor();
  await page.keyboard.press("Tab");
  const link = page.locator(".crumbs a");
  await link.focus();
  const room = await page.evaluate<number>(`(() => {
    const link = document.querySelector(".crumbs a");
    const { outlineOffset, outlineWidth } = getComputedStyle(link);
    const ring = link.getBoundingClientRect();
    const around = link.parentElement.getBoundingClientRect();
    const wide = parseFloat(outlineOffset) + parseFloat(outlineWidth);
    return Math.min(ring.left - around.left, ring.top - around.top, around.bottom - ring.bottom) - wide;
  })()`);
  expect(room).toBeGreaterThanOrEqual(0);
});

it("a phone has no reason to zoom in on a field", async () => {
  const { platform } = await makeSeen();
  const phone = { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true };
  const { page } = await visitConsole(store, platform.token, "/console/sites", phone);
  await page.getByRole("rowheader").first().waitFor();
  for (const field of ["input[type=search]", "select"]) {
    expect(Number.parseFloat(await styleOf(page, field, "fontSize"))).toBeGreaterThanOrEqual(16);
  }
});
