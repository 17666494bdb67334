import { DAY_MS } from "../../db/core/time.ts";

/** Returns a UTC day so many days before a time, as the API's parameters name it: 20261122. */
export const dayParameter = (now: number, daysAgo = 0): string =>
  new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
