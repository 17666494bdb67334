import { expect, it } from "vitest";
import { tooManyRows } from "../../../functions/routes/tracking/report-size.ts";

it.each([
  [
    ["COUNTRY"],
    "DAY",
    "groupBy: makes more than 50000 rows; leave out COUNTRY, or choose WEEK or MONTH for breakdownBy",
  ],
  [["COUNTRY"], "WEEK", "groupBy: makes more than 50000 rows; leave out COUNTRY, or choose MONTH for breakdownBy"],
  [["COUNTRY"], "MONTH", "groupBy: makes more than 50000 rows; leave out COUNTRY"],
  [["COUNTRY", "SITE"], "NONE", "groupBy: makes more than 50000 rows; leave out COUNTRY"],
  [["SITE"], "DAY", "breakdownBy: makes more than 50000 rows; choose WEEK or MONTH, or ask for fewer days"],
  [[], "WEEK", "breakdownBy: makes more than 50000 rows; choose MONTH, or ask for fewer days"],
  [[], "MONTH", "reportType: makes more than 50000 rows; ask for fewer days, or for one site, placement or offer"],
  [[], "NONE", "reportType: makes more than 50000 rows; ask for fewer days, or for one site, placement or offer"],
] as const)("advises what is left to do, split by %j and %s", (groupBy, breakdownBy, problem) => {
  expect(tooManyRows({ groupBy, breakdownBy })).toBe(problem);
});
