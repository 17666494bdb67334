import { naiveTaper } from "../../support/naive/taper.ts";
import type { Case } from "./cases.ts";
import type { Published } from "./edge.ts";
import { START } from "./traffic.ts";

/** Sets how long it takes until a hit is counted, in milliseconds. */
const COUNTED_MS = 3_000;

/** Sets how late a click comes at most, in milliseconds. */
const CLICK_MS = 90_000;

/** Sets in what time the recent count fades by a factor of e, in milliseconds. */
const FADES_MS = 120_000;

/** Holds what is billed of an offer, as the service's tables have it. */
export type Ledger = {
  ever: () => number;
  today: () => number;
  /** Notes a hit that comes a moment later; a click comes after a random delay. */
  add: (now: number, u: number) => void;
  /** Counts what has come by now; returns what is to be published, null if nothing came. */
  count: (now: number, taper: number) => Pick<Published, "taper" | "isStopped"> | null;
  beginDay: () => void;
};

/** Makes the ledger of an offer that bills no more than its cap. */
export const createLedger = ({ pricing, dailyCap, lifetimeCap }: Case): Ledger => {
  let [ever, today, recent, recentAt] = [0, 0, 0, START];
  const coming: number[] = [];
  const left = () => (dailyCap === null ? (lifetimeCap ?? 0) - ever : dailyCap - today);
  return {
    ever: () => ever,
    today: () => today,
    add: (now, u) => {
      const at = now + COUNTED_MS + (pricing === "CPC" ? CLICK_MS * u : 0);
      let place = coming.length;
      while (place > 0 && (coming[place - 1] ?? 0) > at) place -= 1;
      coming.splice(place, 0, at);
    },
    count: (now, taper) => {
      let counted = 0;
      for (let at = coming[0]; at !== undefined && at <= now; at = coming[0]) {
        coming.shift();
        if (left() <= 0) continue;
        counted += 1;
        ever += 1;
        today += 1;
      }
      if (counted === 0) return null;
      recent = recent * Math.exp(-(now - recentAt) / FADES_MS) + counted;
      recentAt = now;
      return { taper: naiveTaper({ left: left(), recent, before: taper }), isStopped: left() <= 0 };
    },
    beginDay: () => {
      today = 0;
    },
  };
};
