import type { Page } from "playwright-core";

/**
 * Lets the console's messages stay until they are closed, or {@link endMessages} is called. Otherwise they vanish after
 * 8 seconds, and on a busy machine a test may reach a message's button later than that.
 */
export const keepMessages = (page: Page): Promise<void> =>
  page.evaluate<void>(`(() => {
    const original = window.setTimeout;
    window.messageEnds = [];
    window.setTimeout = (action, ms, ...rest) =>
      ms === 8000 ? window.messageEnds.push(action) : original(action, ms, ...rest);
  })()`);

/** Removes the console's messages as if their time were over. */
export const endMessages = (page: Page): Promise<void> =>
  page.evaluate<void>("window.messageEnds.splice(0).forEach((end) => end())");
