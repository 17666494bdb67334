import { takesOf, treeOf, type Part, type Takes } from "./program.ts";

/** Describes texts that a pattern may be slow on: what they repeat, what leads to that, and what fails after it. */
export type Hostile = { before: string; repeated: string; behind: string };

/** Lists the characters that are tried: all of ASCII, and some beyond. */
const CHARS = [...Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)), "é", "＝", "\u2028"];

/** Is a character that hardly any part accepts: at the start of a text it keeps the pattern from matching there. */
const STRANGE = "\0";

/** Lists ends of a text that make a pattern fail after it has matched so far. */
const ENDS = ["", STRANGE, "\n", "!"];

/** Limits the kinds of characters whose pairs are all repeated. */
const PAIRED = 8;

type Loop = { before: string; bodies: string[] };

/** Returns one character that a part accepts, or an empty text if it accepts none of those that are tried. */
const charOf = (takes: Takes): string => CHARS.toReversed().find((char) => takes(char)) ?? "";

/** Finds texts that a part accepts, one for each of its alternatives, and the loops in it with what leads to them. */
const explore = (tree: Part, flags: string) => {
  const loops: Loop[] = [];
  const takers: Takes[] = [];
  const accepted = (node: Part, before: string): string[] => {
    switch (node.type) {
      case "alternative":
        return sequence(node.body, before);
      case "disjunction":
        return node.body.flatMap((part) => accepted(part, before));
      case "group":
        if (node.behavior === "normal" || node.behavior === "ignore") return sequence(node.body, before);
        sequence(node.body, before);
        return [""];
      case "quantifier": {
        const bodies = accepted(node.body[0], before);
        if (node.max === undefined || node.max > 1) loops.push({ before, bodies });
        const once = node.min === 0 ? ["", ...bodies] : bodies.map((body) => body.repeat(node.min));
        return [...new Set(once)];
      }
      case "anchor":
      case "reference":
        return [""];
      case "value":
      case "dot":
      case "characterClass":
      case "characterClassEscape":
        break;
    }
    const takes = takesOf(node.raw, flags);
    takers.push(takes);
    return [charOf(takes)];
  };
  /** Varies each of some consecutive parts, with the first text of all others. */
  const sequence = (parts: readonly Part[], before: string): string[] => {
    let led = "";
    let texts = [""];
    for (const part of parts) {
      const own = accepted(part, before + led);
      // An optional part leads further when it is present.
      const first = own.find((text) => text !== "") ?? "";
      texts = [...texts.map((text) => text + first), ...own.map((text) => led + text)];
      led += first;
    }
    return [...new Set(texts)].slice(0, 32);
  };
  accepted(tree, "");
  return { loops, takers };
};

/** Returns one character of each kind: characters that the same parts accept are of one kind. */
const kindsOf = (takers: readonly Takes[]): string[] => {
  const kinds = new Map(CHARS.map((char) => [takers.map((takes) => Number(takes(char))).join(""), char]));
  return [...kinds].flatMap(([kind, char]) => (kind.includes("1") ? [char] : []));
};

/** Makes hostile texts for a pattern: what each of its loops accepts, and each kind of character, alone and in pairs. */
export const hostileTexts = (pattern: RegExp): Hostile[] => {
  const { loops, takers } = explore(treeOf(pattern), pattern.flags);
  const kinds = kindsOf(takers);
  const pairs = kinds.length > PAIRED ? [] : kinds.flatMap((one) => kinds.map((other) => one + other));
  const anywhere = [...new Set([...kinds, ...pairs, ...loops.flatMap(({ bodies }) => bodies)])].filter(Boolean);
  const befores = [...new Set(["", STRANGE, ...loops.map(({ before }) => before)])];
  return befores.flatMap((before) =>
    anywhere.flatMap((repeated) => ENDS.map((behind) => ({ before, repeated, behind }))),
  );
};

/** Writes a hostile text of about this many characters. */
export const textOf = ({ before, repeated, behind }: Hostile, length: number): string =>
  before + repeated.repeat(Math.max(1, Math.floor(length / repeated.length))) + behind;
