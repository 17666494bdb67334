import type { GetReportParameters } from "#client";
import { useLocation } from "preact-iso/router";
import type { Principal } from "../../api/session.ts";
import { addressOf, readFilters, readPage, type Filters } from "../../core/filters.ts";
import { apiDay, otherPeriod, periodOf, type Period } from "../../core/reports/period.ts";
import { groupsOf, ONLY, REPORTED, type Group } from "../../core/reports/report.ts";
import type { Figure } from "../../core/reports/figures.ts";
import type { Per } from "../../core/reports/spans.ts";

const KNOWN = ["by", "and", "per", "from", "to", "against", "sort", "figure", ...ONLY] as const;
const PERIODS: readonly Per[] = ["DAY", "WEEK", "MONTH"];

/** Holds the report that an address asks for. */
export type Asked = {
  filters: Filters;
  page: number;
  groups: readonly Group[];
  /** Names what rows are broken down by, or nothing. */
  per: Per | "";
  period: Period;
  other: Period | null;
  sort: Figure | null;
  change: (changes: Filters) => void;
  pageAddress: (page: number) => string;
  /** Holds an address that will show the same on any later day. */
  link: string;
};

/** Reads what the address asks for, and changes it. */
export const useAsked = (who: Principal): Asked => {
  const { path, query, route } = useLocation();
  const filters = readFilters(query, KNOWN);
  const period = periodOf(filters, Date.now());
  const per = PERIODS.find((name) => name === filters["per"]) ?? "";
  const changed = (changes: Filters) =>
    Object.fromEntries(KNOWN.map((name) => [name, changes[name] ?? filters[name] ?? ""]));
  return {
    filters,
    page: readPage(query),
    groups: groupsOf(filters["by"], filters["and"], who.kind === "publisher" ? "PLACEMENT" : "PUBLISHER"),
    per,
    period,
    other: otherPeriod(period, filters["against"]),
    sort: REPORTED.find(({ key }) => key === filters["sort"]) ?? null,
    change: (changes) => route(addressOf(path, changed(changes)), true),
    pageAddress: (page) => addressOf(path, { ...filters, page }),
    link: location.origin + addressOf(path, changed(period)),
  };
};

const daysOf = ({ from, to }: Period) => ({ dateStart: apiDay(from), dateEnd: apiDay(to) });

const onlyOf = (filters: Filters): Partial<GetReportParameters> =>
  Object.fromEntries(ONLY.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));

/** Returns the parameters to read the rows of a period. */
export const rowsQuery = ({ groups, per, filters }: Asked, period: Period): GetReportParameters => {
  const by = groups.filter((group) => group !== "OFFER" || !groups.includes("CREATIVE"));
  return {
    ...daysOf(period),
    ...onlyOf(filters),
    reportType: by[0] ?? "TOTAL",
    groupBy: by.slice(1, 2),
    breakdownBy: per || undefined,
  };
};

/** Returns the parameters to read the totals of a period, by day, so that a day that is not over can be told apart. */
export const totalsQuery = ({ filters }: Asked, period: Period): GetReportParameters => ({
  ...daysOf(period),
  ...onlyOf(filters),
  reportType: "TOTAL",
  breakdownBy: "DAY",
  fill: true,
});
