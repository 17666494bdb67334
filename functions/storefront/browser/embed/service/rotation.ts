import type { Offer } from "./answer.ts";

/** Holds the page's places, and the ids of the offers with which they begin; "" until their answers come. */
const openers = new Map<Element, string>();

/** Holds the places that wait for their answers, in the order in which they asked. */
const waiting = new Set<Element>();

/** Enters a place, and returns how many others the page has: that many more offers it takes to begin with another one. */
export const countOthers = (place: Element): number => {
  openers.forEach((_, other) => other.isConnected || openers.delete(other));
  openers.set(place, "");
  waiting.add(place);
  return openers.size - 1;
};

/** Ends a place's wait, and returns how many places that asked before it still wait. */
export const endWait = (place: Element): number => {
  const earlier = [...waiting].indexOf(place);
  waiting.delete(place);
  return earlier;
};

/**
 * Turns offers so that a place begins with one that no other place of the page begins with, where there is one.
 *
 * @param earlier how many places still wait that asked before: it leaves one to each, since those have fewer to choose from
 */
export const rotate = (place: Element, offers: Offer[], count: number | undefined, earlier: number): Offer[] => {
  const taken = new Set(openers.values());
  let left = earlier;
  const from = offers.findIndex(({ bannerId }) => !taken.has(bannerId) && left-- < 1);
  // A negative number takes nothing from the front.
  offers.push(...offers.splice(0, from));
  const turned = offers.slice(0, count);
  openers.set(place, turned[0]?.bannerId ?? "");
  return turned;
};
