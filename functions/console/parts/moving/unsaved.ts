import { createContext } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";

/** Holds what would be lost by leaving: forms with changes, and secrets that are shown once. */
const held = new Set<object>();

let here = "";

/** Passes down to children what a dialog would lose by closing. */
export const Unsaved = createContext<Set<object> | null>(null);

/** Tells whether this page, or a dialog on it, may be left: asks first if something would be lost. */
export const askToLeave = (losing: ReadonlySet<object> = held): boolean =>
  // The browser's own question keeps the page as it is meanwhile, like the one at a reload.
  losing.size === 0 ||
  confirm(`What is not saved ${losing === held ? "on this page" : "here"} will be lost. Leave anyway?`);

/**
 * Tells whether a click follows a link to another screen in this tab. When it loads a page, the browser asks by itself.
 */
const isFollowing = (event: MouseEvent): boolean => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return false;
  const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
  return (
    link !== undefined &&
    link.origin === location.origin &&
    link.pathname.startsWith("/console") &&
    !link.getAttribute("href")?.startsWith("#") &&
    /^(?:_self)?$/.test(link.target) &&
    !link.download
  );
};

const onClick = (event: MouseEvent): void => {
  if (!isFollowing(event) || askToLeave()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

const onBack = (event: PopStateEvent): void => {
  if (held.size === 0 || location.pathname + location.search === here.replace(/#.*/, "") || askToLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, "", here);
};

/** Starts asking before links and the browser's buttons lead away. It has to be called before the router listens. */
export const guardLeaving = (): void => {
  addEventListener("click", onClick, true);
  addEventListener("popstate", onBack, true);
};

const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Asks before a page is left, or the dialog around closes, as long as something in it is not saved. */
export const useUnsaved = (isUnsaved: boolean): void => {
  const inside = useContext(Unsaved);
  // An effect would wait for the next frame, and a key pressed before it would leave without asking.
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    const one = {};
    here = location.pathname + location.search + location.hash;
    addEventListener("beforeunload", onUnload);
    held.add(one);
    inside?.add(one);
    return () => {
      held.delete(one);
      inside?.delete(one);
      if (held.size === 0) removeEventListener("beforeunload", onUnload);
    };
  }, [isUnsaved]);
};

/** Asks as {@link useUnsaved} does; returns a function for a button that leaves the dialog or page, which asks, too. */
export const useLeaving = (isUnsaved: boolean, leave: (() => void) | undefined): (() => void) => {
  const inside = useContext(Unsaved);
  useUnsaved(isUnsaved);
  return () => {
    if (askToLeave(inside ?? undefined)) leave?.();
  };
};
