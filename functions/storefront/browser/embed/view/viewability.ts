// These are the thresholds of IAB and MRC for display advertising.
const SHARE = 0.5;
const DURATION_MS = 1000;

/**
 * Calls `onDisplay` once, when an element takes up room in a rendered page, which it does not where the page hides the
 * place. Calls `onView` once, when at least half of it has been on screen for a whole second in a visible tab.
 *
 * @returns a function that stops watching
 */
export const watchView = (element: Element, onDisplay: () => void, onView: () => void): (() => void) => {
  let inView = false;
  let isDisplayed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const update = () => {
    clearTimeout(timer);
    if (inView && !document.hidden) timer = setTimeout(seen, DURATION_MS);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const latest = entries.pop();
      if (!isDisplayed && latest?.boundingClientRect.width) {
        isDisplayed = true;
        onDisplay();
      }
      inView = (latest?.intersectionRatio ?? 0) >= SHARE;
      update();
    },
    { threshold: [0, SHARE] },
  );
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    document.removeEventListener("visibilitychange", update);
  };
  const seen = () => {
    stop();
    onView();
  };
  observer.observe(element);
  document.addEventListener("visibilitychange", update);
  return stop;
};
