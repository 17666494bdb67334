import { hash32, mix32 } from "../core/hash.ts";

/**
 * Names the orders in which sessions are served: by what was learned, or at random. What is shown at random tells what a
 * place in an answer is worth, whatever stands in it.
 */
export const ARMS = { learned: "0", random: "1" } as const;

/** Names an arm as tracking tokens and counters do. */
export type Arm = (typeof ARMS)[keyof typeof ARMS];

/** Makes what is drawn for the arm independent of what is drawn for the order. */
const ARM_SALT = 0x51f1_5e0d;

/** Sets the share of sessions that are served at random. */
const RANDOM = 0.01;

/**
 * Returns the arm of a session. It stays the same for as long as the session does. An answer of one offer has no places to
 * compare, so those are never served at random.
 */
export const armOf = (session: string, count: number): Arm =>
  count > 1 && mix32(hash32(session), ARM_SALT) < RANDOM * 2 ** 32 ? ARMS.random : ARMS.learned;
