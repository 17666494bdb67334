import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { parse, type Node } from "acorn";
import { buildSync, transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countSteps } from "./support/patterns/count.ts";
import { slowTexts } from "./support/patterns/growth.ts";
import { hostileTexts, textOf } from "./support/patterns/hostile-texts.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** Lists the code that reads what others send: the Worker, its queries, and what shops' pages load. */
const files = globSync("{db,functions}/**/*.ts", {
  cwd: ROOT,
  exclude: (path) => /^db\/(?:demo|migrations)|\/local$|build\.ts$|^functions\/(?:description|docs)/.test(path),
}).toSorted();

const nodesOf = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== "object" || value === null) return [];
  return [...("type" in value ? [value as Node] : []), ...Object.values(value).flatMap(nodesOf)];
};

const source = (file: string): string => readFileSync(resolve(ROOT, file), "utf8");

/** Finds the patterns that a file builds from texts, by loading it with all that it imports. */
const madeIn = (file: string): RegExp[] => {
  const built = buildSync({ entryPoints: [resolve(ROOT, file)], bundle: true, write: false, format: "iife" });
  const made: RegExp[] = [];
  class Noted extends RegExp {
    constructor(pattern: RegExp | string, flags?: string) {
      super(pattern, flags);
      made.push(new RegExp(pattern, flags));
    }
  }
  runInNewContext(built.outputFiles[0]?.text ?? "", { RegExp: Noted, TextEncoder, TextDecoder });
  return made;
};

/** Finds the patterns of a file that are written as literals. */
const patternsOf = (file: string): RegExp[] => {
  const { code } = transformSync(source(file), { loader: "ts", target: "esnext" });
  const nodes = nodesOf(parse(code, { ecmaVersion: "latest", sourceType: "module" }));
  return nodes.flatMap((node) => {
    if (node.type === "Literal" && "regex" in node && node.regex) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      return [new RegExp(pattern, flags)];
    }
    return [];
  });
};

const makers = files.filter((file) => /\bRegExp\(/.test(source(file)));
const found = [
  ...files.flatMap((file) => patternsOf(file).map((pattern) => [file, pattern] as const)),
  ...makers.flatMap((file) => madeIn(file).map((pattern) => [file, pattern] as const)),
];

/** Lists where a pattern matches, as the engine says. */
const matchesOf = ({ source: pattern, flags }: RegExp, text: string) =>
  [...text.matchAll(new RegExp(pattern, `${flags.replace("g", "")}g`))].map(({ index, 0: { length } }) => [
    index,
    index + length,
  ]);
const counted = (pattern: RegExp, text: string) => countSteps(pattern, text, 10_000_000);

/** Makes nested patterns from all the elements that the code's patterns use. */
const { pattern: anyPattern } = fc.letrec<Record<"pattern" | "part", string>>((tie) => {
  const char = fc.constantFrom("a", "b", ".", "\\d", "\\s", "[ab]", "[^a]", "[\\da-b]", "A", "\\.");
  const anchor = fc.constantFrom("^", "$", "\\b", "\\B");
  const group = fc.constantFrom("(", "(?:", "(?=", "(?!");
  const times = fc.constantFrom("", "?", "*", "+", "{2}", "{1,3}", "{2,}", "*?", "+?", "??", "{0,2}?");
  return {
    part: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.tuple(char, times).map(([one, often]) => one + often),
      anchor,
      fc
        .tuple(group, tie("pattern"), times)
        .map(([open, body, often]) => `${open}${body})${/[=!]$/.test(open) ? "" : often}`),
    ),
    pattern: fc
      .array(fc.array(tie("part"), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((ways) => ways.map((parts) => parts.join("")).join("|")),
  };
});
const anyText = fc.array(fc.constantFrom("a", "b", "A", "1", " ", ".", "\n", "é"), { maxLength: 10 });

describe("the matcher that counts", () => {
  it("finds what the engine finds", () => {
    fc.assert(
      fc.property(anyPattern, fc.constantFrom("", "i", "m", "s"), anyText, (body, flags, chars) => {
        const [pattern, text] = [new RegExp(body, flags), chars.join("")];
        expect(counted(pattern, text).matches).toEqual(matchesOf(pattern, text));
      }),
      { seed: 20_261_122, numRuns: 5_000 },
    );
  });

  it("finds in hostile texts what the engine finds", () => {
    for (const [, pattern] of found) {
      for (const hostile of hostileTexts(pattern)) {
        const text = textOf(hostile, 40);
        expect(counted(pattern, text).matches).toEqual(matchesOf(pattern, text));
      }
    }
  });

  it.each([/(a)\1/, /(?<=a)b/, /a/u])("says that it does not count %s", (pattern) => {
    expect(() => counted(pattern, "ab")).toThrow(/not counted yet/);
  });
});

describe("a pattern that reads what others send takes steps in proportion to a text's length:", () => {
  it("there are patterns to judge", () => {
    expect(found.length).toBeGreaterThan(30);
    // The token's pattern, and that of its tags; that of an e-mail address, and the one that also takes its hash.
    expect(makers).toEqual(["functions/answer/tracking-token.ts", "functions/http/input/email.ts"]);
    for (const maker of makers) expect(madeIn(maker).length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    /\d+\.?\d*$/,
    /^\d+\.?\d*$/,
    /(a+)+$/,
    /^(?:a|a)*$/,
    /^(?:a|ab|b)*c$/,
    /^(?:abc|abcabc)+$/,
    /^(?:\w+\s?)*$/,
    /\/+$/,
    /^\s+|\s+$/,
    /^\s*(.*?)\s*$/,
    /(?:\s*,)*$/,
    /<[^>]*>/,
    /^[ab]*a[ab]*c/,
    /^a*?a*?b/,
    /^(?=(a+)+b)/,
    /(.*),(.*),(.*)x/,
  ])("%s does not", (pattern) => {
    expect(slowTexts(pattern)).not.toEqual([]);
  });

  it.each([/^\d+(?:\.\d*)?$/, /^(?:[a-z]+\.)*[a-z]+@/, /#[^#]*#x/, /\b\w+:/])("%s does", (pattern) => {
    expect(slowTexts(pattern)).toEqual([]);
  });

  it.each(found)("%s: %s", (_, pattern) => {
    expect(slowTexts(pattern)).toEqual([]);
  });
});
