import { membersOf, type Breakdown, type ReportQuery, type ReportRow } from "../../../db/tracking/reports.ts";
import { DAY_MS } from "../../../db/core/time.ts";
import { NOTHING } from "./report-format.ts";

type Query = Pick<ReportQuery, "from" | "to" | "groups" | "breakdown">;

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Returns the first day of the period that a UTC day lies in. Weeks begin on Monday, as they do for Postgres. */
const startOf = (at: number, breakdown: Breakdown): string => {
  if (breakdown === "MONTH") return `${isoDay(at).slice(0, 7)}-01`;
  const past = breakdown === "WEEK" ? (new Date(at).getUTCDay() + 6) % 7 : 0;
  return isoDay(at - past * DAY_MS);
};

/** Lists the first days of the periods that a report spans, in order. */
const periodsOf = ({ from, to, breakdown }: Query): string[] => {
  const first = Date.parse(from);
  const days = (Date.parse(to) - first) / DAY_MS + 1;
  return [...new Set(Array.from({ length: days }, (_, i) => startOf(first + i * DAY_MS, breakdown)))];
};

type Part = Partial<ReportRow>;

/** Returns what a row is split by. */
const partOf = (row: ReportRow, groups: Query["groups"]): Part =>
  Object.fromEntries(groups.flatMap(membersOf).map((member) => [member, row[member]]));

/** Lists what rows are split by, each combination once, by its text. A total has one without any row. */
const partsOf = (rows: readonly ReportRow[], { groups }: Query): Map<string, Part> => {
  const parts = (groups.length === 0 ? [NOTHING] : rows).map((row) => partOf(row, groups));
  return new Map(parts.map((part) => [JSON.stringify(part), part]));
};

/** Tells how many rows {@link fillPeriods} makes. */
export const filledSize = (rows: readonly ReportRow[], query: Query): number =>
  periodsOf(query).length * partsOf(rows, query).size;

/**
 * Adds a row of zeros for each period in which something that has a row elsewhere had no traffic.
 *
 * @param query a breakdown into periods
 * @returns rows by period, and within one by what they are split by, in the order in which that came first
 */
export const fillPeriods = (rows: readonly ReportRow[], query: Query): ReportRow[] => {
  const counted = new Map(rows.map((row) => [`${row.period} ${JSON.stringify(partOf(row, query.groups))}`, row]));
  const parts = [...partsOf(rows, query)];
  return periodsOf(query).flatMap((period) =>
    parts.map(([text, part]) => counted.get(`${period} ${text}`) ?? Object.assign({}, NOTHING, part, { period })),
  );
};
