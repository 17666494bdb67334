import type { Offer } from "./answer.ts";

/** Holds the ids of the offers with which the page's places begin; "" until their answers come. */
const openers = new Map<Element, string>();

/**
 * Enters a place, and returns how many others the page has: that many more offers it takes to begin with another one, in
 * whichever order answers come. It counts those that have yet to ask.
 */
export const countOthers = (place: Element): number => {
  openers.forEach((_, other) => other.isConnected || openers.delete(other));
  openers.set(place, "");
  return Math.max(openers.size, document.querySelectorAll("[data-lanyap]").length) - 1;
};

/** Turns offers so that a place begins with one that no other place of the page has begun with, where there is one. */
export const rotate = (place: Element, offers: Offer[], count: number): Offer[] => {
  const taken = new Set(openers.values());
  const from = offers.findIndex(({ bannerId }) => !taken.has(bannerId));
  // A negative number takes nothing from the front.
  offers.push(...offers.splice(0, from));
  const turned = offers.slice(0, count);
  openers.set(place, turned[0]?.bannerId ?? "");
  return turned;
};
