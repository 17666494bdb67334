/** Gives the focus to the heading of the page, which names it. */
const focusHeading = (): void => document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });

/**
 * Gives the focus to what is around something that is about to go: its dialog, its card or the page. A browser would give it
 * to nothing, and whoever works by keyboard would begin at the top again. Nothing moves on the page.
 *
 * @param what finds what is around it and stays; without any, it is the page
 */
export const focusAround = (going: Element | null, what = "dialog, .card"): void => {
  const around = going?.closest<HTMLElement>(what);
  if (!around) return focusHeading();
  around.tabIndex = -1;
  return around.focus({ preventScroll: true });
};

/** Gives the focus back to where it was, or to the page where that is gone. */
export const focusAgain = (before: EventTarget | null): void => {
  if (before instanceof HTMLElement && before.isConnected && before !== document.body)
    before.focus({ preventScroll: true });
  else focusHeading();
};
