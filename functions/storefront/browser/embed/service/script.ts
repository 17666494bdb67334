const find = (): HTMLScriptElement | null => {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) return currentScript;
  return document.querySelector<HTMLScriptElement>('script[src*="/embed."]');
};

/** Holds the element that loaded this script; null where a page runs it in another way. */
export const script = find();

/** Holds the service's address, without a slash at its end. */
export const base = new URL(".", script?.src || location.href).href.replace(/\/$/, "");
