import type { Lanyap } from "./global.ts";
import { optionsOf } from "./service/options.ts";
import { start } from "./run.ts";

const findScript = (): HTMLScriptElement | null => {
  const { currentScript } = document;
  if (currentScript instanceof HTMLScriptElement) return currentScript;
  return document.querySelector<HTMLScriptElement>('script[src*="/embed."]');
};

const script = findScript();
const base = new URL(".", script?.src || location.href).href.replace(/\/$/, "");

/** Adds a place for offers right after the script, or at the end of the page. */
const behindScript = (): Element => {
  const place = document.createElement("div");
  if (script && document.body.contains(script)) script.after(place);
  else document.body.append(place);
  return place;
};

const begun = new WeakSet<Element>();

/** Starts what the page asks for without code: by attributes of the script, and of every element with `data-lanyap`. */
const startMarked = (): void => {
  if (script?.dataset["placementId"]) lanyap.init(optionsOf(script));
  document.querySelectorAll<HTMLElement>("[data-lanyap]").forEach((place) => {
    if (!begun.has(place)) lanyap.init({ ...optionsOf(place), container: place });
    begun.add(place);
  });
};

// A page that loads the script twice has one Lanyap, which knows what runs where.
const lanyap: Lanyap = window.Lanyap ?? { init: (options) => start(base, { ...options }, behindScript) };
window.Lanyap = lanyap;
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startMarked, { once: true });
else startMarked();
