import { randomInt } from "node:crypto";
import { requireFreePort } from "../../../functions/local/ports.ts";

/** Bounds the ports to choose from. Whoever asks the system for any port gets one from 32768 on, and none of these. */
const FIRST = 20_000;
const END = 30_000;

const TRIES = 100;

/** Returns a port on loopback that is free, and stays free while nobody listens on it: no other test gets it. */
export const lastingPort = async (): Promise<number> => {
  for (let n = 0; n < TRIES; n += 1) {
    const port = randomInt(FIRST, END);
    const isFree = await requireFreePort(port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
  }
  throw new Error(`no port from ${FIRST} to ${END} is free`);
};
