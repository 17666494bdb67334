import { createContext } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";

/** Holds what would be lost by leaving: forms with changes, and secrets that are shown once. */
const held = new Set<object>();

let here = "";

/** Hands down what a dialog would lose by closing. */
export const Unsaved = createContext<Set<object> | null>(null);

/** Tells whether this page, or a dialog of it, may be left: asks first where something would be lost. */
export const askToLeave = (losing: ReadonlySet<object> = held): boolean =>
  // The browser's own question holds the page as it is meanwhile, as that of a reload does.
  losing.size === 0 ||
  confirm(`What is not saved ${losing === held ? "on this page" : "here"} is lost. Leave it all the same?`);

/** Tells whether a click follows a link to another screen in this tab. The browser asks by itself where it loads a page. */
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

/** Begins to ask before links and the browser's buttons lead away; has to be called before the router listens. */
export const guardLeaving = (): void => {
  addEventListener("click", onClick, true);
  addEventListener("popstate", onBack, true);
};

const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Asks before a page is left, or the dialog around closes, as long as something of it is not saved. */
export const useUnsaved = (isUnsaved: boolean): void => {
  const inside = useContext(Unsaved);
  // An effect would wait for the next picture, and a key pressed before it would not be asked about.
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

/** Asks as {@link useUnsaved} does; returns what leaves the dialog or page by a button, which asks too. */
export const useLeaving = (isUnsaved: boolean, leave: (() => void) | undefined): (() => void) => {
  const inside = useContext(Unsaved);
  useUnsaved(isUnsaved);
  return () => {
    if (askToLeave(inside ?? undefined)) leave?.();
  };
};
