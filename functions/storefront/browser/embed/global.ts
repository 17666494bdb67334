import type { Options } from "./service/options.ts";
import type { Handle } from "./run.ts";

/** The one global. */
export type Lanyap = { init: (options: Options) => Handle };

declare global {
  interface Window {
    Lanyap?: Lanyap;
  }
}
