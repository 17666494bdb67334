import { existsSync, globSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { PLACE_DIMENSIONS, REQUEST_DIMENSIONS } from "../db/schema/targeting.ts";
import { NO_FILL_REASONS } from "../functions/decision/decide.ts";
import { markdownFiles, readProjectFile, sectionOf } from "./support/markdown.ts";

const ROOT = resolve(import.meta.dirname, "..");
const API = readProjectFile("functions/routes/API.md");
const OPERATIONS = readProjectFile("functions/OPERATIONS.md");

/** Returns what stands in code in the first column of the table whose head matches. */
const firstColumn = (text: string, head: RegExp): string[] => {
  const rows = text.slice(text.search(head)).split("\n");
  const end = rows.findIndex((row) => !row.startsWith("|"));
  return rows
    .slice(2, end)
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, cell = ""]) => cell));
};

/** Returns the texts of a union type of a source. */
const union = (source: string, name: string): string[] => {
  const declaration = new RegExp(`type ${name} =([^;]*);`).exec(readProjectFile(source))?.[1] ?? "";
  return [...declaration.matchAll(/"(\w+)"/g)].map(([, member = ""]) => member);
};

describe("texts name what the code has:", () => {
  it("the reasons of an empty answer", () => {
    const told = firstColumn(sectionOf(API, "Why an answer is empty"), /\| value /);
    expect(told.toSorted()).toEqual(NO_FILL_REASONS.toSorted());
  });

  it("the reasons that explain gives", () => {
    const given = [
      ...NO_FILL_REASONS.filter((reason) => reason !== "no_eligible_offer"),
      ...union("functions/decision/eligibility.ts", "Ineligible"),
      ...union("db/demand/explain.ts", "CandidacyReason"),
      ...union("functions/decision/explain.ts", "ExclusionReason"),
      ...PLACE_DIMENSIONS,
      ...REQUEST_DIMENSIONS,
    ];
    const told = firstColumn(sectionOf(API, "`POST /api/v1/offers/explain`"), /\| `reason` +\| the offer is not/);
    expect(told.toSorted()).toEqual([...new Set(given)].toSorted());
  });

  it("the lines of the log that are worth an alarm", () => {
    const alarms = firstColumn(sectionOf(OPERATIONS, "What to watch"), /\| a line with /);
    expect(alarms.length).toBeGreaterThan(5);
    const sources = globSync("functions/**/*.ts", { cwd: ROOT }).map(readProjectFile).join("\n");
    expect(alarms.filter((alarm) => !sources.includes(alarm))).toEqual([]);
  });

  // An example of a recipe stands for a file that is yet to be made.
  it.each(markdownFiles().filter((path) => !/CONTRIBUTING|CHANGELOG/.test(path)))("files, in %s", (path) => {
    const named = [...readProjectFile(path).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|sql|md))`/g)].map(
      ([, file = ""]) => file,
    );
    const places = ["", "functions", "db", "test", "test/support", join(path, "..")];
    expect(named.filter((file) => !places.some((place) => existsSync(join(ROOT, place, file))))).toEqual([]);
  });
});
