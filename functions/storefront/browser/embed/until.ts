/**
 * Waits until a condition holds. It checks at once, and again whenever elements come, go or are marked, when the page
 * has loaded, and when it is no longer only prerendered.
 */
export const until = async (holds: () => unknown): Promise<void> => {
  if (holds()) return;
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!holds()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, attributeFilter: ["data-lanyap"] });
    document.addEventListener("DOMContentLoaded", look);
    document.addEventListener("prerenderingchange", look);
  });
};
