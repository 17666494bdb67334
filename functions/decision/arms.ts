import { HOLDOUT_PERCENT } from "../../db/schema/values.ts";
import { hash32, mix32 } from "../core/hash.ts";

/**
 * Names the orders by which sessions are served: by what was learned (`learned`); the same offers in random order,
 * which tells what a place in an answer is worth, whatever stands in it (`random`); and the order from before anything
 * was learned, which tells what learning earns (`holdout`).
 */
export const ARMS = { learned: "0", random: "1", holdout: "2" } as const;

/** Names an arm, as tracking tokens and counters do. */
export type Arm = (typeof ARMS)[keyof typeof ARMS];

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ARMS).map(([name, arm]) => [arm, name]),
);

/** Returns the name of an arm as reports show it: `learned`, `random` or `holdout`. */
export const armName = (arm: string): string => NAMES[arm] ?? arm;

/** Makes what is drawn for the arm independent of what is drawn for the order. */
const ARM_SALT = 0x51f1_5e0d;

/** Sets the share of sessions that are served at random. */
const RANDOM = 0.01;

/**
 * Returns the arm of a session. It stays the same as long as the session and the publisher's share do. An answer of one
 * offer has no places to compare, so it is never served at random; its sessions are held out like all others.
 *
 * @param holdoutPercent how many in a hundred sessions are held out, at most 50
 */
export const armOf = (session: string, count: number, holdoutPercent: number = HOLDOUT_PERCENT.usual): Arm => {
  const drawn = mix32(hash32(session), ARM_SALT);
  if (drawn < RANDOM * 2 ** 32) return count > 1 ? ARMS.random : ARMS.learned;
  return drawn >= (1 - holdoutPercent / 100) * 2 ** 32 ? ARMS.holdout : ARMS.learned;
};

/** Says how many parts sessions fall into. */
export const PARTS = 64;

/** Makes what is drawn for the part independent of all else. */
const PART_SALT = 0x2b7e_1516;

/**
 * Returns the part that a session falls into, by its hash; for a customer who opted out of being recognised, by the
 * decision. How much the parts of an arm differ tells how much of the difference between arms is chance
 * (experiment.ts).
 *
 * @returns a number from 0 to 63
 */
export const partOf = (sessionHash: string | null, decisionId: string): number =>
  mix32(hash32(sessionHash ?? decisionId), PART_SALT) >>> 26;

/**
 * Returns the score by which an offer was ordered before anything was learned: a draw in proportion to its expected
 * value, which is its bid times a rate assumed for all. Ordering offers by the largest ln(u)/weight draws them with
 * chances proportional to their weights (Efraimidis and Spirakis, 2006).
 *
 * @param drawn the draw of session and offer, 32 bits
 */
export const formerScore = (ecpmMicros: number, drawn: number): number =>
  // An offer without expected value keeps a small chance.
  Math.log((drawn + 0.5) / 2 ** 32) / Math.max(ecpmMicros, 1);
