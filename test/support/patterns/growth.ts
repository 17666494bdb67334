import { countSteps } from "./count.ts";
import { hostileTexts, textOf, type Hostile } from "./hostile-texts.ts";
import { programOf } from "./program.ts";

/** Lists the lengths of the texts, each twice the one before. */
export const LENGTHS = [64, 128, 256, 512, 1_024, 2_048, 4_096];

/** Is the length at which all texts are tried; this many of the worst are then tried at greater lengths. */
const SHORT = 128;
const WORST = 12;

/** Limits how the steps may grow when a text gets twice as long: twice, and a margin. */
const MOST_GROWTH = 2.5;

/** Limits the steps a character: a pattern that takes more is slow, whether they grow or not. */
const MOST_STEPS = 200;

/** Holds the steps that a pattern takes for a hostile text at each length. */
export type Growth = { hostile: Hostile; steps: number[] };

/**
 * Counts the steps that a pattern takes for hostile texts that double in length, for those that are the worst: by their
 * steps, and by how these grow.
 */
const growthsOf = (pattern: RegExp): Growth[] => {
  const program = programOf(pattern);
  const stepsOf = (hostile: Hostile, length: number) =>
    countSteps(program, textOf(hostile, length), length * MOST_STEPS).steps;
  const seen = hostileTexts(pattern).map((hostile) => {
    const most = stepsOf(hostile, SHORT);
    return { hostile, most, growth: Number.isFinite(most) ? most / stepsOf(hostile, SHORT / 2) : most };
  });
  const worst = [
    ...seen.toSorted((a, b) => b.most - a.most).slice(0, WORST),
    ...seen.toSorted((a, b) => b.growth - a.growth).slice(0, WORST),
  ];
  return [...new Set(worst.map(({ hostile }) => hostile))].map((hostile) => {
    const steps: number[] = [];
    for (const length of LENGTHS) if (steps.at(-1) !== Infinity) steps.push(stepsOf(hostile, length));
    return { hostile, steps };
  });
};

/** Tells whether steps grow no faster than the length, at the greatest lengths. */
const isLinear = ({ steps }: Growth): boolean =>
  steps.length === LENGTHS.length &&
  steps.slice(-3).every((count, i, all) => i === 0 || count / (all[i - 1] ?? 0) <= MOST_GROWTH);

/** Lists the hostile texts on which a pattern takes more and more steps a character, with those steps. */
export const slowTexts = (pattern: RegExp): string[] =>
  growthsOf(pattern)
    .filter((growth) => !isLinear(growth))
    .map(
      ({ hostile: { before, repeated, behind }, steps }) =>
        `${JSON.stringify(before)} + ${JSON.stringify(repeated)}… + ${JSON.stringify(behind)}: ${steps.join(", ")} steps`,
    );
