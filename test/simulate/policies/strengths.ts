import {
  advertiserRate,
  meanOf,
  MOST_STRENGTHS,
  networkRate,
  placeFactor,
  USUAL_STRENGTHS,
} from "../../../functions/decision/learning/belief.ts";
import { ASSUMED_RATES, evidenceOf, faded, offerRate } from "../../../functions/decision/learning/fold.ts";
import type { Known, Stage } from "../../../functions/decision/learning/fold.ts";
import { strengthOf, type Outcome } from "../../../functions/decision/learning/strength.ts";
import type { Strengths } from "../../../functions/decision/learning/belief.ts";
import type { Maturity, Tables } from "./tables.ts";

const offerOutcomes = (known: Known, owners: ReadonlyMap<string, string>, stage: Stage): Outcome[] =>
  [...owners].map(([offerId, advertiserId]) => {
    const own = evidenceOf(known.offer(offerId), stage);
    const network = networkRate(evidenceOf(known.network, stage), ASSUMED_RATES[stage]);
    const others = advertiserRate(evidenceOf(known.others(advertiserId, offerId), stage), network);
    return { count: own.count, expected: own.exposure * others };
  });

const cellOutcomes = (tables: Tables, known: Known, weight: number, maturity: Maturity, stage: Stage): Outcome[] => {
  const outcomes: Outcome[] = [];
  for (const [place, cells] of tables.cells) {
    const [placementId = "", country = ""] = place.split(" ");
    const factor = placeFactor(evidenceOf(known.place(placementId, country), stage));
    for (const [offerId, sums] of cells) {
      const { count, exposure } = evidenceOf(faded(sums, weight), stage);
      const ripe = stage === 1 ? exposure * maturity(offerId) : exposure;
      const rate = meanOf(offerRate(known, offerId, tables.owners.get(offerId) ?? "", stage));
      outcomes.push({ count, expected: ripe * factor * rate });
    }
  }
  return outcomes;
};

/** Estimates from the tables how much offers' and places' own rates stray, by the service's code. */
export const estimateStrengths = (
  tables: Tables,
  known: Known,
  weight: number,
  maturity: Maturity,
): readonly [Strengths, Strengths] => {
  const at = (stage: Stage): Strengths => ({
    offer: strengthOf(offerOutcomes(known, tables.owners, stage), USUAL_STRENGTHS.offer, MOST_STRENGTHS.offer),
    cell: strengthOf(cellOutcomes(tables, known, weight, maturity, stage), USUAL_STRENGTHS.cell, MOST_STRENGTHS.cell),
  });
  return [at(0), at(1)];
};
