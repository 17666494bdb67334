import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions } from "playwright-core";
import { chromiumPath } from "./chromium-path.ts";

/**
 * Lists what Chromium does without. Each of its windows has pages for suggestions below the address bar, which nobody sees
 * here, and which take a quarter of the processor time of tests. Of two such switches the last counts, so the others are
 * those that Playwright switches off on Linux: compare them when it is updated.
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

/** Lists what this machine's Chromium is started with. */
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
