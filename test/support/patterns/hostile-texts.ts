import { takesOf, treeOf, type Part, type Takes } from "./program.ts";

/** Describes texts that a pattern may be slow for: what they repeat, with what leads to it and what fails behind it. */
export type Hostile = { before: string; repeated: string; behind: string };

/** Lists what is tried as a character of a text: all of ASCII, and some of what is beyond. */
const CHARS = [...Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)), "é", "＝", "\u2028"];

/** Is a character that hardly a part takes: in front of a text it keeps the pattern from matching at its beginning. */
const STRANGE = "\0";

/** Lists ends of a text that make a pattern fail which had matched so far. */
const ENDS = ["", STRANGE, "\n", "!"];

/** Limits the kinds of characters of which all pairs are repeated. */
const PAIRED = 8;

type Loop = { before: string; bodies: string[] };

/** Returns one character that a part takes, none where it takes none of those that are tried. */
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
  /** Varies each of some parts in a row, with the first text of all others. */
  const sequence = (parts: readonly Part[], before: string): string[] => {
    let led = "";
    let texts = [""];
    for (const part of parts) {
      const own = accepted(part, before + led);
      // What may be left out leads further when it is there.
      const first = own.find((text) => text !== "") ?? "";
      texts = [...texts.map((text) => text + first), ...own.map((text) => led + text)];
      led += first;
    }
    return [...new Set(texts)].slice(0, 32);
  };
  accepted(tree, "");
  return { loops, takers };
};

/** Returns one character of each kind: characters that the same parts take are of one kind. */
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

/** Writes a hostile text of about so many characters. */
export const textOf = ({ before, repeated, behind }: Hostile, length: number): string =>
  before + repeated.repeat(Math.max(1, Math.floor(length / repeated.length))) + behind;
