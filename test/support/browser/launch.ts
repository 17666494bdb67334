import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { describe, onTestFinished } from "vitest";
import { CHROMIUM_PLACES, chromiumPath, customer } from "./chromium.ts";

if (!chromiumPath && process.env["CI"]) throw new Error(`tests need a browser at one of ${CHROMIUM_PLACES.join(", ")}`);
if (!chromiumPath) {
  console.warn("Tests in a browser are left out: there is no Chromium (Debian: apt-get install chromium).");
}

/** Groups tests in a real browser. They are left out where there is none, except in CI. */
export const describeInBrowser = chromiumPath ? describe : describe.skip;

/**
 * Opens a customer's browser, without history, until the test ends. Addresses outside this machine show an empty page.
 */
export const newCustomer = async (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext(customer(options));
  onTestFinished(() => context.close());
  context.setDefaultTimeout(60_000);
  await context.route(/^https:/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Landing</title>" }),
  );
  return context;
};
