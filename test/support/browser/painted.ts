import type { Page } from "playwright-core";

/** Waits until a page has shown what it has received, and has been told of what was scrolled. */
export const untilPainted = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))");
