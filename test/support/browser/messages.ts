import type { Page } from "playwright-core";

/**
 * Lets the console's messages stay until they are closed, or {@link endMessages} is called. They go after 8 seconds, which a
 * busy machine may need before a test comes to the button of one.
 */
export const keepMessages = (page: Page): Promise<void> =>
  page.evaluate<void>(`(() => {
    const original = window.setTimeout;
    window.messageEnds = [];
    window.setTimeout = (action, ms, ...rest) =>
      ms === 8000 ? window.messageEnds.push(action) : original(action, ms, ...rest);
  })()`);

/** Does what the console would do with its messages when their time is over. */
export const endMessages = (page: Page): Promise<void> =>
  page.evaluate<void>("window.messageEnds.splice(0).forEach((end) => end())");
