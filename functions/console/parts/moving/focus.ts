/** Moves the focus to the heading of the page, which names it, without scrolling. */
const focusHeading = (): void => document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });

/** Moves the focus back to where it was, or to the page if that is gone. */
export const focusAgain = (before: EventTarget | null): void => {
  if (before instanceof HTMLElement && before.isConnected && before !== document.body)
    before.focus({ preventScroll: true });
  else focusHeading();
};

/**
 * Moves the focus to what was around the element that has it whenever that disappears: its group of controls, its
 * card, its dialog or the page. A browser would move it nowhere, and keyboard users would begin at the top again.
 * Nothing scrolls.
 */
export const keepFocus = (): void => {
  // This holds the element with the focus, and those around it.
  let path: Element[] = [];
  addEventListener("focusin", (event) => {
    path = event.composedPath().filter((each) => each instanceof Element);
  });
  addEventListener("pointerdown", ({ target }) => {
    // A press elsewhere leaves it.
    if (target instanceof Node && !path[0]?.contains(target)) path = [];
  });
  const mend = (): void => {
    const [had] = path;
    if (!had || had.isConnected || document.activeElement !== document.body) return;
    const around = path.find((each) => each.isConnected && each.matches("dialog[open], .card, fieldset"));
    path = [];
    if (!(around instanceof HTMLElement)) return focusHeading();
    around.tabIndex = -1;
    return around.focus({ preventScroll: true });
  };
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
};
