import type { Lanyap } from "./global.ts";
import { followPlaces, startScript } from "./places.ts";
import { start } from "./run.ts";

// A page that loads the script twice has one Lanyap, which knows what runs where.
// Where an element has this id, the browser's own Lanyap is that element.
const known = window.Lanyap?.init;
const lanyap: Lanyap = { init: known ?? ((options) => start({ ...options })) };
window.Lanyap = lanyap;

startScript(lanyap);
if (!known) followPlaces(lanyap);
