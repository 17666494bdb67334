import * as z from "zod";
import type { Context } from "hono";
import { NO_HITS, readHits } from "../../../db/tracking/hit-report.ts";
import { BREAKDOWNS, GROUPS, readReport, type Group } from "../../../db/tracking/reports.ts";
import { isCountry, UNKNOWN_COUNTRY } from "../../decision/country.ts";
import { asksFor } from "../../http/answers/accept.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { code } from "../../http/input/codes.ts";
import { dayRange, rangeProblem } from "../../http/input/days.ts";
import { ApiError, invalidInput } from "../../http/errors.ts";
import { flagParameter, oneOf, text } from "../../http/input/fields.ts";
import { query } from "../../http/input/validate.ts";
import { csvHeaders, csvLines, type Cell } from "../../http/answers/csv.ts";
import { inPieces, rowsAsJson } from "../../http/answers/pieces.ts";
import { accessOf, hitRowOf, NOTHING, reportRowOf } from "./report-format.ts";
import { filledSize, fillPeriods } from "./report-periods.ts";
import { MAX_ROWS, tooManyRows } from "./report-size.ts";

/** Asks for a single row, or one for each period. */
const TOTAL = "TOTAL";

/** Checks a parameter that may come several times. */
const several = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (typeof given === "string" ? [given] : given), z.array(value).default([]));

/** Checks a country as counters name it. */
const country = () =>
  code(
    text(),
    (value) => value === UNKNOWN_COUNTRY || isCountry(value),
    `must be a two-letter ISO 3166-1 country code, or ${UNKNOWN_COUNTRY}`,
  );

const reportQuery = () =>
  z.object({
    ...dayRange(),
    reportType: oneOf([...GROUPS, TOTAL]).default("PLACEMENT"),
    groupBy: several(oneOf(GROUPS)),
    breakdownBy: oneOf(BREAKDOWNS).default("NONE"),
    fill: flagParameter(),
    publisherId: text().optional(),
    siteId: text().optional(),
    placementId: text().optional(),
    offerId: text().optional(),
    advertiserId: text().optional(),
    country: country().optional(),
  });

const hitsQuery = () =>
  z.object({
    ...dayRange(),
    offerId: text().optional(),
    placementId: text().optional(),
    groupBy: several(oneOf(["COUNTRY"])),
  });

/**
 * Refuses days for which no counters are read.
 *
 * @throws {ApiError} 400 that says what is wrong with them
 */
export const checkRange = (range: { dateStart: string; dateEnd: string }): void => {
  const problem = rangeProblem(range, Date.now());
  if (problem) throw invalidInput([problem]);
};

/**
 * Refuses too many rows.
 *
 * @param problem what to ask for instead
 */
const checkSize = (rows: number, problem: string): void => {
  if (rows <= MAX_ROWS) return;
  throw new ApiError("VALIDATION_FAILED", `The report is too large: ${problem}`, { details: [problem] });
};

/**
 * Answers rows as JSON, or as CSV if the caller accepts that. They are written while they are sent, so that fifty
 * thousand are not in memory twice.
 *
 * @param name the name of the file that CSV is saved as
 * @param shown returns a row in the form of answers
 * @param none an empty row, from which columns are named
 */
const answerRows = <Row>(
  c: Context,
  name: string,
  rows: Row[],
  shown: (row: Row) => Record<string, Cell>,
  none: Row,
) => {
  const answered = rows.values().map(shown);
  return asksFor(c, "text/csv", "application/json")
    ? c.body(inPieces(csvLines(Object.keys(shown(none)), answered)), 200, csvHeaders(name))
    : c.body(inPieces(rowsAsJson(answered)), 200, { "Content-Type": "application/json" });
};

/**
 * Answers `GET /api/report`: counts and money of a publisher's placements, of those of a platform's publishers, or of all,
 * from the daily counters, as JSON or CSV.
 */
export const report = factory.createApp().get("/", allow("owner"), query(reportQuery), async (c) => {
  const { dateStart, dateEnd, reportType, groupBy, breakdownBy, fill, ...filters } = c.req.valid("query");
  checkRange({ dateStart, dateEnd });
  const asked = [...(reportType === TOTAL ? [] : [reportType]), ...groupBy];
  // A creative's number means nothing without its offer.
  const groups = new Set<Group>(asked.flatMap((group) => (group === "CREATIVE" ? ["OFFER", group] : [group])));
  const wanted = { ...filters, from: dateStart, to: dateEnd, groups: [...groups], breakdown: breakdownBy };
  const found = await readReport(c.var.db, c.var.actor, wanted, MAX_ROWS + 1);
  const isFilled = fill === "true" && breakdownBy !== "NONE";
  checkSize(isFilled ? filledSize(found, wanted) : found.length, tooManyRows({ reportType, groupBy, breakdownBy }));
  const rows = isFilled ? fillPeriods(found, wanted) : found;
  const shown = reportRowOf(wanted, accessOf(c.var.actor));
  return answerRows(c, `report-${dateStart}-${dateEnd}`, rows, shown, NOTHING);
});

/** Answers `GET /api/v1/hits`: every hit on the tracking URLs of a manager's offers, and why some did not count. */
export const hits = factory.createApp().get("/", allow("manager"), query(hitsQuery), async (c) => {
  const { dateStart, dateEnd, offerId, placementId, groupBy } = c.req.valid("query");
  checkRange({ dateStart, dateEnd });
  const byCountry = groupBy.length > 0;
  const wanted = { from: dateStart, to: dateEnd, offerId, placementId, byCountry };
  const rows = await readHits(c.var.db, c.var.actor, wanted, MAX_ROWS + 1);
  checkSize(rows.length, `offerId: is needed, or placementId, for more than ${MAX_ROWS} rows`);
  return answerRows(c, `hits-${dateStart}-${dateEnd}`, rows, hitRowOf(byCountry), NO_HITS);
});
