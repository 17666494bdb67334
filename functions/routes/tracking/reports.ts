import * as z from "zod";
import { BREAKDOWNS, GROUPS, readHits, readReport, type Group, type ReportRow } from "../../../db/tracking/reports.ts";
import { factory } from "../../http/factory.ts";
import { allow } from "../../http/credentials/auth.ts";
import { dayRange, rangeProblem } from "../../http/input/days.ts";
import { ApiError, invalidInput } from "../../http/errors.ts";
import { oneOf, text } from "../../http/input/fields.ts";
import { query } from "../../http/input/validate.ts";
import { csv, csvHeaders, reportRows } from "./report-format.ts";

const MAX_ROWS = 50_000;

const reportQuery = () =>
  z.object({
    ...dayRange(),
    reportType: oneOf(["PLACEMENT", "SITE"]).default("PLACEMENT"),
    placementId: text().optional(),
    siteId: text().optional(),
    groupBy: z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(oneOf(GROUPS)).default([])),
    breakdownBy: oneOf(BREAKDOWNS).default("NONE"),
  });

const hitsQuery = () => z.object({ ...dayRange(), offerId: text().optional(), placementId: text().optional() });

const checkRange = (range: { dateStart: string; dateEnd: string }): void => {
  const problem = rangeProblem(range, Date.now());
  if (problem) throw invalidInput([problem]);
};

/**
 * Refuses too many rows.
 *
 * @param problem what to ask for instead
 */
const checkSize = (rows: readonly unknown[], problem: string): void => {
  if (rows.length <= MAX_ROWS) return;
  throw new ApiError("VALIDATION_FAILED", `The report is too large: ${problem}`, { details: [problem] });
};

const wantsCsv = (accept: string | undefined): boolean => /\btext\/csv\b/i.test(accept ?? "");

const NOTHING: ReportRow = {
  period: null,
  siteId: null,
  siteName: null,
  placementId: null,
  placementName: null,
  country: null,
  requests: 0,
  impressions: 0,
  viewable: 0,
  clicks: 0,
  closes: 0,
  conversions: 0,
  transactions: 0,
  revenueMicros: 0,
  grossMicros: 0,
};

/** Answers `GET /api/report`: a publisher's counts and money, from the daily counters, as JSON or CSV. */
export const report = factory.createApp().get("/", allow("publisher"), query(reportQuery), async (c) => {
  const { dateStart, dateEnd, reportType, groupBy, breakdownBy, placementId, siteId } = c.req.valid("query");
  checkRange({ dateStart, dateEnd });
  const wanted = {
    from: dateStart,
    to: dateEnd,
    groups: [...new Set<Group>([reportType, ...groupBy])],
    breakdown: breakdownBy,
    placementId,
    siteId,
  };
  const found = await readReport(c.var.db, c.var.actor.publisherId, wanted, MAX_ROWS + 1);
  checkSize(
    found,
    `groupBy: makes more than ${MAX_ROWS} rows; leave out COUNTRY, or choose WEEK or MONTH for breakdownBy`,
  );
  const rows = reportRows(found, wanted, c.var.actor);
  if (!wantsCsv(c.req.header("accept"))) return c.json({ success: true, data: rows });
  const [columns = {}] = reportRows([NOTHING], wanted, c.var.actor);
  return c.body(csv(Object.keys(columns), rows), 200, csvHeaders(`report-${dateStart}-${dateEnd}`));
});

/** Answers `GET /api/v1/hits`: every hit on the tracking URLs of a manager's offers, and why some did not count. */
export const hits = factory.createApp().get("/", allow("manager"), query(hitsQuery), async (c) => {
  const { dateStart, dateEnd, offerId, placementId } = c.req.valid("query");
  checkRange({ dateStart, dateEnd });
  const wanted = { from: dateStart, to: dateEnd, offerId, placementId };
  const rows = await readHits(c.var.db, c.var.actor, wanted, MAX_ROWS + 1);
  checkSize(rows, `offerId: is needed, or placementId, for more than ${MAX_ROWS} rows`);
  return c.json({ success: true, data: rows });
});
