import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions } from "playwright-core";
import { chromiumPath } from "./chromium-path.ts";

/**
 * Lists the features that Chromium runs without. Each of its windows has pages for suggestions below the address bar,
 * which nobody sees here, and which take a quarter of the tests' processor time. Only the last such switch counts, so
 * the list repeats what Playwright switches off on Linux: compare it when Playwright is updated.
 */
const WITHOUT = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Lists the switches that this machine's Chromium is started with. */
export const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Names the browser as a customer's, since a headless browser's own name marks it as a bot. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

/** Starts a headless browser. */
export const launchBrowser = (options: LaunchOptions = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? "",
    args: [...CHROMIUM_FLAGS, `--disable-features=${WITHOUT.join()}`],
    ...options,
  });

/** Returns the options of a customer's browser. Its storage is empty in each context. */
export const customer = (options: BrowserContextOptions = {}): BrowserContextOptions => ({
  userAgent: USER_AGENT,
  reducedMotion: "reduce",
  ...options,
});
