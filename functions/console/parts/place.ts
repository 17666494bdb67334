/** Limits for how long it is waited until a page is as long as it was, in milliseconds. */
const LIMIT_MS = 10_000;

/** Maps addresses to how far their page was scrolled, in pixels. */
const places = new Map<string, number>();
let isBack = false;
let stop: (() => void) | null = null;

const address = (): string => location.pathname + location.search;

/** Scrolls to a place as soon as the page is long enough: what is in it comes later. Whoever does anything stays. */
const waitFor = (place: number): void => {
  const over = new AbortController();
  const { signal } = over;
  const tryIt = (): void => {
    if (document.documentElement.scrollHeight - innerHeight < place) return;
    stop?.();
    scrollTo(0, place);
  };
  const watching = new ResizeObserver(tryIt);
  const timer = setTimeout(() => stop?.(), LIMIT_MS);
  stop = () => {
    stop = null;
    over.abort();
    watching.disconnect();
    clearTimeout(timer);
  };
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(act, () => stop?.(), { signal, passive: true });
  }
  watching.observe(document.body);
  tryIt();
};

/** Notes how far each page is scrolled, for whoever comes back to it. */
export const notePlaces = (): void => {
  addEventListener(
    "scroll",
    () => {
      if (!stop) places.set(address(), scrollY);
    },
    { passive: true },
  );
  addEventListener("popstate", () => {
    // A page that comes by it is there before the next task.
    isBack = true;
    setTimeout(() => {
      isBack = false;
    });
  });
};

/** Goes to the beginning of a page that has just come, or where it was left by whoever goes back to it. */
export const goToPlace = (): void => {
  stop?.();
  const place = isBack ? (places.get(address()) ?? 0) : 0;
  if (place > 0) waitFor(place);
  else scrollTo(0, 0);
};
