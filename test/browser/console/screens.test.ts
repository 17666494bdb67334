import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { makeBusyNetwork } from "../../support/browser/busy-network.ts";
import { openConsole, signIn } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { openStore, type Store } from "../../support/browser/store.ts";
import { SECRETS } from "../../support/secrets.ts";

/** Names a folder for a picture of every screen, in every size and scheme. */
const { SHOTS } = process.env;

/** Names where the pictures of the README are, and which they are; only `PICTURES=1` takes them again. */
const README = process.env["PICTURES"] && join(import.meta.dirname, "../pictures");
const PICTURED = new Set(["overview", "reports", "looks"]);

let store: Store;
let network: Awaited<ReturnType<typeof makeBusyNetwork>>;
beforeAll(async () => {
  store = await openStore();
  network = await makeBusyNetwork(store.h);
});

type Shot = [name: string, path: string, isReady?: (page: Page) => Promise<unknown>];

const chart = (page: Page) => page.locator(".chart canvas").first().waitFor();
const row = (page: Page) => page.getByRole("rowheader").first().waitFor();

/** Lists every screen, by who sees it. */
const screens = (): Record<"platform" | "publisher" | "administrator", Shot[]> => {
  const { publisher, site, placement, offer, advertiserId } = network;
  return {
    platform: [
      ["overview", "", chart],
      ["publishers", "/publishers", row],
      ["publisher", `/publishers/${publisher.id}`, chart],
      ["sites", "/sites", row],
      ["placements", "/placements", row],
      ["advertisers", "/advertisers", row],
      ["advertiser", `/advertisers/${advertiserId}`],
      ["offers", "/offers", row],
      ["offer", `/offers/${offer.id}`, chart],
      ["offers-import", "/offers/import"],
      ["offer-new", `/offers/new?advertiserId=${advertiserId}`],
      ["offer-edit", `/offers/${offer.id}/edit`, (page) => page.getByText("Placements reached").waitFor()],
      ["reports", "/reports?by=OFFER&against=before", chart],
      ["learning", "/reports/learning", row],
      ["explain", `/explain?placementId=${placement.id}&country=US&language=en`, row],
      ["audit", "/audit", row],
      ["messages", "/messages", (page) => page.getByRole("heading", { level: 2 }).first().waitFor()],
    ],
    publisher: [
      ["own-overview", "", chart],
      ["account", "/account", chart],
      ["site", `/sites/${site.id}`, chart],
      ["placement", `/placements/${placement.id}`, chart],
      ["looks", `/placements/${placement.id}/looks`, (page) => page.locator(".shop article").first().waitFor()],
    ],
    administrator: [
      ["platforms", "/platforms", row],
      ["operations", "/operations", (page) => page.getByText("Healthy", { exact: true }).waitFor()],
    ],
  };
};

it("every screen that there is is looked at here", () => {
  const source = readFileSync(join(import.meta.dirname, "../../../functions/console/screens/screens.ts"), "utf8");
  const known = [...source.matchAll(/path: "(\/console[^"]*)"/g)].map(([, path = ""]) => path);
  const seen = Object.values(screens())
    .flat()
    .map(([, path]) => `/console${path.replace(/\?.*$/, "").replace(/\/[a-z]+_[0-9a-z]{26}/, "/:id")}`);
  expect([...new Set(seen)].toSorted()).toEqual(known.toSorted());
});

const COMBINATIONS = [
  [1280, "light"],
  [390, "dark"],
  ...(SHOTS ? [[1280, "dark"] as const, [390, "light"] as const] : []),
] as const;

/** Opens screens one after the other as who is signed in, and returns what is wrong with each. */
const look = async (token: string, list: Shot[], width: number, colorScheme: "light" | "dark"): Promise<string[]> => {
  const { page, problems } = await openConsole(store, "/console", { viewport: { width, height: 800 }, colorScheme });
  const wrong: string[] = [];
  await page.getByLabel("Keep me signed in").check();
  await signIn(page, token);
  await page.locator(".frame").waitFor();
  for (const [name, path, isReady] of list) {
    await page.goto(`${store.h.url}/console${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await isReady?.(page);
    await page.waitForLoadState("networkidle");
    const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
    const found = [...(await findings(page)), ...(needed > width ? [`is ${needed} pixels wide`] : []), ...problems];
    wrong.push(...found.map((text) => `${name} ${text}`));
    problems.length = 0;
    if (README && width > 900 && colorScheme === "light" && PICTURED.has(name)) {
      await page.screenshot({ path: join(README, `console-${name}.png`) });
    }
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
  return wrong;
};

describe.each(COMBINATIONS)("at %d pixels, %s, nothing is cut and axe-core finds nothing", (width, colorScheme) => {
  it.each(["platform", "publisher", "administrator"] as const)("on every screen of a %s", async (kind) => {
    const { platform, publisher } = network;
    const tokens = { platform: platform.token, publisher: publisher.privateKey, administrator: SECRETS.ADMIN_TOKEN };
    expect(await look(tokens[kind], screens()[kind], width, colorScheme)).toEqual([]);
  });
});
