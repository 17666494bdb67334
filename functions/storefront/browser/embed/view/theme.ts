import { DARK, LIGHT, shadeOf } from "./shade.ts";

/**
 * Tells whether an element is on a dark background. Where no colour is painted, because the page leaves that to the
 * browser or has a picture, the text decides: light text means a dark page.
 */
const isOnDark = (start: Element): boolean => {
  for (let at: Element | null = start; at; at = at.parentElement) {
    const [lightness, opacity] = shadeOf(getComputedStyle(at).backgroundColor);
    if (opacity > 0.5) return lightness < DARK;
  }
  return shadeOf(getComputedStyle(start).color)[0] > LIGHT;
};

/**
 * Keeps an element's class `dark` in step with the page around it.
 *
 * @returns a function that stops this
 */
export const followTheme = (container: Element, root: HTMLElement): (() => void) => {
  const query = matchMedia("(prefers-color-scheme:dark)");
  const update = () => root.classList.toggle("dark", isOnDark(container));
  // Offers may come before the page's style sheets, but are not painted before these.
  requestAnimationFrame(update);
  query.addEventListener("change", update);
  return () => query.removeEventListener("change", update);
};
