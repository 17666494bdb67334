import { hash32, mix32 } from "../../../functions/core/hash.ts";
import { ASSUMED_RATES } from "../../../db/demand/pricing.ts";
import type { Increase } from "../../../functions/decision/learning/fold.ts";
import { bestOf } from "../core/best.ts";
import type { OpenOffer, Policy } from "../core/policy.ts";

const serialsOf = (open: readonly OpenOffer[], count: number, score: (offer: OpenOffer) => number): number[] =>
  bestOf(open, count, score).map(({ candidate }) => candidate.serial);

const uniformOf = (session: number, serial: number): number => (mix32(session, serial + 1) + 0.5) / 2 ** 32;

const drawn = (score: (offer: OpenOffer, u: number) => number): Policy => ({
  choose: ({ session, count }, open) => {
    const hash = hash32(session);
    return serialsOf(open, count, (offer) => score(offer, uniformOf(hash, offer.candidate.serial)));
  },
  learn: () => undefined,
});

/** Serves offers at random. */
export const uniformPolicy = (): Policy => drawn((_, u) => u);

/** Orders as the service did before it learned: at random, weighted by what is expected of the price alone. */
export const weightedPolicy = (): Policy =>
  drawn(({ candidate }, u) => Math.log(u) / Math.max(candidate.ecpmMicros, 1));

/** Counts what was seen of an offer over all places. */
type Counted = { impressions: number; clicks: number; conversions: number };

/** Adds up what was counted, and tells an offer's expected value and how often it was shown. */
const counting = () => {
  const offers = new Map<string, Counted>();
  let impressions = 0;
  return {
    shown: () => impressions,
    learn: (increases: readonly Increase[]): void => {
      for (const increase of increases) {
        const counted = offers.get(increase.offerId) ?? { impressions: 0, clicks: 0, conversions: 0 };
        counted.impressions += increase.impressions;
        counted.clicks += increase.clicks;
        counted.conversions += increase.conversions;
        impressions += increase.impressions;
        offers.set(increase.offerId, counted);
      }
    },
    valued: ({ candidate }: OpenOffer): { value: number; events: number; impressions: number } => {
      const { id, pricing, valueMicros } = candidate;
      const seen = offers.get(id) ?? { impressions: 0, clicks: 0, conversions: 0 };
      if (pricing === "CPM") return { value: valueMicros / 1_000, events: Infinity, impressions: seen.impressions };
      const clicks = (seen.clicks + 1) / (seen.impressions + 1 / ASSUMED_RATES[0]);
      if (pricing === "CPC")
        return { value: valueMicros * clicks, events: seen.clicks + 1, impressions: seen.impressions };
      const conversions = (seen.conversions + 1) / (seen.clicks + 1 / ASSUMED_RATES[1]);
      return { value: valueMicros * clicks * conversions, events: seen.conversions + 1, impressions: seen.impressions };
    },
  };
};

const EPSILON = 0.1;

/** Shows what earned most, to one session in ten what chance says. */
export const epsilonGreedyPolicy = (): Policy => {
  const { learn, valued } = counting();
  let best: { open: readonly OpenOffer[]; serials: number[] } | null = null;
  return {
    choose: ({ session, count }, open) => {
      const hash = hash32(session);
      if (uniformOf(hash, -1) < EPSILON)
        return serialsOf(open, count, ({ candidate }) => uniformOf(hash, candidate.serial));
      if (best?.open !== open || best.serials.length < Math.min(count, open.length))
        best = { open, serials: serialsOf(open, count, (offer) => valued(offer).value) };
      return best.serials;
    },
    learn: (increases) => {
      learn(increases);
      best = null;
    },
  };
};

/**
 * Shows what may earn most: the upper bound of the value of each, which narrows as events come in (UCB1 for rare
 * events, whose variance is their mean).
 */
export const upperBoundPolicy = (): Policy => {
  const { learn, valued, shown } = counting();
  let best: { open: readonly OpenOffer[]; serials: number[] } | null = null;
  return {
    choose: ({ count }, open) => {
      if (best?.open !== open || best.serials.length < Math.min(count, open.length)) {
        const wide = Math.sqrt(2 * Math.log(1 + shown()));
        best = {
          open,
          serials: serialsOf(open, count, (offer) => {
            const { value, events } = valued(offer);
            return value * (1 + wide / Math.sqrt(events));
          }),
        };
      }
      return best.serials;
    },
    learn: (increases) => {
      learn(increases);
      best = null;
    },
  };
};
