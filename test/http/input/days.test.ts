import * as z from "zod";
import { describe, expect, it } from "vitest";
import { dayRange, rangeProblem } from "../../../functions/http/input/days.ts";

const range = z.object(dayRange());
const read = (dateStart: unknown, dateEnd: unknown = "20261130") => {
  const { success, data, error } = range.safeParse({ dateStart, dateEnd });
  return success ? data.dateStart : error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
};

describe("a day", () => {
  it.each([
    ["20261121", "2026-11-21"],
    ["20240229", "2024-02-29"],
    ["20261231", "2026-12-31"],
    ["99991231", "9999-12-31"],
  ])("is %s", (text, day) => {
    expect(read(text)).toBe(day);
  });

  it.each([
    "",
    "2026-11-21",
    "202611",
    "2026112",
    "202611211",
    " 20261121",
    "20261121\n",
    "２０２６1121",
    "20260229",
    "20260230",
    "20260431",
    "20261301",
    "20260001",
    "20261100",
    "today",
  ])("is not %j", (text) => {
    expect(read(text)).toEqual(["dateStart: must be a day as YYYYMMDD"]);
  });

  it("has to be given", () => {
    expect(read(undefined)).toEqual(["dateStart: is required, as YYYYMMDD"]);
  });

  it("is checked at both ends", () => {
    expect(read("x", "y")).toEqual(["dateStart: must be a day as YYYYMMDD", "dateEnd: must be a day as YYYYMMDD"]);
  });
});

describe("a range", () => {
  const late = Date.parse("2026-11-21T23:59:59.999Z");
  const early = Date.parse("2026-11-21T00:00:00.000Z");

  it.each([
    ["2026-11-21", "2026-11-21", null],
    ["2026-11-20", "2026-11-21", null],
    ["2026-11-21", "2026-11-20", "dateEnd: must not be before dateStart"],
    ["2026-05-25", "2026-11-21", null],
    ["2026-05-24", "2026-11-21", "dateStart: must be at most 180 days back"],
    ["0000-01-01", "2026-11-21", "dateStart: must be at most 180 days back"],
    ["2026-11-22", "2027-12-27", null],
    ["2026-11-22", "2027-12-28", "dateEnd: must be at most 400 days after dateStart"],
    ["2026-11-22", "9999-12-31", "dateEnd: must be at most 400 days after dateStart"],
    ["9999-12-31", "9999-12-31", null],
  ])("from %s to %s: %j", (dateStart, dateEnd, problem) => {
    for (const now of [late, early]) expect(rangeProblem({ dateStart, dateEnd }, now)).toBe(problem);
  });
});
