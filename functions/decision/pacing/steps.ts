import { mix32 } from "../../core/hash.ts";

/** Sets how many steps halve the share of sessions that see an offer. */
const STEPS = 8;

/** Names the last step: a millionth of all sessions. */
const LAST_STEP = 160;

/** Sets how many steps a share has to be off before it is changed, so that few changes are published. */
const MOVED = 0.75;

/** Makes what is drawn for pacing independent of what is drawn for the order and the taper. */
const PACE_SALT = 0x1b87_3593;

/**
 * Returns the share of sessions that see an offer at a step: all at 0, and half as many with each {@link STEPS} steps.
 */
export const shareOf = (step: number): number => 2 ** (-step / STEPS);

/**
 * Returns the step that is nearest to a share of sessions, or the present step while that is nearly right.
 *
 * @param share any number; what is beyond the first or the last step becomes that step
 * @param before the present step
 */
export const stepFor = (share: number, before: number): number => {
  const exact = Math.min(LAST_STEP, Math.max(0, -STEPS * Math.log2(Math.max(share, Number.MIN_VALUE))));
  return Math.abs(exact - before) < MOVED ? before : Math.round(exact);
};

/**
 * Tells whether a session is one of those that do not see an offer. A session that sees it at a share sees it at every
 * larger one.
 *
 * @param share between 0 and 1
 */
export const isThrottled = (share: number, session: number, offer: number): boolean =>
  mix32(session ^ PACE_SALT, offer) >= share * 2 ** 32;
