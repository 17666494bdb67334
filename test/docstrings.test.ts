import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");

/** Lists words that end like a verb in the third person but are none, or are mostly used as nouns. */
const NO_VERBS = new Set(
  (
    "Always As Besides His Its Less Perhaps Plus Sometimes This Thus Was Whereas Yes " +
    "Addresses Advertisers Bits Bytes Candidates Columns Constants Days Digits Documents Errors Events Fields Figures " +
    "Headers Helpers Hits Hours Ids Keys Letters Members Messages Milliseconds Minutes Numbers Offers Ones Options Others " +
    "Parameters Paths Placements Platforms Points Publishers Queries Rates Results Rows Seconds Settings Sites " +
    "Statements Statuses Tables Texts Things Times Tokens Types Values Words Workers"
  ).split(" "),
);

const files = globSync("{db,functions,test/support,test/load,test/simulate}/**/*.ts", { cwd: ROOT }).toSorted();

const firstWord = (docstring: string): string => /^[\s*]*(\S*)/.exec(docstring)?.[1] ?? "";
const isVerb = (word: string): boolean => /^[A-Z][a-z]*s$/.test(word) && !NO_VERBS.has(word);

/** Finds the docstrings of a source that do not begin with a verb, each by its line and first words. */
const withoutVerb = (source: string): string[] =>
  [...source.matchAll(/\/\*\*([^]*?)\*\//g)]
    .filter(([, docstring = ""]) => !isVerb(firstWord(docstring)))
    .map(({ index, 1: docstring = "" }) => {
      const line = source.slice(0, index).split("\n").length;
      return `${line}: ${docstring
        .replaceAll(/[\s*]+/g, " ")
        .trim()
        .slice(0, 60)}`;
    });

describe("docstrings", () => {
  it("begin with a verb in the third person, such as Returns or Publishes", () => {
    const wrong = files.flatMap((file) =>
      withoutVerb(readFileSync(resolve(ROOT, file), "utf8")).map((found) => `${file}:${found}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ["/** Returns the key. */", 0],
    ["/**\n * Publishes documents.\n *\n * @throws nothing\n */", 0],
    ["/** What is kept. */", 1],
    ["/** A key. */", 1],
    ["/** Documents of a placement. */", 1],
    ["/** @throws when it fails */", 1],
    ["/** returns the key */", 1],
  ])("are judged by their first word: %j", (source, count) => {
    expect(withoutVerb(source)).toHaveLength(count);
  });
});
