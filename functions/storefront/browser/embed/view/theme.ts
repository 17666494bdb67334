const dark = (): MediaQueryList => matchMedia("(prefers-color-scheme: dark)");

/** Parses a computed colour into red, green, blue and opacity. Less common notations count as none. */
const channels = (colour: string): number[] =>
  (colour.startsWith("rgb") ? (colour.match(/[\d.]+/g) ?? []) : [0, 0, 0, 0]).map(Number);

/** Tells whether an element stands on a dark background. Where nothing is painted, the customer's preference decides. */
const isOnDark = (start: Element): boolean => {
  for (let at: Element | null = start; at; at = at.parentElement) {
    const [red = 0, green = 0, blue = 0, opacity = 1] = channels(getComputedStyle(at).backgroundColor);
    if (opacity > 0.5) return red * 0.299 + green * 0.587 + blue * 0.114 < 110;
  }
  return dark().matches;
};

/**
 * Keeps an element's class `dark` in step with the page around it.
 *
 * @returns a function that stops this
 */
export const followTheme = (container: Element, root: HTMLElement): (() => void) => {
  const query = dark();
  const update = () => root.classList.toggle("dark", isOnDark(container));
  update();
  query.addEventListener("change", update);
  return () => query.removeEventListener("change", update);
};
