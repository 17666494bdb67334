const dark = (): MediaQueryList => matchMedia("(prefers-color-scheme: dark)");

/** Red, green, blue and opacity of a computed colour, where it is written in the usual way. */
const channels = (colour: string): number[] | null => {
  const found = /^rgba?\((.*)\)$/.exec(colour);
  return found ? (found[1] ?? "").split(/[\s,/]+/).map(Number) : null;
};

/** Whether an element stands on something dark: what is painted behind it, and else the customer's preference. */
const isOnDark = (start: Element): boolean => {
  for (let at: Element | null = start; at; at = at.parentElement) {
    const [red = 0, green = 0, blue = 0, opacity = 1] = channels(getComputedStyle(at).backgroundColor) ?? [0, 0, 0, 0];
    if (opacity > 0.5) return red * 0.299 + green * 0.587 + blue * 0.114 < 110;
  }
  return dark().matches;
};

/**
 * Keeps an element's class `dark` in step with the page around it.
 *
 * @returns how to stop
 */
export const followTheme = (container: Element, root: HTMLElement): (() => void) => {
  const query = dark();
  const update = () => root.classList.toggle("dark", isOnDark(container));
  update();
  query.addEventListener("change", update);
  return () => query.removeEventListener("change", update);
};
