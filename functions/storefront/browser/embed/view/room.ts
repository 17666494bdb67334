const heights = new WeakMap<Element, string>();

/** Gives up the height that a page keeps for offers. */
export const releaseRoom = (place: Element): void => {
  const { style } = place as HTMLElement;
  heights.set(place, style.minHeight);
  style.minHeight = "0";
};

/**
 * Gives up that height once it is out of the customer's sight, so that nothing moves before their eyes. If the browser
 * does not keep the page still when something above shrinks, this only happens below what they see.
 */
export const releaseUnseen = (place: Element, signal: AbortSignal): void => {
  const observer = new IntersectionObserver((entries) => {
    const latest = entries.pop();
    if (!latest || latest.isIntersecting) return;
    if (latest.boundingClientRect.top < 0 && !CSS.supports("overflow-anchor:auto")) return;
    observer.disconnect();
    releaseRoom(place);
  });
  observer.observe(place);
  signal.addEventListener("abort", () => observer.disconnect());
};

/** Keeps that height again, for offers that are asked for in the same place. */
export const keepRoom = (place: Element): void => {
  const { style } = place as HTMLElement;
  style.minHeight = heights.get(place) ?? style.minHeight;
  heights.delete(place);
};
