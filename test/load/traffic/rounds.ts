import { type Load, measure, type Requests, type Target } from "./wrk.ts";

/**
 * Describes something to measure in every round. `requestsOf` returns its requests in a round; the warm-up is round -1.
 */
export type Subject = { name: string; target: Target; requestsOf: (round: number) => Requests };

/**
 * Names how many rounds there are, and how many seconds each subject gets in each. With `warmUpAtOnce` all warm up
 * together, which saves time.
 */
export type Pace = { rounds: number; seconds: number; warmUpAtOnce?: boolean };

const WARM_UP_SECONDS = 1;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
};

/** Returns the spread of values: the distance of the outermost, as a share of their median. */
export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / median(values);

/** Holds the measurements of each subject by its name, in the order of the rounds. */
export type Measured = Map<string, Load[]>;

/**
 * Measures subjects in turn, round after round, in reversed order every other round. So changes on the machine affect
 * all of them alike. A warm-up comes first and is not counted.
 */
export const alternate = async (subjects: readonly Subject[], pace: Pace): Promise<Measured> => {
  const { rounds, seconds, warmUpAtOnce = false } = pace;
  const warmUp = ({ target, requestsOf }: Subject) => measure(target, requestsOf(-1), WARM_UP_SECONDS);
  if (warmUpAtOnce) await Promise.all(subjects.map(warmUp));
  else for (const subject of subjects) await warmUp(subject);
  const measured: Measured = new Map(subjects.map((subject) => [subject.name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed();
    for (const { name, target, requestsOf } of order) {
      measured.get(name)?.push(await measure(target, requestsOf(round), seconds));
    }
  }
  return measured;
};

/** Returns one figure of a subject in each round. */
export const figures = (measured: Measured, name: string, figure: keyof Load): number[] =>
  (measured.get(name) ?? []).map((load) => load[figure]);

/** Returns a subject's figure as a share of another's, round by round. */
export const ratios = (measured: Measured, name: string, to: string, figure: keyof Load): number[] => {
  const base = figures(measured, to, figure);
  return figures(measured, name, figure).map((value, round) => value / (base[round] ?? Number.NaN));
};

/** Counts all errors of all subjects. */
export const errorsOf = (measured: Measured): number =>
  [...measured.values()].flat().reduce((sum, load) => sum + load.errors, 0);
