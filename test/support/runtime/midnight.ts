import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach } from "vitest";
import { DAY } from "../tracking/hits.ts";

/** Says how near midnight is too near, in milliseconds. */
const NEAR = 60_000;

/**
 * Waits until midnight (UTC) has passed if it is near: otherwise events that belong together would be counted on two
 * days.
 */
const passMidnight = async (): Promise<void> => {
  const left = DAY - (Date.now() % DAY);
  if (left < NEAR) await sleep(left + 1_000);
};

// Before a file is loaded, which may read the date, and before each of its tests.
await passMidnight();
beforeEach(passMidnight);
