import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { parse, type Node } from "acorn";
import { buildSync, transformSync } from "esbuild";
import { isSafe } from "redos-detector";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** Lists the code that reads what others send: the Worker, its queries, and what shops' pages load. */
const files = globSync("{db,functions}/**/*.ts", {
  cwd: ROOT,
  exclude: (path) => /^db\/(?:demo|migrations)|\/local$|build\.ts$/.test(path),
}).toSorted();

const nodesOf = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== "object" || value === null) return [];
  return [...("type" in value ? [value as Node] : []), ...Object.values(value).flatMap(nodesOf)];
};

const source = (file: string): string => readFileSync(resolve(ROOT, file), "utf8");

/** Finds the patterns that a file makes of texts, by loading it with all that it imports. */
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

/**
 * Tells whether a pattern takes steps in proportion to a text's length, whatever the text: the detector counts the ways
 * back that a matcher may take, which are few for such a pattern and grow with the text for others.
 */
const isLinear = (pattern: RegExp): boolean => isSafe(pattern, { maxScore: 200, timeout: Infinity }).safe;

const makers = files.filter((file) => /\bRegExp\(/.test(source(file)));
const found = [
  ...files.flatMap((file) => patternsOf(file).map((pattern) => [file, pattern] as const)),
  ...makers.flatMap((file) => madeIn(file).map((pattern) => [file, pattern] as const)),
];

describe("a pattern that reads what others send takes time in proportion to its length:", () => {
  it("there are patterns to judge", () => {
    expect(found.length).toBeGreaterThan(30);
    expect(isLinear(/^\d+\.?\d*$/)).toBe(false);
    expect(isLinear(/\/+$/)).toBe(false);
    // The token's pattern, and that of its tags.
    expect(makers).toEqual(["functions/answer/tracking-token.ts"]);
    expect(madeIn(makers[0] ?? "").length).toBeGreaterThanOrEqual(2);
  });

  it.each(found)("%s: %s", (_, pattern) => {
    expect(isLinear(pattern)).toBe(true);
  });
});
