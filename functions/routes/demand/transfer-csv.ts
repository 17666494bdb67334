import type { TargetingColumn } from "../../../db/schema/targeting.ts";
import { csvLines, withoutGuard, type Cell } from "../../http/answers/csv.ts";
import { CsvError, parseCsv, separatorOf } from "../../core/csv.ts";
import { isDeeper } from "../../core/json-depth.ts";
import { memberOf, isObject } from "../../core/objects.ts";
import { MOST_LEVELS } from "../../core/transfer-limits.ts";

/** Names what a cell holds: a text that may be missing or cleared, a number, a list with semicolons, or JSON. */
type Kind = "text" | "clearableText" | "number" | "clearableNumber" | "list" | "json";

/** Names the columns that hold targeting. None may be missing, or a copy of an offer would be for everybody. */
type Targeted = `targeting.${Exclude<TargetingColumn, "categoryIds"> | "categories"}`;

/** Maps the columns of offers in CSV, which are paths of members, to the kind of what they hold. */
const COLUMNS: Record<string, Kind> = {
  id: "text",
  advertiserId: "text",
  name: "text",
  title: "text",
  header: "text",
  description: "text",
  ctaText: "text",
  declineButtonText: "text",
  termsUrl: "clearableText",
  "icon.url": "text",
  "icon.width": "number",
  "icon.height": "number",
  destinationUrl: "text",
  status: "text",
  startsAt: "clearableText",
  endsAt: "clearableText",
  priority: "number",
  pricing: "text",
  bidMicros: "number",
  publisherShareBps: "number",
  dailyCap: "clearableNumber",
  lifetimeCap: "clearableNumber",
  pacing: "text",
  creativeSplit: "text",
  creativeWeight: "number",
  "targeting.countries": "list",
  "targeting.languages": "list",
  "targeting.currencies": "list",
  "targeting.amountMin": "clearableNumber",
  "targeting.amountMax": "clearableNumber",
  "targeting.paymentTypes": "list",
  "targeting.categories": "list",
  "targeting.ageDemographics": "list",
  "targeting.genderDemographics": "list",
  "targeting.includePublishers": "list",
  "targeting.excludePublishers": "list",
  "targeting.includeSites": "list",
  "targeting.excludeSites": "list",
  creatives: "json",
  createdAt: "text",
  updatedAt: "text",
} satisfies Record<string, Kind> & Record<Targeted, Kind>;

const SEPARATOR = ";";
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Returns what a cell holds; undefined for an empty one that counts as left out. What is not a number or JSON stays a
 * text.
 */
const valueOf = (kind: Kind, cell: string): unknown => {
  const text = withoutGuard(cell);
  if (kind === "list") {
    return text
      .split(SEPARATOR)
      .map((part) => part.trim())
      .filter((part) => part !== "");
  }
  if (text === "") return kind.startsWith("clearable") ? null : undefined;
  if (kind === "number" || kind === "clearableNumber") return NUMBER.test(text.trim()) ? Number(text) : text;
  if (kind !== "json" || isDeeper(text, MOST_LEVELS)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** Returns a line of CSV as the object that JSON would have, without members for missing columns. */
const objectOf = (header: readonly string[], cells: readonly string[]): Record<string, unknown> => {
  const object: Record<string, unknown> = {};
  for (const [i, path] of header.entries()) {
    const value = valueOf(COLUMNS[path] ?? "text", cells[i] ?? "");
    if (value === undefined) continue;
    const [first = "", second] = path.split(".");
    if (second === undefined) object[first] = value;
    else object[first] = Object.assign(isObject(object[first]) ? object[first] : {}, { [second]: value });
  }
  if (header.includes("icon.url") && object["icon"] === undefined) object["icon"] = null;
  return object;
};

/** Holds a row of an import as it was sent, or what is wrong with its form. */
export type Sent = { value: unknown } | { problem: string };

/**
 * Reads offers from CSV, whose first line names the columns, and shows what separates cells.
 *
 * @param most ends reading after so many offers
 * @throws {CsvError} when it is not CSV, or a column is unknown or comes twice
 */
export const readCsv = (text: string, most?: number): Sent[] => {
  const [header, ...lines] = parseCsv(text, most === undefined ? undefined : most + 1, separatorOf(text));
  if (!header) return [];
  for (const [i, name] of header.entries()) {
    if (!Object.hasOwn(COLUMNS, name)) throw new CsvError(`line 1: ${JSON.stringify(name)} is no column`);
    if (header.indexOf(name) !== i) throw new CsvError(`line 1: the column ${name} comes twice`);
  }
  return lines.map((cells) =>
    cells.length === header.length
      ? { value: objectOf(header, cells) }
      : { problem: `has ${cells.length} cells, and the first line ${header.length}` },
  );
};

const cellOf = (kind: Kind, value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value))
    return value.length === 0 ? null : kind === "json" ? JSON.stringify(value) : value.join(SEPARATOR);
  return value instanceof Date ? value.toISOString() : (value as Cell);
};

/** Returns an offer's cells, by their columns. */
const cellsOf = (offer: object): Record<string, Cell> =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([path, kind]) => {
      const value = path.split(".").reduce<unknown>((object, name) => memberOf(object, name), offer);
      return [path, cellOf(kind, value)];
    }),
  );

/** Writes offers as lines of CSV that {@link readCsv} can read back. Each line is made only when it is asked for. */
export const writeCsv = (offers: IteratorObject<object>): Iterable<string> =>
  csvLines(Object.keys(COLUMNS), offers.map(cellsOf));
