import type { Lanyap } from "./global.ts";
import type { Handle } from "./run.ts";
import { script } from "./service/script.ts";
import { notice } from "./service/rare.ts";
import type { Options } from "./service/options.ts";
import { until } from "./until.ts";

// Others are rare, so the file that is loaded when needed knows whether they exist.
const USUAL =
  /^(?:lanyap|publicKey|placementId|container|sessionId|locale|count|at(?:Order_?id|Email|Country|Language|Amount|Currency))$/;

const isUsual = (name: string): boolean => USUAL.test(name);

/** Tells whether an attribute of the script asks for offers, even if it is misspelt. */
const isMeant = (name: string): boolean => isUsual(name) || /^(?:public|placement)/i.test(name);

/** Reads options from an element's `data-*` attributes. `data-at-country` becomes the attribute `country`. */
const optionsOf = (source: HTMLElement): Options => {
  const attributes: Record<string, string> = {};
  const options: Partial<Record<string, unknown>> = { attributes, source };
  for (const [name, value] of Object.entries(source.dataset)) {
    if (/^at[A-Z]/.test(name)) attributes[name.slice(2)] = value as string;
    else if (value && isUsual(name)) options[name] = value;
  }
  return options as Options;
};

/** Starts what an element asks for by its attributes. */
const startFrom = (lanyap: Lanyap, source: HTMLElement, given?: Partial<Options>): Handle => {
  const options = optionsOf(source);
  if (!Object.keys(source.dataset).every(isUsual)) notice(options);
  return lanyap.init({ ...options, ...given });
};

const shown = new Map<HTMLElement, Handle>();

/**
 * Starts every element with `data-lanyap` that is new in the page, and ends those that are gone or no longer have it.
 */
const update = (lanyap: Lanyap): void => {
  shown.forEach((handle, place) => {
    if (place.isConnected && place.matches("[data-lanyap]")) return;
    handle.destroy();
    shown.delete(place);
  });
  document.querySelectorAll<HTMLElement>("[data-lanyap]:not(script)").forEach((place) => {
    if (!shown.has(place)) shown.set(place, startFrom(lanyap, place, { container: place }));
  });
};

/** Starts what the script's own attributes ask for. A script that has none of them is for pages with code. */
export const startScript = (lanyap: Lanyap): void => {
  if (script && Object.keys(script.dataset).some(isMeant)) startFrom(lanyap, script);
};

/** Follows the page's elements with `data-lanyap` as long as the page is open. */
export const followPlaces = (lanyap: Lanyap): void =>
  // An update returns nothing, so this never ends.
  void until(() => update(lanyap));
