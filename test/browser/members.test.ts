import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { thankYouPage } from "../support/browser/shop.ts";
import { openStore, type Store, type Visit } from "../support/browser/store.ts";

/** Every member that changes how offers look, but for those that take icons away. */
const changed = (url: string) => ({
  brandName: "Oak & Co",
  privacyUrl: "https://oak.example/our-privacy",
  brandTemplateImageUrl: `${url}/icons/tree.svg`,
  toggleCloseButtonDelay: 60_000,
  showPartnership: false,
  templateConfig: {
    iconConfig: { mobilePosition: "left" },
    textConfig: { titleSize: "small", subtitleSize: "xlarge", descriptionSize: "large", titleTransform: "lowercase" },
    layoutConfig: { gridColumnsDesktop: ["100px", "1fr", "30%"], gridGap: "40px" },
    buttonConfig: { primaryButtonKind: "tertiary", primaryButtonAppearance: "text", buttonLayoutMobile: "inline" },
    linksConfig: { showTermsLink: false, showDisclaimerLink: false },
    footerConfig: { showPartnership: false, privacyLinkLabel: "Your data" },
  },
});

/** What is seen of a member: an expression, and its values by default and with the member changed. */
type Seen = readonly [member: string, expression: string, before: unknown, after: unknown];

const text = (selector: string) => `find(${JSON.stringify(selector)})?.textContent ?? ""`;
const count = (selector: string) => `root.querySelectorAll(${JSON.stringify(selector)}).length`;
const path = (selector: string, name: string) => `new URL(find(${JSON.stringify(selector)}).${name}).pathname`;
const style = (selector: string, property: string) => `getComputedStyle(find(${JSON.stringify(selector)})).${property}`;
const tracks = `${style(".offer", "gridTemplateColumns")}.split(" ").length`;

const WIDE: Seen[] = [
  ["brandName", text(".name"), "Pine & Pebble", "Oak & Co"],
  ["privacyUrl", path(".foot > a:last-of-type", "href"), "/privacy", "/our-privacy"],
  ["brandTemplateImageUrl", path(".brand", "src"), "/icons/brand.svg", "/icons/tree.svg"],
  ["toggleCloseButtonDelay", style(".close", "visibility"), "visible", "hidden"],
  ["showPartnership", count(".chip"), 1, 0],
  ["titleSize", style("h2", "fontSize"), "24px", "18px"],
  ["subtitleSize", style(".header", "fontSize"), "14px", "18px"],
  ["descriptionSize", style(".description", "fontSize"), "16px", "18px"],
  ["titleTransform", style("h2", "textTransform"), "none", "lowercase"],
  ["gridColumnsDesktop", tracks, 2, 3],
  ["gridGap", style(".offer", "columnGap"), "16px", "40px"],
  ["primaryButtonKind", style(".button", "color"), "rgb(255, 255, 255)", "rgb(55, 48, 163)"],
  ["primaryButtonAppearance", style(".button", "textDecorationLine"), "none", "underline"],
  ["showTermsLink", count(".foot > a"), 2, 1],
  ["showDisclaimerLink", count("details"), 1, 0],
  ["footerConfig.showPartnership", text(".by"), "Offers by Lanyap", ""],
  ["privacyLinkLabel", text(".foot > a:last-of-type > span"), "Privacy policy", "Your data"],
];

const NARROW: Seen[] = [
  ["mobilePosition", tracks, 1, 2],
  ["buttonLayoutMobile", style(".actions", "flexDirection"), "column", "row"],
];

const named = (values: readonly unknown[], seen: readonly Seen[]) => seen.map(([member], at) => [member, values[at]]);

/** What expressions make of the offers in a container. */
const look = (page: Page, id: string, seen: readonly Seen[]): Promise<unknown[]> =>
  page.evaluate<unknown[]>(`(() => {
    const root = document.querySelector("#${id} > div").shadowRoot;
    const find = (selector) => root.querySelector(selector);
    return [${seen.map(([, expression]) => expression).join(", ")}];
  })()`);

describe("the members of a placement's data", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** A page with an offer for each of the data, in containers of their names. */
  const open = async (all: Record<string, object>, options: Parameters<Store["visit"]>[1] = {}): Promise<Visit> => {
    const places = await Promise.all(
      Object.entries(all).map(async ([id, data]) => {
        const asked = await store.placement(1, { placement: { data: { brandName: "Pine & Pebble", ...data } } });
        return `<div id="${id}" data-lanyap data-public-key="${asked.publicKey}" data-placement-id="${asked.placementId}"
          data-count="1" data-at-orderid="7" data-at-language="en"></div>`;
      }),
    );
    const script = `<script async src="${store.h.url}/embed.js"></script>`;
    const visit = await store.visit(thankYouPage(places.join("") + script), options);
    for (const id of Object.keys(all)) await visit.page.locator(`#${id} article`).waitFor();
    return visit;
  };

  it("are honoured, each of them", async () => {
    const { page } = await open({ before: {}, after: changed(store.h.url) });
    for (const [seen, width] of [
      [WIDE, 1000],
      [NARROW, 375],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const [before, after] = [await look(page, "before", seen), await look(page, "after", seen)];
      expect(named(before, seen)).toEqual(seen.map(([member, , value]) => [member, value]));
      expect(named(after, seen)).toEqual(seen.map(([member, , , value]) => [member, value]));
    }
  });

  it("set the one column of narrow screens, and take icons away", async () => {
    const { page } = await open(
      {
        column: { templateConfig: { layoutConfig: { gridColumnsMobile: "200px" } } },
        icons: { templateConfig: { iconConfig: { showIcon: false } } },
      },
      { viewport: { width: 375, height: 800 } },
    );
    const columns: Seen = ["gridColumnsMobile", style(".offer", "gridTemplateColumns"), "", ""];
    const icons: Seen = ["showIcon", count(".icon"), "", ""];
    expect(await look(page, "column", [columns, icons])).toEqual(["200px", 1]);
    expect(await look(page, "icons", [icons])).toEqual([0]);
  });

  it("move into sight only for those who like movement", async () => {
    const animation: Seen = [
      "",
      `${style(".offer", "animationName")}, ${style(".button", "transitionDuration")}`,
      "",
      "",
    ];
    const moving = await open({ moving: {} }, { reducedMotion: "no-preference" });
    expect(await look(moving.page, "moving", [animation])).toEqual(["enter", "0.15s"]);
    const still = await open({ still: {} }, { reducedMotion: "reduce" });
    expect(await look(still.page, "still", [animation])).toEqual(["none", "0s"]);
  });
});
