/** Limits how long a page that somebody goes back to is scrolled automatically, in milliseconds. */
const LIMIT_MS = 10_000;

/** Maps addresses to how far their page was scrolled, in pixels. */
const places = new Map<string, number>();

/** Holds the place that somebody goes back to, until they are there or do anything else. */
let wanted: { at: string; place: number; until: number } | null = null;

const address = (): string => location.pathname + location.search;

const note = (): void => {
  if (!wanted || Date.now() > wanted.until) places.set(address(), scrollY);
};

const forget = (): void => {
  wanted = null;
};

/** Scrolls to the wanted place, or as near as the page is long enough for: its content comes later. */
const approach = (): void => {
  if (!wanted) return;
  const { at, place, until } = wanted;
  if (at !== address() || Date.now() > until) return forget();
  scrollTo(0, place);
  // Browsers may round the position.
  if (Math.abs(scrollY - place) < 2) forget();
};

/** Notes how far each page is scrolled, and returns those who go back to where they left. */
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

/** Goes to the beginning of a new page, or, when somebody goes back to a page, to where they left it. */
export const goToPlace = (): void => {
  if (wanted?.at === address()) return approach();
  forget();
  return scrollTo(0, 0);
};
