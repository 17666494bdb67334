const find = (): HTMLScriptElement | null => {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) return currentScript;
  // A module cannot find its own element. Another vendor's script may have the same name, but has no key of this
  // service.
  return document.querySelector<HTMLScriptElement>("script[src][data-public-key^=lan_pk]");
};

/** Holds the element that loaded this script; null if the page runs it in another way. */
export const script = find();

/**
 * Holds the service's address, with a slash at its end. If the script does not know it, this is one that browsers
 * cannot ask.
 */
export const base = new URL(".", script?.src || "x:/").href;
