import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions } from "playwright-core";

/** Where systems keep it. */
export const CHROMIUM_PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

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

/** This machine's Chromium; undefined where there is none. */
export const chromiumPath = CHROMIUM_PLACES.find((place) => existsSync(place));

/** Starts the browser. */
export const launchBrowser = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? "", args: FLAGS, ...options });

/** What a customer's browser is like; its storage is empty in each context. */
export const customer = (options: BrowserContextOptions = {}): BrowserContextOptions => ({
  userAgent: USER_AGENT,
  reducedMotion: "reduce",
  ...options,
});
