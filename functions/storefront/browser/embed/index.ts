import type { Lanyap } from "./global.ts";
import { followPlaces, startScript } from "./places.ts";
import { start } from "./run.ts";
import { script } from "./service/script.ts";

/** Adds a place for offers right after the script, or at the end of the page. */
const behindScript = (): Element => {
  const place = document.createElement("div");
  if (script && document.body.contains(script)) script.after(place);
  else document.body.append(place);
  return place;
};

// A page that loads the script twice has one Lanyap, which knows what runs where.
const known = window.Lanyap;
const lanyap: Lanyap = known ?? { init: (options) => start({ ...options }, behindScript) };
window.Lanyap = lanyap;

const begin = (): void => {
  startScript(lanyap);
  if (!known) followPlaces(lanyap);
};
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin, { once: true });
else begin();
