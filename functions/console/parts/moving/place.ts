/** Limits for how long a page that somebody goes back to is scrolled by itself, in milliseconds. */
const LIMIT_MS = 10_000;

/** Maps addresses to how far their page was scrolled, in pixels. */
const places = new Map<string, number>();

/** Holds where somebody goes back to, until they are there or do anything else. */
let wanted: { at: string; place: number; until: number } | null = null;

const address = (): string => location.pathname + location.search;

const note = (): void => {
  if (!wanted || Date.now() > wanted.until) places.set(address(), scrollY);
};

const forget = (): void => {
  wanted = null;
};

/** Goes where somebody wants to be, or as near as the page is long enough for: what is in it comes later. */
const approach = (): void => {
  if (!wanted) return;
  const { at, place, until } = wanted;
  if (at !== address() || Date.now() > until) return forget();
  scrollTo(0, place);
  // A browser may round it.
  if (Math.abs(scrollY - place) < 2) forget();
};

/** Notes how far each page is scrolled, and leads whoever goes back to where they left. */
export const notePlaces = (): void => {
  addEventListener("scroll", note, { passive: true });
  addEventListener("popstate", () => {
    const at = address();
    wanted = { at, place: places.get(at) ?? 0, until: Date.now() + LIMIT_MS };
  });
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(act, forget, { passive: true });
  }
  new ResizeObserver(approach).observe(document.body);
};

/** Goes to the beginning of a page that has just come, or where it was left by whoever goes back to it. */
export const goToPlace = (): void => {
  if (wanted?.at === address()) return approach();
  forget();
  return scrollTo(0, 0);
};
