import type { GetReportParameters, ReportRow } from "#client";
import type { Counted, Figure } from "./figures.ts";
import { FIGURES, figuresOf } from "./figures.ts";
import { dollars, words } from "../format.ts";
import { partnersOf, type Spans } from "./spans.ts";

/** Holds a row of a report: what it is about, and what was counted. */
export type ReportedRow = Counted & Omit<Partial<ReportRow>, keyof Counted>;

/** Names what rows may be split by. */
export type Group = NonNullable<GetReportParameters["groupBy"]>[number];

const TITLES: Record<Group, string> = {
  PUBLISHER: "Publisher",
  SITE: "Site",
  PLACEMENT: "Placement",
  ADVERTISER: "Advertiser",
  OFFER: "Offer",
  CREATIVE: "Creative",
  COUNTRY: "Country",
  ARM: "Experiment arm",
};

/** Lists what rows may be split by, in words. */
export const GROUPS = Object.entries(TITLES) as [Group, string][];

const isGroup = (text: string | undefined): text is Group => GROUPS.some(([group]) => group === text);

/** Names the parameters that limit a report to one thing. */
export const ONLY = ["publisherId", "siteId", "placementId", "advertiserId", "offerId", "country"] as const;

/** Lists the groups that an address asks for, at most two; creatives come with their offer. */
export const groupsOf = (by: string | undefined, and: string | undefined, usual: Group): Group[] => {
  if (by === "TOTAL") return [];
  const asked = [isGroup(by) ? by : usual, ...(isGroup(and) ? [and] : [])];
  return [...new Set(asked.flatMap((group): Group[] => (group === "CREATIVE" ? ["OFFER", group] : [group])))];
};

/** Names the parameter that limits a report to one of a group, if there is one. */
export const onlyOf = (group: Group): (typeof ONLY)[number] | null =>
  group === "COUNTRY" ? "country" : (ONLY.find((name) => name === `${group.toLowerCase()}Id`) ?? null);

/** Returns the id of what a row is about. */
export const idOf = (row: ReportedRow, group: Group): string => {
  if (group === "COUNTRY") return row.country ?? "";
  if (group === "ARM") return row.arm ?? "";
  if (group === "CREATIVE") return String(row.creative ?? "");
  return row[`${group.toLowerCase() as Lowercase<typeof group>}Id`] ?? "";
};

/** Returns the name of what a row is about; what was deleted has only its id. */
export const nameOf = (row: ReportedRow, group: Group): string => {
  if (group === "COUNTRY") return row.country?.replace("ZZ", "") || "Unknown";
  if (group === "ARM") return words(row.arm ?? "");
  if (group === "CREATIVE") {
    return row.creativeName ?? (row.creative === 1 ? "The offer’s own" : `Creative ${row.creative ?? ""}`);
  }
  return row[`${group.toLowerCase() as Lowercase<typeof group>}Name`] ?? (idOf(row, group) || "Unknown");
};

const OWED: readonly Figure[] = [
  { key: "gross", text: "Owed by advertisers", of: ({ gross }) => gross ?? null, write: dollars },
  {
    key: "profit",
    text: "Profit",
    of: ({ gross, revenue }) => (gross === undefined || revenue === undefined ? null : gross - revenue),
    write: dollars,
  },
];

/** Lists all figures that a report may show. */
export const REPORTED: readonly Figure[] = [...FIGURES, ...OWED];

/** Lists the figures that can be computed from counts, so not the money that a token may not see. */
export const reportedFigures = (counted: Counted): readonly Figure[] => [
  ...figuresOf(counted),
  ...(counted.gross === undefined ? [] : OWED),
];

/** Holds a row with the counts of the same thing in another period; null if that period has no such time. */
export type ComparedRow = { id: string; now: ReportedRow; before: Counted | null };

const keyOf = (row: ReportedRow, groups: readonly Group[], date: string | undefined): string =>
  [date ?? "", ...groups.map((group) => idOf(row, group))].join(" ");

/** Returns a row without its counts, for something that had none this time. */
const emptied = (row: ReportedRow): ReportedRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "number" && name !== "creative" ? 0 : value]),
  ) as ReportedRow;

/**
 * Pairs each row with that of the same thing in another period. What is only in one of them counts as zero in the
 * other. A time without a partner, or whose partner has a different part of its days, is compared with nothing, or left
 * out.
 *
 * @param before rows of the other period; null where nothing is compared
 * @param spans the days, weeks or months of this period and of the other
 */
export const comparedRows = (
  now: readonly ReportedRow[],
  before: readonly ReportedRow[] | null,
  groups: readonly Group[],
  spans: Spans,
): ComparedRow[] => {
  const dateOf = new Map(
    partnersOf(spans).flatMap((partner, at) => (partner ? [[partner.date, spans.now[at]?.date]] : [])),
  );
  const compared = new Set([undefined, ...dateOf.values()]);
  const moved = (before ?? []).flatMap((row): ReportedRow[] => {
    if (row.date === undefined) return [row];
    const date = dateOf.get(row.date);
    return date === undefined ? [] : [Object.assign({}, row, { date })];
  });
  const known = new Map(moved.map((row) => [keyOf(row, groups, row.date), row]));
  const rows = now.map((row): ComparedRow => {
    const id = keyOf(row, groups, row.date);
    const found = known.get(id) ?? (compared.has(row.date) ? emptied(row) : null);
    known.delete(id);
    return { id, now: row, before: before && found };
  });
  return [...rows, ...[...known].map(([id, row]) => ({ id, now: emptied(row), before: row }))];
};

/**
 * Returns the figure to sort rows by: the chosen one if rows have it; otherwise the usual one, or none for rows by time.
 */
export const orderOf = (chosen: Figure | null, figures: readonly Figure[], isByTime: boolean): Figure | null => {
  const known = (wanted: string | undefined) => figures.find(({ key }) => key === wanted) ?? null;
  return known(chosen?.key) ?? (isByTime ? null : (known("revenue") ?? known("impressions")));
};

/** Returns rows sorted by a figure, the greatest first; unchanged if it is null. */
export const sortedBy = (rows: readonly ComparedRow[], figure: Figure | null): ComparedRow[] =>
  figure === null
    ? [...rows]
    : [...rows].sort((one, other) => (figure.of(other.now) ?? -1) - (figure.of(one.now) ?? -1));
