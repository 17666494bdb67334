/** Holds how light a computed colour is, from 0 to 255, and how opaque, from 0 to 1. */
type Shade = [lightness: number, opacity: number];

/** Reads a computed colour, as `rgb(…)`, or `oklch(…)` and `oklab(…)`. Less common notations count as nothing. */
const shadeOf = (colour: string): Shade => {
  const [first = 0, second = 0, third = 0, opacity = 1] = (colour.match(/[\d.e-]+/g) ?? []).map(Number);
  if (colour.startsWith("ok")) return [first * 255, opacity];
  return [first * 0.299 + second * 0.587 + third * 0.114, colour.startsWith("rgb") ? opacity : 0];
};

/** Sets below which lightness a colour is dark. */
const DARK = 110;

/**
 * Tells whether an element stands on a dark background. Where no colour is painted, as on a page that leaves that to the
 * browser or has a picture, the text tells: light text is for a dark page.
 */
const isOnDark = (start: Element): boolean => {
  for (let at: Element | null = start; at; at = at.parentElement) {
    const [lightness, opacity] = shadeOf(getComputedStyle(at).backgroundColor);
    if (opacity > 0.5) return lightness < DARK;
  }
  return shadeOf(getComputedStyle(start).color)[0] > DARK;
};

/**
 * Keeps an element's class `dark` in step with the page around it.
 *
 * @returns a function that stops this
 */
export const followTheme = (container: Element, root: HTMLElement): (() => void) => {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const update = () => root.classList.toggle("dark", isOnDark(container));
  update();
  query.addEventListener("change", update);
  return () => query.removeEventListener("change", update);
};
