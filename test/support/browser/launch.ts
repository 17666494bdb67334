import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { onTestFinished } from "vitest";
import { customer } from "./chromium.ts";

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
