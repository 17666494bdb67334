import { existsSync, globSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { PLACE_DIMENSIONS, REQUEST_DIMENSIONS } from "../db/schema/targeting.ts";
import { AUDIT_ACTIONS, AUDITED_KINDS } from "../db/schema/values.ts";
import { GROUPS } from "../db/tracking/reports.ts";
import { reasonText } from "../functions/console/core/explain.ts";
import { words } from "../functions/console/core/format.ts";
import { NO_FILL_REASONS } from "../functions/decision/decide.ts";
import { markdownFiles, readProjectFile, sectionOf } from "./support/markdown.ts";

const ROOT = resolve(import.meta.dirname, "..");
const API = readProjectFile("functions/routes/API.md");
const OPERATIONS = readProjectFile("functions/OPERATIONS.md");

/** Returns the rows of the table whose head matches, as their cells. */
const tableOf = (text: string, head: RegExp): string[][] => {
  const rows = text.slice(text.search(head)).split("\n");
  const end = rows.findIndex((row) => !row.startsWith("|"));
  return rows.slice(2, end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

/** Returns the code spans of a cell. */
const codesOf = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** Returns the code spans in the first column of the table whose head matches. */
const firstColumn = (text: string, head: RegExp): string[] => tableOf(text, head).flatMap(([cell]) => codesOf(cell));

/** Returns the code spans in the last column, in the row of a parameter. */
const valuesOf = (section: string, parameter: string): string[] => {
  const row = tableOf(sectionOf(API, section), /\| parameter /).find(([name]) => name === `\`${parameter}\``);
  return codesOf(row?.at(-1));
};

/** Returns the members of a union type of texts in a source file. */
const union = (source: string, name: string): string[] => {
  const declaration = new RegExp(`type ${name} =([^;]*);`).exec(readProjectFile(source))?.[1] ?? "";
  return [...declaration.matchAll(/"(\w+)"/g)].map(([, member = ""]) => member);
};

/** Lists every reason why an offer is not served. */
const EXPLAINED = [
  ...new Set([
    ...NO_FILL_REASONS,
    ...union("functions/decision/eligibility.ts", "Ineligible"),
    ...union("db/demand/explain.ts", "CandidacyReason"),
    ...union("functions/decision/explain.ts", "ExclusionReason"),
    ...PLACE_DIMENSIONS,
    ...REQUEST_DIMENSIONS,
  ]),
];

describe("texts name what the code has:", () => {
  it("the reasons of an empty answer", () => {
    const told = firstColumn(sectionOf(API, "Why an answer is empty"), /\| value /);
    expect(told.toSorted()).toEqual(NO_FILL_REASONS.toSorted());
  });

  it("the reasons that explain gives", () => {
    const given = EXPLAINED.filter((reason) => reason !== "no_eligible_offer");
    const told = firstColumn(sectionOf(API, "`POST /api/v1/offers/explain`"), /\| `reason` +\| the offer is not/);
    expect(told.toSorted()).toEqual(given.toSorted());
  });

  it.each(EXPLAINED)("%s, in the console", (reason) => {
    expect(reasonText(reason), "REASONS in functions/console/core/explain.ts").not.toBe(words(reason));
  });

  it.each(REQUEST_DIMENSIONS)("%s, in the console, where a request says nothing of it", (reason) => {
    expect(reasonText(reason, {}), "LACKING in functions/console/core/explain.ts").not.toBe(reasonText(reason));
  });

  it("what a report may be split by", () => {
    const told = valuesOf("`GET /api/report`", "reportType");
    expect(told.toSorted()).toEqual([...GROUPS, "TOTAL"].toSorted());
  });

  it("what the audit is of", () => {
    expect(valuesOf("`GET /api/v1/audit`", "resource").toSorted()).toEqual(AUDITED_KINDS.toSorted());
    expect(valuesOf("`GET /api/v1/audit`", "action").toSorted()).toEqual(AUDIT_ACTIONS.toSorted());
  });

  it("the duties of the cron, with their subrequests, of which an invocation has 1,000", () => {
    const duties = [
      ...readProjectFile("functions/index.ts").matchAll(/^ {2}"?([\w ]+)"?: \{ duty: \w+, subrequests: (\d+) \}/gm),
    ];
    const given = Object.fromEntries(duties.map(([, name = "", subrequests]) => [name, Number(subrequests)]));
    const table = tableOf(sectionOf(OPERATIONS, "What the cron does"), /\| duty /);
    expect(given).toEqual(Object.fromEntries(table.map(([name = "", , subrequests]) => [name, Number(subrequests)])));
    const LEASE = 2;
    const total = Object.values(given).reduce((sum, subrequests) => sum + subrequests + LEASE, 0);
    expect(total, "leave room for a new duty by taking from another").toBeLessThanOrEqual(1_000);
  });

  it("the lines of the log that are worth an alarm", () => {
    const alarms = firstColumn(sectionOf(OPERATIONS, "What to watch"), /\| a line with /);
    expect(alarms.length).toBeGreaterThan(5);
    const sources = globSync("functions/**/*.ts", { cwd: ROOT }).map(readProjectFile).join("\n");
    expect(alarms.filter((alarm) => !sources.includes(alarm))).toEqual([]);
  });

  // A recipe's example stands for a file that is yet to be created.
  it.each(markdownFiles().filter((path) => !/CONTRIBUTING|CHANGELOG/.test(path)))("files, in %s", (path) => {
    const named = [...readProjectFile(path).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|sql|md))`/g)].map(
      ([, file = ""]) => file,
    );
    const places = ["", "functions", "db", "test", "test/support", join(path, "..")];
    expect(named.filter((file) => !places.some((place) => existsSync(join(ROOT, place, file))))).toEqual([]);
  });
});
