import type { Offer } from "./answer.ts";

/** Holds the ids of the offers with which the page's places begin; "" until their answers come. */
const openers = new Map<Element, string>();

/**
 * Registers a place, and returns how many others the page has, including those that have yet to ask. With that many
 * more offers, it can begin with another one than they do, in whatever order answers come.
 */
export const countOthers = (place: Element): number => {
  openers.forEach((_, other) => other.isConnected || openers.delete(other));
  openers.set(place, "");
  return Math.max(openers.size, document.querySelectorAll("[data-lanyap]").length) - 1;
};

/** Rotates offers so that a place begins with one that no other place on the page has begun with, if there is one. */
export const rotate = (place: Element, offers: Offer[], count: number): Offer[] => {
  const taken = new Set(openers.values());
  const from = offers.findIndex(({ bannerId }) => !taken.has(bannerId));
  // A negative number moves nothing.
  offers.push(...offers.splice(0, from));
  const turned = offers.slice(0, count);
  openers.set(place, turned[0]?.bannerId ?? "");
  return turned;
};
