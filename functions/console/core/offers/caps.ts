import type { Offer } from "#client";

/** Holds how much of a daily or lifetime cap is used. */
export type UsedCap = { isDaily: boolean; used: number; cap: number };

/** Returns the cap of an offer that is nearest to being reached; null if it has none. */
export const nearestCap = ({
  dailyCap,
  lifetimeCap,
  usage,
}: Pick<Offer, "dailyCap" | "lifetimeCap" | "usage">): UsedCap | null => {
  const daily = usage && dailyCap !== null ? { isDaily: true, used: usage.today, cap: dailyCap } : null;
  const lifetime = usage && lifetimeCap !== null ? { isDaily: false, used: usage.lifetime, cap: lifetimeCap } : null;
  if (!daily || !lifetime) return daily ?? lifetime;
  return lifetime.used / lifetime.cap > daily.used / daily.cap ? lifetime : daily;
};
