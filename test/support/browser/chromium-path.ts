import { existsSync } from "node:fs";

/** Lists the paths where systems keep Chromium. */
export const CHROMIUM_PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Names this machine's Chromium; undefined where there is none. */
export const chromiumPath = CHROMIUM_PLACES.find((place) => existsSync(place));
