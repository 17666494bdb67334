import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { customer } from "./chromium.ts";

/** Describes the console in a browser of its own. `problems` lists the errors of its page. */
export type Visited = { page: Page; context: BrowserContext; problems: string[] };

type Service = { h: { url: string }; browser: Browser };

/** Returns what a page shows, to help find out why a test failed. */
const seen = async (page: Page): Promise<string> => {
  const focus = await page.evaluate<string>("document.activeElement?.outerHTML ?? ''");
  return [page.url(), `focus: ${focus.slice(0, 200)}`, await page.locator("body").innerText()].join("\n");
};

/** Opens an address of the console without signing in. */
export const openConsole = async (
  { h, browser }: Service,
  path = "/console",
  options: BrowserContextOptions = {},
): Promise<Visited> => {
  const context = await browser.newContext(
    customer({ viewport: { width: 1280, height: 900 }, locale: "en-US", timezoneId: "Europe/Berlin", ...options }),
  );
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    // A test that fails only on a busy machine cannot be looked at later.
    try {
      if (task.result?.state === "fail") console.error(await seen(page));
    } finally {
      await context.close();
    }
  });
  const problems: string[] = [];
  page.on("console", (message) => {
    // The page looks for the demo's tokens on this machine, and they exist only with `npm start`.
    if (message.location().url.endsWith("/console/demo.json")) return;
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`${h.url}${path}`);
  return { page, context, problems };
};

/** Signs in on the page that asks for a token. */
export const signIn = async (page: Page, token: string): Promise<void> => {
  await page.getByLabel("Token", { exact: true }).fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
};

/** Opens an address of the console, signed in with a token. */
export const visitConsole = async (
  service: Service,
  token: string,
  path = "/console",
  options: BrowserContextOptions = {},
): Promise<Visited> => {
  const visited = await openConsole(service, path, options);
  await signIn(visited.page, token);
  await visited.page.locator(".frame").waitFor();
  return visited;
};

/**
 * Signs in, and counts clicks from the overview on, as the page itself sees them: each press of a button or link, each
 * tick, and each form that is sent by the Enter key. Typing into a field and choosing one of its values do not count.
 */
export const walkConsole = async (
  service: Service,
  token: string,
): Promise<Visited & { clicks: () => Promise<number> }> => {
  const visited = await visitConsole(service, token);
  await visited.page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  await visited.page.evaluate(
    "window.clicks = 0; addEventListener('click', ({ isTrusted }) => { window.clicks += isTrusted ? 1 : 0 }, true)",
  );
  return { ...visited, clicks: () => visited.page.evaluate<number>("window.clicks") };
};

/** Lists names that break careless code: markup, right-to-left text, 255 characters without a space. */
export const HOSTILE_NAMES = [
  `<img src=x onerror="document.title='owned'"><b>bold</b>`,
  "متجر الهدايا \u202Eevil\u202C 123",
  "W".repeat(255),
] as const;
