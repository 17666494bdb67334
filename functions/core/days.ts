import { DAY_MS, dayOf } from "../../db/core/time.ts";

/** Returns a UTC day so many days before a time, as the API's parameters name it: 20261122. */
export const dayParameter = (now: number, daysAgo = 0): string => dayOf(now - daysAgo * DAY_MS).replaceAll("-", "");
