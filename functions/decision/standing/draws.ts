import { mix32 } from "../../core/hash.ts";

/** Makes what is drawn for the taper independent of what is drawn for the order. */
const TAPER_SALT = 0x7a9e_5a17;

/** Makes what is drawn for newcomers independent of what is drawn for the order. */
const NEWCOMER_SALT = 0x3c6e_f372;

/** Makes what is drawn for places at random independent of what is drawn for the order. */
const PLACE_SALT = 0x1b56_c4e9;

/** Tells whether a session is one of those that see an offer last. The share of the others was halved so many times. */
export const isTapered = (halvings: number, session: number, offer: number): boolean =>
  mix32(session ^ TAPER_SALT, offer) >= 2 ** (32 - halvings);

/** Tells whether a session belongs to the share that sees a newcomer. */
export const isFavouring = (session: number, share: number): boolean => mix32(session, NEWCOMER_SALT) < share * 2 ** 32;

/** Tells whether a session is one of the few that see a newcomer before all others of its priority. */
export const isTriedFirst = (session: number): boolean => mix32(session ^ NEWCOMER_SALT, PLACE_SALT) < 2 ** 32 / 16;

/** Draws a number for an offer in a random order: the one with the lowest is first. */
export const placeDraw = (session: number, offer: number): number => mix32(session ^ PLACE_SALT, offer);

/** Draws a number for a newcomer: a session sees the one with the highest. */
export const newcomerDraw = (session: number, offer: number): number => mix32(session ^ NEWCOMER_SALT, offer);
