/** Gives the focus to the heading of the page, which names it. Nothing moves on the page. */
const focusHeading = (): void => document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });

/** Gives the focus back to where it was, or to the page where that is gone. */
export const focusAgain = (before: EventTarget | null): void => {
  if (before instanceof HTMLElement && before.isConnected && before !== document.body)
    before.focus({ preventScroll: true });
  else focusHeading();
};

/**
 * Gives the focus to what is around it whenever the element that has it goes: its dialog, its card or the page. A browser
 * would give it to nothing, and whoever works by keyboard would begin at the top again. Nothing moves on the page.
 */
export const keepFocus = (): void => {
  // The element that has the focus, and those around it.
  let path: Element[] = [];
  addEventListener("focusin", (event) => {
    path = event.composedPath().filter((each) => each instanceof Element);
  });
  addEventListener("pointerdown", ({ target }) => {
    // Whoever points elsewhere has left it.
    if (target instanceof Node && !path[0]?.contains(target)) path = [];
  });
  const mend = (): void => {
    const [had] = path;
    if (!had || had.isConnected || document.activeElement !== document.body) return;
    const around = path.find((each) => each.isConnected && each.matches("dialog[open], .card"));
    path = [];
    if (!(around instanceof HTMLElement)) return focusHeading();
    around.tabIndex = -1;
    return around.focus({ preventScroll: true });
  };
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
};
