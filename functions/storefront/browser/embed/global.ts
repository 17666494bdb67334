import type { Options } from "./service/options.ts";
import type { Handle } from "./run.ts";

/** Describes the one global that the script adds to a page. */
export type Lanyap = { init: (options: Options) => Handle };

declare global {
  interface Window {
    Lanyap?: Lanyap;
  }
}
