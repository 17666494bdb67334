import type { OpenOffer } from "./policy.ts";

/**
 * Returns the offers with the highest scores, in order: one of each advertiser before a second of any, as answers have
 * them.
 */
export const bestOf = (open: readonly OpenOffer[], count: number, score: (offer: OpenOffer) => number): OpenOffer[] => {
  const scores = open.map(score);
  const chosen: OpenOffer[] = [];
  const taken = new Uint8Array(open.length);
  const advertisers = new Set<string>();
  for (let isStrict = true; ; isStrict = false) {
    while (chosen.length < count) {
      let best = -1;
      for (let i = 0; i < open.length; i++) {
        if (taken[i] === 1 || (best !== -1 && (scores[i] ?? 0) <= (scores[best] ?? 0))) continue;
        if (!isStrict || !advertisers.has(open[i]?.advertiserId ?? "")) best = i;
      }
      const offer = open[best];
      if (!offer) break;
      taken[best] = 1;
      advertisers.add(offer.advertiserId);
      chosen.push(offer);
    }
    if (!isStrict || chosen.length === Math.min(count, open.length)) return chosen;
  }
};
