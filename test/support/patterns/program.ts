import parser, { type RootNode } from "regjsparser";

const FEATURES = { lookbehind: true, namedGroups: true } as const;

/** Is a part of a pattern. */
export type Part = RootNode<typeof FEATURES>;

/** Tells whether a part of a pattern that accepts one character accepts this one. */
export type Takes = (char: string) => boolean;

/** Is a step of a matcher; numbers are places in the program, or registers that hold where a round of a loop began. */
export type Step =
  | { do: "take"; takes: Takes }
  | { do: "fork"; first: number; other: number }
  | { do: "jump"; to: number }
  | { do: "begin" | "advanced"; register: number }
  | { do: "anchor"; kind: "start" | "end" | "boundary" | "not-boundary" }
  | { do: "look"; program: Program; wanted: boolean }
  | { do: "match" };

/** Holds the steps of a matcher, and the flags that change what its anchors mean. */
export type Program = { steps: Step[]; registers: number; isMultiline: boolean };

/** Returns the parts of a pattern as a tree. */
export const treeOf = ({ source, flags }: RegExp): Part => parser.parse(source, flags.replace(/[gyd]/g, ""), FEATURES);

/**
 * Returns a function that tells which characters a part accepts: it asks the engine itself, one character at a time.
 */
export const takesOf = (raw: string, flags: string): Takes => {
  const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ""));
  const known = new Map<string, boolean>();
  return (char) => {
    const isKnown = known.get(char) ?? one.test(char);
    known.set(char, isKnown);
    return isKnown;
  };
};

/** Tells whether a part may match nothing. */
const isNullable = (node: Part): boolean => {
  switch (node.type) {
    case "alternative":
      return node.body.every(isNullable);
    case "disjunction":
      return node.body.some(isNullable);
    case "group":
      return node.behavior !== "normal" && node.behavior !== "ignore" ? true : node.body.every(isNullable);
    case "quantifier":
      return node.min === 0 || isNullable(node.body[0]);
    case "anchor":
      return true;
    case "reference":
    case "value":
    case "dot":
    case "characterClass":
    case "characterClassEscape":
      break;
  }
  return false;
};

/**
 * Makes the program of a pattern, as a backtracking matcher runs it: a fork tries its first way, then the other.
 *
 * @throws {Error} for back references, lookbehind and the flags `u` and `v`, which none of the code's patterns has
 */
export const programOf = (pattern: RegExp, tree: Part = treeOf(pattern)): Program => {
  const { flags } = pattern;
  if (/[uv]/.test(flags)) throw new Error(`${String(pattern)}: the flags u and v are not counted yet`);
  const program: Program = { steps: [], registers: 0, isMultiline: flags.includes("m") };
  const { steps } = program;
  /** Adds a fork, and returns a function that sets where its other way leads: past the steps added by then. */
  const fork = (isGreedy: boolean) => {
    const at = steps.push({ do: "fork", first: -1, other: -1 }) - 1;
    const inside = at + 1;
    return (past = steps.length) => {
      steps[at] = isGreedy ? { do: "fork", first: inside, other: past } : { do: "fork", first: past, other: inside };
    };
  };
  const round = (body: Part): void => {
    const register = isNullable(body) ? program.registers++ : null;
    if (register !== null) steps.push({ do: "begin", register });
    add(body);
    // A round that matches nothing does not count, or a loop would never end.
    if (register !== null) steps.push({ do: "advanced", register });
  };
  const add = (node: Part): void => {
    switch (node.type) {
      case "alternative":
        for (const part of node.body) add(part);
        return;
      case "disjunction": {
        const jumps: number[] = [];
        for (const [i, part] of node.body.entries()) {
          const isLast = i === node.body.length - 1;
          const setOther = isLast ? null : fork(true);
          add(part);
          if (!isLast) jumps.push(steps.push({ do: "jump", to: -1 }) - 1);
          setOther?.();
        }
        for (const at of jumps) steps[at] = { do: "jump", to: steps.length };
        return;
      }
      case "quantifier": {
        const [body] = node.body;
        for (let i = 0; i < node.min; i++) add(body);
        if (node.max === undefined) {
          const at = steps.length;
          const setOther = fork(node.greedy);
          round(body);
          steps.push({ do: "jump", to: at });
          setOther();
          return;
        }
        const others = Array.from({ length: node.max - node.min }, () => {
          const setOther = fork(node.greedy);
          round(body);
          return setOther;
        });
        for (const setOther of others) setOther();
        return;
      }
      case "group":
        if (node.behavior === "normal" || node.behavior === "ignore") {
          for (const part of node.body) add(part);
        } else if (node.behavior === "lookahead" || node.behavior === "negativeLookahead") {
          const body = { type: "alternative", body: node.body, raw: node.raw, range: node.range } as const;
          steps.push({ do: "look", program: programOf(pattern, body), wanted: node.behavior === "lookahead" });
        } else throw new Error(`${String(pattern)}: looking behind is not counted yet`);
        return;
      case "anchor":
        steps.push({ do: "anchor", kind: node.kind });
        return;
      case "reference":
        throw new Error(`${String(pattern)}: back references are not counted yet`);
      case "value":
      case "dot":
      case "characterClass":
      case "characterClassEscape":
        steps.push({ do: "take", takes: takesOf(node.raw, flags) });
    }
  };
  add(tree);
  steps.push({ do: "match" });
  return program;
};
