import type { OpenOffer, Place } from "../core/policy.ts";

/** Describes a world of customers, offers and what customers like, which policies do not know. */
export type World = {
  places: readonly Place[];
  /** Holds how many of the visits are at a place and those before it, as shares. */
  visits: readonly number[];
  requests: number;
  /** Sets after how many requests counts reach the decision. */
  batch: number;
  /** Sets how long it is from a request to the next, in milliseconds. */
  stepMs: number;
  /** Sets in which time rates change noticeably, in milliseconds. */
  changesMs: number;
  /** Returns the offers that are open at a time: the same list as long as nothing opens or ends. */
  open: (now: number) => readonly OpenOffer[];
  clickRate: (serial: number, place: number, now: number) => number;
  conversionRate: (serial: number, place: number, now: number) => number;
  /** Returns after how many milliseconds a conversion comes, by chance. */
  delay: (u: number) => number;
  /** Tells when the offer comes of which the showings are counted, and its serial; null without one. */
  newcomer: { serial: number; at: number } | null;
};

/** Sets when the clock of a world starts: a Thursday. */
export const START = Date.UTC(2026, 0, 1);

export const DAY_MS = 86_400_000;

/** Returns what a customer's look at an offer is worth in the first place of an answer, in micro-USD. */
export const valueOf = (world: World, { candidate }: OpenOffer, place: number, now: number): number => {
  const { serial, pricing, valueMicros } = candidate;
  if (pricing === "CPM") return valueMicros / 1_000;
  const clicks = valueMicros * world.clickRate(serial, place, now);
  return pricing === "CPC" ? clicks : clicks * world.conversionRate(serial, place, now);
};
