import { randomInt } from "node:crypto";
import { requireFreePort } from "../../../functions/local/ports.ts";

/** Bounds the ports to choose from. Systems give those from 32768 on to whoever asks for any port, and none of these. */
const FIRST = 20_000;
const END = 30_000;

const TRIES = 100;

/** Returns a port on loopback that is free, and stays so while nobody listens on it: no other test is given it. */
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
