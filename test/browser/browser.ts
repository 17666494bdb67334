import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";
import { describe } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** That of a customer: what a headless browser says of itself marks it as a bot. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

const path = PLACES.find((place) => existsSync(place));
if (!path && process.env["CI"]) throw new Error(`tests need a browser at one of ${PLACES.join(", ")}`);
if (!path) console.warn("Tests in a browser are left out: there is no Chromium (Debian: apt-get install chromium).");

/** A group of tests in a real browser; left out where there is none, but never in CI. */
export const describeInBrowser = path ? describe : describe.skip;

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath: path ?? "", args: FLAGS });

/** A customer's browser, without history; what is outside this machine answers with an empty page. */
export const newCustomer = async (browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({ userAgent: USER_AGENT, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(15_000);
  await context.route(/^https:/, (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Landing</title>" }),
  );
  return context;
};
