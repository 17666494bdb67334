import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logOf, openStore, styleOf, untilLogged, type Store } from "../support/browser/store.ts";

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(`#offers ${selector}`).first().boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  return box;
};

/**
 * Notes in `window.looks` how the close button stands shortly before a wait of so many milliseconds is over. The page looks
 * by timers of its own: they go off in the order of their times, however busy the machine is.
 */
const lookBefore = (waits: readonly number[]) => `<script>{
  const original = window.setTimeout;
  window.looks = {};
  const look = (wait) => {
    const close = document.querySelector("#offers > div")?.shadowRoot?.querySelector(".close");
    looks[wait] = close ? getComputedStyle(close).visibility : "no offers";
  };
  window.setTimeout = (action, wait, ...rest) => {
    if (${JSON.stringify(waits)}.includes(wait)) original(look, wait - 50, wait);
    return original(action, wait, ...rest);
  };
}</script>`;

const NARROW = { viewport: { width: 375, height: 700 } };

describe("what a placement says of how its offers look", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  const open = async (
    data: Record<string, unknown>,
    options: Parameters<Store["show"]>[1] = {},
    init: Record<string, unknown> = {},
  ) => {
    const asked = await store.placement(2, { placement: { data: { brandName: "Pine & Pebble", ...data } } });
    const visit = await store.show({ ...asked, ...init }, options);
    return { asked, visit, page: visit.page };
  };

  it("sizes, columns, gap and buttons are honoured", async () => {
    const { asked, visit, page } = await open({
      templateConfig: {
        textConfig: {
          titleSize: "xlarge",
          subtitleSize: "large",
          descriptionSize: "small",
          titleTransform: "uppercase",
        },
        layoutConfig: { gridColumnsDesktop: ["150px", "1fr", "200px"], gridGap: "30px" },
        buttonConfig: { primaryButtonKind: "secondary", primaryButtonAppearance: "outline" },
      },
    });
    await untilLogged(page, "onShow 0");
    const sizes = await Promise.all(["h2", ".header", ".description"].map((part) => styleOf(page, part, "fontSize")));
    expect(sizes).toEqual(["30px", "16px", "14px"]);
    expect(await styleOf(page, "h2", "textTransform")).toBe("uppercase");
    expect(await styleOf(page, ".offer", "columnGap")).toBe("30px");
    expect(await styleOf(page, ".offer", "gridTemplateColumns")).toMatch(/^150px \d+(?:\.\d+)?px 200px$/);
    expect(await styleOf(page, ".button", "backgroundColor")).toBe("rgba(0, 0, 0, 0)");
    expect((await boxOf(page, ".actions")).x).toBeGreaterThan((await boxOf(page, "h2")).x + 100);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it.each([
    ["top", "stacked", { above: true, before: false, after: false, abreast: false }],
    ["left", "inline", { above: false, before: true, after: false, abreast: true }],
    ["right", "stacked", { above: false, before: false, after: true, abreast: false }],
  ])(
    "on a narrow screen the icon is %s and the buttons are %s",
    async (mobilePosition, buttonLayoutMobile, expected) => {
      const templateConfig = {
        iconConfig: { mobilePosition },
        buttonConfig: { buttonLayoutMobile },
        layoutConfig: { gridColumnsMobile: "280px" },
      };
      const { asked, visit, page } = await open({ templateConfig }, NARROW);
      await untilLogged(page, "onShow 0");
      const [icon, title, accept, decline] = [
        await boxOf(page, ".icon"),
        await boxOf(page, "h2"),
        await boxOf(page, ".button"),
        await boxOf(page, ".decline"),
      ];
      expect({
        above: icon.y + icon.height < title.y,
        before: icon.x < title.x && icon.y < title.y + title.height,
        after: icon.x > title.x + title.width,
        abreast: accept.y === decline.y,
      }).toEqual(expected);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
      await store.expectCounted(asked, visit, { impressions: 1 });
    },
  );

  it("what is switched off is not there, and the first icon can be left out alone", async () => {
    const { asked, visit, page } = await open({
      showFirstOfferIcon: false,
      showPartnership: false,
      privacyUrl: "https://pine.example/privacy",
      templateConfig: {
        linksConfig: { showTermsLink: false, showDisclaimerLink: false },
        footerConfig: { showPartnership: false, privacyLinkLabel: "Your data" },
      },
    });
    await untilLogged(page, "onShow 0");
    expect(await page.locator(".foot").textContent()).toBe("Your data (opens in a new tab)");
    expect(await page.getByRole("link", { name: "Your data" }).getAttribute("href")).toBe(
      "https://pine.example/privacy",
    );
    expect(await page.locator(".bar .who").textContent()).toBe("Pine & Pebble");
    expect(await page.locator(".icon").count()).toBe(0);
    await page.getByRole("button", { name: "No, thanks" }).click();
    expect(await page.locator(".icon").count()).toBe(1);
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
  });

  it("offers and their close button wait as long as they should", async () => {
    const delays = { adDisplayDelay: 700, toggleCloseButtonDelay: 900 };
    const { asked, visit, page } = await open(delays, { head: lookBefore([700, 900]) });
    await page.getByRole("button", { name: "Close offers" }).click();
    expect(await page.evaluate("window.looks")).toEqual({ 700: "no offers", 900: "hidden" });
    await store.expectCounted(asked, visit, { impressions: 1, closes: 1 });
  });

  it("keeps line breaks, and shows markup as text", async () => {
    const asked = await store.placement(0, { placement: { isLiveMode: false, data: { brandName: "<i>Pine</i>" } } });
    const visit = await store.show({ ...asked, count: 5 });
    await untilLogged(visit.page, "onShow 0");
    expect(await styleOf(visit.page, ".description", "whiteSpace")).toMatch(/pre-line|preserve-breaks/);
    expect(await visit.page.locator(".name").textContent()).toBe("<i>Pine</i>");
    for (let n = 0; n < 4; n += 1) await visit.page.getByRole("button", { name: "No, thanks" }).click();
    expect(await visit.page.locator(".description").textContent()).toContain("<b>this</b>");
    await store.expectCounted(asked, visit, { viewables: 0 });
  });

  it("is right-to-left and in the customer's language", async () => {
    const { asked, visit, page } = await open({}, {}, { locale: "ar-EG" });
    await untilLogged(page, "onShow 0");
    expect(await page.getByRole("region", { name: "عروض لك" }).getAttribute("dir")).toBe("rtl");
    expect((await boxOf(page, ".media")).x).toBeGreaterThan((await boxOf(page, "h2")).x);
    expect((await boxOf(page, ".close")).x).toBeLessThan((await boxOf(page, ".name")).x);
    expect(await styleOf(page, ".count", "direction")).toBe("rtl");
    const german = await open({}, {}, { attributes: { orderid: 1, language: "de" } });
    await untilLogged(german.page, "onShow 0");
    expect(await german.page.locator(".foot").textContent()).toContain("Datenschutz");
    await store.expectCounted(asked, visit, { impressions: 1 });
    await store.expectCounted(german.asked, german.visit, { impressions: 1 });
  });

  it("reads English words from left to right where a language from right to left has none", async () => {
    const { asked, visit, page } = await open({}, {}, { locale: "he-IL" });
    await untilLogged(page, "onShow 0");
    expect(await page.getByRole("region", { name: "Offers for you" }).getAttribute("dir")).toBe("rtl");
    expect(await styleOf(page, ".count", "direction")).toBe("ltr");
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it.each([
    // A page that says nothing of dark is white, whatever the customer likes.
    ["dark", "", false],
    ["dark", '<meta name="color-scheme" content="light dark">', true],
    ["light", '<meta name="color-scheme" content="light dark">', false],
    ["dark", "<style>body{background:#fff}</style>", false],
    ["light", "<style>body{background:#111}</style>", true],
    ["dark", "<style>body{background:oklch(0.95 0.02 260);color:#fff}</style>", false],
    ["light", "<style>body{background:oklch(0.2 0.02 260);color:#000}</style>", true],
    // The browser writes the second number as 1.00000e-7.
    ["light", "<style>body{background:oklab(0.2 0.0000001 0.01);color:#000}</style>", true],
    ["light", "<style>body{background:linear-gradient(#111,#222);color:oklch(0.9 0.02 260)}</style>", true],
    ["light", "<style>body{background:linear-gradient(#111,#222);color:lab(95 0 0)}</style>", true],
    // Grey text is for white pages, too.
    ["dark", "<style>body{color:#888}</style>", false],
    ["light", "<style>body{background:linear-gradient(#fff,#eee);color:oklch(0.68 0.02 260)}</style>", false],
  ] as const)("fits a customer who likes it %s, and the page: %s", async (colorScheme, head, dark) => {
    const { asked, visit, page } = await open({}, { colorScheme, head });
    await untilLogged(page, "onShow 0");
    expect(await styleOf(page, ".card", "backgroundColor")).toBe(dark ? "rgb(27, 30, 39)" : "rgb(255, 255, 255)");
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("keeps pictures in proportion, and words of any length in sight", async () => {
    const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    const templateConfig = { footerConfig: { privacyLinkLabel: word } };
    const { asked, visit, page } = await open({ brandName: word, templateConfig });
    await untilLogged(page, "onShow 0");
    /** Shows a picture of one size, for which the same or another is declared, and returns the space that it gets. */
    const place = async (size: [number, number], declared = size) => {
      await page.evaluate(`{
        const icon = document.querySelector("#offers > div").shadowRoot.querySelector(".icon");
        [icon.width, icon.height] = ${JSON.stringify(declared)};
        icon.src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='${size[0]}' height='${size[1]}'/>";
        icon.decode();
      }`);
      const box = await boxOf(page, ".icon");
      return [Math.round(box.width), Math.round(box.height)];
    };
    expect(await place([512, 512])).toEqual([144, 144]);
    expect(await place([128, 512])).toEqual([36, 144]);
    expect(await place([192, 192], [64, 64])).toEqual([64, 64]);
    // What is wider than its column is fitted into the space that it gets.
    expect((await place([512, 128]))[1]).toBe(128);
    expect(await styleOf(page, ".icon", "objectFit")).toBe("contain");
    await page.setViewportSize(NARROW.viewport);
    expect(await place([512, 512])).toEqual([80, 80]);
    await page.setViewportSize({ width: 320, height: 700 });
    await page.getByText("Disclaimer").click();
    const cut = `(() => {
      const card = document.querySelector("#offers > div").shadowRoot.querySelector(".card");
      const { right } = card.getBoundingClientRect();
      const within = (element) => element.getBoundingClientRect().right <= right;
      return [...card.querySelectorAll(".bar *, .foot *")].filter((element) => !within(element)).map(({ className, localName }) => className || localName);
    })()`;
    expect(await page.evaluate(cut)).toEqual([]);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("moves nothing else on the page, and asks for two things before it shows", async () => {
    const watch = `<script>window.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value }))
        .observe({ type: "layout-shift", buffered: true });</script>`;
    const { asked, visit, page } = await open({}, { head: watch });
    await untilLogged(page, "onView 0");
    await page.getByRole("button", { name: "No, thanks" }).click();
    await untilLogged(page, "onView 1");
    expect(await page.evaluate("shift")).toBe(0);
    const requests = await page.evaluate<string[]>(`(() => {
      const all = performance.getEntriesByType("resource").filter(({ name }) => name.startsWith("${store.h.url}"));
      const display = all.find(({ name }) => name.includes("/vdata"));
      const before = all.filter(({ name, startTime }) => startTime < display.startTime && !name.includes("/icons/"));
      return before.map(({ name }) => new URL(name).pathname);
    })()`);
    expect(requests).toEqual(["/embed.js", "/api/odata"]);
    expect(await logOf(page)).toContain("onClose 0 decline, onShow 1");
    await store.expectCounted(asked, visit, { impressions: 2, viewables: 2, closes: 1 });
  });
});
