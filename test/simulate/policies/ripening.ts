import { arrivedByAge, DELAY_DAYS, maturityOf } from "../../../functions/decision/learning/delays.ts";
import type { Fading } from "../../../db/learning/sums.ts";
import type { Increase } from "../../../functions/decision/learning/fold.ts";
import { weightOf } from "../../../functions/decision/learning/sums.ts";
import type { Conversion } from "../core/policy.ts";

const DAY_MS = 86_400_000;

/** Keeps by day what was clicked and how late conversions came, to tell how much of an offer's clicks is ripe. */
export const createRipening = (fading: Fading) => {
  const clicks = new Map<string, Map<number, number>>();
  const delays = new Map<number, number[]>();
  let today = 0;
  let arrived = arrivedByAge([]);
  let known = new Map<string, number>();
  let all: number | null = null;
  const agedOf = (days: ReadonlyMap<number, number>) =>
    [...days].map(([day, count]) => ({ age: today - day, clicks: count * weightOf(day, fading) }));
  return {
    add: (increases: readonly Increase[], conversions: readonly Conversion[], now: number): void => {
      const day = Math.floor(now / DAY_MS);
      for (const { offerId, day: of, clicked: count } of increases) {
        if (count === 0) continue;
        const days = clicks.get(offerId) ?? new Map<number, number>();
        clicks.set(offerId, days.set(of, (days.get(of) ?? 0) + count));
      }
      for (const { day: of, delay } of conversions) {
        const counts = delays.get(of) ?? Array.from({ length: DELAY_DAYS + 1 }, () => 0);
        counts[Math.min(delay, DELAY_DAYS)] = (counts[Math.min(delay, DELAY_DAYS)] ?? 0) + 1;
        delays.set(of, counts);
      }
      known = new Map();
      all = null;
      if (day === today) return;
      today = day;
      const old = [...delays].filter(([of]) => today - of >= DELAY_DAYS).map(([, counts]) => counts);
      arrived = arrivedByAge(
        Array.from({ length: DELAY_DAYS + 1 }, (_, i) => old.reduce((sum, c) => sum + (c[i] ?? 0), 0)),
      );
    },
    /** Returns which share of the conversions of an offer's clicks has come. */
    maturity: (offerId: string): number => {
      let maturity = known.get(offerId);
      if (maturity === undefined) {
        maturity = maturityOf(agedOf(clicks.get(offerId) ?? new Map()), arrived);
        known.set(offerId, maturity);
      }
      return maturity;
    },
    /** Returns the same of all clicks. */
    usual: (): number => (all ??= maturityOf([...clicks.values()].flatMap(agedOf), arrived)),
  };
};
