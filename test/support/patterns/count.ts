import { programOf, type Program } from "./program.ts";

/**
 * Holds the matches of a pattern, each by the indexes of its start and its end (exclusive), and the steps that they
 * took.
 */
export type Counted = { matches: [from: number, to: number][]; steps: number };

type State = { at: number; place: number; begun: readonly number[] };

const isWord = (char: string | undefined): boolean => char !== undefined && /\w/.test(char);
const isBreak = (char: string | undefined): boolean => char === undefined || /[\n\r\u2028\u2029]/.test(char);

const holds = (kind: string, text: string, place: number, isMultiline: boolean): boolean => {
  if (kind === "start") return place === 0 || (isMultiline && isBreak(text[place - 1]));
  if (kind === "end") return place === text.length || (isMultiline && isBreak(text[place]));
  return (isWord(text[place - 1]) !== isWord(text[place])) === (kind === "boundary");
};

/** Counts steps, and stops a run that takes too many. */
const makeCounter = (limit: number) => {
  let steps = 0;
  return {
    add: (): boolean => ++steps <= limit,
    count: () => (steps > limit ? Number.POSITIVE_INFINITY : steps),
  };
};
type Counter = ReturnType<typeof makeCounter>;

/** Runs a program from a place, and returns where its match ends; null when there is none. */
const run = (program: Program, text: string, from: number, counter: Counter): number | null => {
  const { steps, isMultiline } = program;
  const back: State[] = [{ at: 0, place: from, begun: [] }];
  for (let state = back.pop(); state !== undefined; state = back.pop()) {
    let { at, place, begun } = state;
    for (let isAlive = true; isAlive;) {
      const step = steps[at++];
      if (!step || !counter.add()) return null;
      switch (step.do) {
        case "take": {
          const char = text[place++];
          isAlive = char !== undefined && step.takes(char);
          break;
        }
        case "fork":
          back.push({ at: step.other, place, begun });
          at = step.first;
          break;
        case "jump":
          at = step.to;
          break;
        case "begin":
          begun = Object.assign([...begun], { [step.register]: place });
          break;
        case "advanced":
          isAlive = begun[step.register] !== place;
          break;
        case "anchor":
          isAlive = holds(step.kind, text, place, isMultiline);
          break;
        case "look":
          isAlive = (run(step.program, text, place, counter) !== null) === step.wanted;
          break;
        case "match":
          return place;
      }
    }
  }
  return null;
};

/**
 * Finds all matches of a pattern in a text as backtracking engines do, and counts the steps. Beyond the limit it stops,
 * and the number is infinite.
 */
export const countSteps = (pattern: RegExp | Program, text: string, limit: number): Counted => {
  const program = pattern instanceof RegExp ? programOf(pattern) : pattern;
  const counter = makeCounter(limit);
  const matches: [number, number][] = [];
  for (let from = 0; from <= text.length;) {
    const to = run(program, text, from, counter);
    if (to !== null) matches.push([from, to]);
    from = to === null || to === from ? from + 1 : to;
  }
  return { matches, steps: counter.count() };
};
