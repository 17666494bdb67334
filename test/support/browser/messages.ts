import type { Page } from "playwright-core";

/**
 * Lets the console's messages stay until they are closed. They go after 8 seconds, which a busy machine may need before a
 * test comes to the button of one.
 */
export const keepMessages = (page: Page): Promise<void> =>
  page.evaluate<void>(`(() => {
    const original = window.setTimeout;
    window.setTimeout = (action, ms, ...rest) => (ms === 8000 ? 0 : original(action, ms, ...rest));
  })()`);
