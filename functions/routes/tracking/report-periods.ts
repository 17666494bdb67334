import { membersOf, type Breakdown, type ReportQuery, type ReportRow } from "../../../db/tracking/reports.ts";
import { DAY_MS, dayOf } from "../../../db/core/time.ts";
import { NOTHING } from "./report-format.ts";

type Query = Pick<ReportQuery, "from" | "to" | "groups" | "breakdown">;

/** Says how many days before 1970 began the week began that 1970 began in: on a Monday, as weeks do for Postgres. */
const WEEK_OFFSET = 3;

/** Returns the number of the period that a UTC day is in; the next period has the next number. */
const numberOf = (day: string, breakdown: Breakdown): number => {
  const date = new Date(day);
  if (breakdown === "MONTH") return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  const days = date.getTime() / DAY_MS;
  return breakdown === "WEEK" ? Math.floor((days + WEEK_OFFSET) / 7) : days;
};

/** Returns the first day of the period with a number. */
const startOf = (number: number, breakdown: Breakdown): string => {
  if (breakdown === "MONTH") return dayOf(Date.UTC(1970, number));
  return dayOf((breakdown === "WEEK" ? number * 7 - WEEK_OFFSET : number) * DAY_MS);
};

/** Counts the periods that a report spans. */
const periodCount = ({ from, to, breakdown }: Query): number => numberOf(to, breakdown) - numberOf(from, breakdown) + 1;

/** Lists the first days of the periods that a report spans, in order. */
const periodsOf = (query: Query): string[] => {
  const first = numberOf(query.from, query.breakdown);
  return Array.from({ length: periodCount(query) }, (_, i) => startOf(first + i, query.breakdown));
};

type Part = Partial<ReportRow>;

/** Returns what a row is split by. */
const partOf = (row: ReportRow, groups: Query["groups"]): Part =>
  Object.fromEntries(groups.flatMap(membersOf).map((member) => [member, row[member]]));

/** Lists the combinations that rows are split by, each once, by its text. A total has one even without any row. */
const partsOf = (rows: readonly ReportRow[], { groups }: Query): Map<string, Part> => {
  const parts = (groups.length === 0 ? [NOTHING] : rows).map((row) => partOf(row, groups));
  return new Map(parts.map((part) => [JSON.stringify(part), part]));
};

/** Tells how many rows {@link fillPeriods} makes. */
export const filledSize = (rows: readonly ReportRow[], query: Query): number =>
  periodCount(query) * partsOf(rows, query).size;

/**
 * Adds a row of zeros for each period without traffic of something that has a row in another period.
 *
 * @param query a breakdown into periods
 * @returns rows by period, and within a period in the order in which their combinations first came
 */
export const fillPeriods = (rows: readonly ReportRow[], query: Query): ReportRow[] => {
  const counted = new Map(rows.map((row) => [`${row.period} ${JSON.stringify(partOf(row, query.groups))}`, row]));
  const parts = [...partsOf(rows, query)];
  return periodsOf(query).flatMap((period) =>
    parts.map(([text, part]) => counted.get(`${period} ${text}`) ?? Object.assign({}, NOTHING, part, { period })),
  );
};
