import type { Page } from "playwright-core";

/** Waits until a page has painted what it has received, and has had its scroll events. */
export const untilPainted = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))");
