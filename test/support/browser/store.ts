import { isDeepStrictEqual } from "node:util";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { parseKeyRing } from "../../../db/core/secrets/secrets.ts";
import { openToken } from "../../../functions/answer/tracking-token.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../factories.ts";
import { startHarness, type Harness } from "../harness.ts";
import { SECRETS } from "../secrets.ts";
import { newCustomer } from "./launch.ts";
import { launchBrowser } from "./chromium.ts";
import { initScript, startShop, thankYouPage, type Shop } from "./shop.ts";

/** Holds what was counted at a placement. */
export type Counted = { impressions: number; viewables: number; clicks: number; closes: number };

export const NOTHING: Counted = { impressions: 0, viewables: 0, clicks: 0, closes: 0 };

type Placement = { placementId: string; publicKey: string };
type Overrides = Parameters<typeof makeInventory>[1];

/** Describes a page in a customer's browser. `beacons` lists the tracking addresses that it called. */
export type Visit = { page: Page; context: BrowserContext; beacons: string[]; errors: string[] };

/** Holds the service, a shop and a browser: all that a test of the storefront needs. */
export type Store = Awaited<ReturnType<typeof startStore>>;

const placementOf = async (address: string): Promise<string | undefined> => {
  const token = new URL(address).searchParams.get("t") ?? "";
  return openToken(parseKeyRing(SECRETS.TRACKING_KEYS), token)?.placementId;
};

const LOG = "window.log.join(', ')";

/** Returns the log of the page's callbacks so far. */
export const logOf = (page: Page): Promise<string> => page.evaluate<string>(LOG);

/** Waits until the log of the page's callbacks has a text. */
export const untilLogged = async (page: Page, text: string): Promise<void> => {
  await eventually(() => logOf(page)).toContain(text);
};

/** Waits until the page was drawn, and its observers were told what is visible. */
export const untilDrawn = async (page: Page): Promise<void> => {
  await page.bringToFront();
  // A new observer is notified after the existing ones.
  await page.evaluate(
    `new Promise((resolve) => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect();
        resolve();
      });
      observer.observe(document.documentElement);
    })`,
  );
};

/** Makes an expectation that may come true later. */
export const eventually = <T>(ask: () => Promise<T>) => expect.poll(ask, { timeout: 180_000, interval: 25 });

type Window = { getComputedStyle: (element: unknown) => Record<string, string> };

/** Returns a computed property of the first element inside the offers that a selector finds. */
export const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(`#offers ${selector}`)
    .first()
    .evaluate((element, name) => (globalThis as unknown as Window).getComputedStyle(element)[name] ?? "", property);

const startStore = async () => {
  const [h, browser, shop]: [Harness, Browser, Shop] = await Promise.all([
    startHarness(),
    launchBrowser(),
    startShop(),
  ]);
  const advertiser = await makeAdvertiser(h.db);

  /** Makes a placement with offers of its own, called `Offer 1` and so on. No other offers come before them. */
  const placement = async (offers = 2, overrides: Overrides = {}): Promise<Placement> => {
    const made = await makeInventory(h.db, overrides);
    for (let n = 1; n <= offers; n += 1) {
      await makeOffer(h.db, advertiser.id, {
        title: `Offer ${n}`,
        includeSites: [made.site.id],
        termsUrl: "https://advertiser.example/terms",
        iconUrl: "/icons/tree.svg",
        iconWidth: 96,
        iconHeight: 96,
      });
    }
    return { placementId: made.placement.id, publicKey: made.publisher.publicKey };
  };

  /** Opens a page in a browser of its own. */
  const open = async (
    body: string,
    { headers, ...options }: BrowserContextOptions & { headers?: Record<string, string> } = {},
  ): Promise<Visit> => {
    const context = await newCustomer(browser, options);
    const page = await context.newPage();
    const visited: Visit = { page, context, beacons: [], errors: [] };
    context.on("request", (request) => {
      if (/\/(?:vdata|click|close)\?t=/.test(request.url())) visited.beacons.push(request.url());
    });
    page.on("pageerror", (error) => visited.errors.push(error.message));
    await page.goto(shop.open({ body, ...(headers && { headers }) }));
    return visited;
  };

  /** Opens a thank-you page that shows two offers of a placement in `#offers`. */
  const show = (
    asked: Placement & Record<string, unknown>,
    options: Parameters<typeof open>[1] & { head?: string } = {},
  ) => {
    const { head = "", ...rest } = options;
    const init = initScript({
      container: "#offers",
      count: 2,
      attributes: { orderid: "1001", country: "US" },
      ...asked,
    });
    const content = `<div id="offers" style="min-height: 24rem"></div>`;
    return open(
      thankYouPage(content, `${head}<script src="${h.url}/embed.js"></script>`).replace("</body>", `${init}</body>`),
      rest,
    );
  };

  /**
   * Leaves the page, waits until all that the browser sent for a placement is stored, and expects what was counted
   * there. The number of viewable offers depends on the speed of the test: unless `expected` names it, it must be the
   * number that the browser sent.
   */
  const expectCounted = async ({ placementId }: Placement, visit: Visit, expected: Partial<Counted>): Promise<void> => {
    expect(visit.errors).toEqual([]);
    await untilDrawn(visit.page);
    await visit.page.goto("about:blank");
    // The browser reports its last requests only after it has left the page, perhaps even after they were counted.
    const least = Object.values(expected).reduce((sum, count) => sum + count, 0);
    await h.until(
      async () => {
        const placements = await Promise.all(visit.beacons.map(placementOf));
        const sent = visit.beacons.filter((_, at) => placements[at] === placementId);
        const stored = await h.count("events where placement_id = $1", [placementId]);
        const [counted] = await h.rows<Counted>(
          `select coalesce(sum(impressions), 0)::int as impressions, coalesce(sum(viewables), 0)::int as viewables,
            coalesce(sum(clicks), 0)::int as clicks, coalesce(sum(closes), 0)::int as closes
          from daily_counters where placement_id = $1`,
          [placementId],
        );
        const viewables = sent.filter((address) => address.endsWith("&v=1")).length;
        return { sent, stored, counted, expected: { ...NOTHING, viewables, ...expected } };
      },
      (found) =>
        found.stored === Math.max(least, found.sent.length) && isDeepStrictEqual(found.counted, found.expected),
    );
  };

  return { h, browser, shop, placement, visit: open, show, expectCounted };
};

let store: Promise<Store> | null = null;

/**
 * Starts everything once for all test files of a process, and ends it with the process. Each test makes a placement of
 * its own, so that its counters are its own.
 */
export const openStore = (): Promise<Store> => (store ??= startStore());
