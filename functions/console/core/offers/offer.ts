import type { Creative, Offer, Targeting } from "#client";
import { AGES, GENDERS, PAYMENT_TYPES, type Names } from "../closed.ts";
import { isSame } from "../same.ts";
import { localTime } from "../times.ts";

/** Holds an offer as the fields of its form, all of them texts. */
export type Fields = Record<string, string>;

/** Names what customers see of an offer or of one of its creatives. */
type Shown = Pick<Offer, (typeof SHOWN)[number] | "termsUrl" | "icon">;

const SHOWN = ["name", "title", "header", "description", "ctaText", "declineButtonText", "destinationUrl"] as const;

/** Names the members of targeting that are lists. */
export type ListName = {
  [Name in keyof Targeting]: Targeting[Name] extends readonly unknown[] ? Name : never;
}[keyof Targeting];

/** Tells how a list is chosen: written with a hint, ticked in a closed set, or picked from what the service knows. */
export type Listed = { label: string } & (
  | { hint: string }
  | { names: Names }
  | { picked: "site" | "publisher" | "category" }
);

/** Holds each list's label, and how it is chosen. A list that is not here could not be seen or set. */
const LISTED: Record<ListName, Listed> = {
  countries: { label: "Countries", hint: "Two-letter codes, such as US, DE" },
  languages: { label: "Languages", hint: "Codes, such as en, de" },
  currencies: { label: "Currencies of the order", hint: "Such as USD, EUR" },
  paymentTypes: { label: "Payment types", names: PAYMENT_TYPES },
  categories: { label: "Categories of the shop", picked: "category" },
  ageDemographics: { label: "Customers’ age", names: AGES },
  genderDemographics: { label: "Customers’ gender", names: GENDERS },
  includeSites: { label: "Only these sites", picked: "site" },
  excludeSites: { label: "Not these sites", picked: "site" },
  includePublishers: { label: "Only these publishers", picked: "publisher" },
  excludePublishers: { label: "Not these publishers", picked: "publisher" },
};

/** Lists the members of targeting that are lists, each with its label and how it is chosen. */
export const LISTS = Object.entries(LISTED) as readonly [ListName, Listed][];

/** Returns what an empty list means. */
export const emptyMeans = (name: ListName): "None" | "All" => (name.startsWith("exclude") ? "None" : "All");

/**
 * Returns the entries that the field of a list holds, each once. Names of categories have commas and spaces: each has
 * its line.
 */
export const entriesOf = (name: ListName, written: string): string[] => {
  const entries = written.split(name === "categories" ? "\n" : /[\s,]+/).map((entry) => entry.trim());
  return [...new Set(entries)].filter((entry) => entry !== "");
};

/** Writes entries into the field of a list. */
export const entriesText = (name: ListName, entries: readonly string[]): string =>
  entries.join(name === "categories" ? "\n" : ", ");

const numberText = (value: number | null | undefined): string => (value ?? "").toString();

const shownFields = (shown: Partial<Shown>): Fields => ({
  ...Object.fromEntries(SHOWN.map((name) => [name, shown[name] ?? ""])),
  termsUrl: shown.termsUrl ?? "",
  iconUrl: shown.icon?.url ?? "",
  iconWidth: numberText(shown.icon?.width ?? 96),
  iconHeight: numberText(shown.icon?.height ?? 96),
});

/** Returns the form's fields for an offer, or for a new one. Bids are in dollars, times in the viewer's zone. */
export const fieldsOf = (offer: Partial<Offer>): Fields => ({
  ...shownFields(offer),
  declineButtonText: offer.declineButtonText ?? "No, thanks",
  pricing: offer.pricing ?? "CPC",
  bid: offer.bidMicros === undefined ? "" : String(offer.bidMicros / 1e6),
  share: String((offer.publisherShareBps ?? 7_000) / 100),
  priority: String(offer.priority ?? 5),
  dailyCap: numberText(offer.dailyCap),
  lifetimeCap: numberText(offer.lifetimeCap),
  pacing: offer.pacing ?? "ASAP",
  creativeSplit: offer.creativeSplit ?? "WEIGHTS",
  creativeWeight: String(offer.creativeWeight ?? 100),
  startsAt: localTime(offer.startsAt),
  endsAt: localTime(offer.endsAt),
  ...Object.fromEntries(LISTS.map(([name]) => [name, entriesText(name, offer.targeting?.[name] ?? [])])),
  amountMin: numberText(offer.targeting?.amountMin),
  amountMax: numberText(offer.targeting?.amountMax),
});

/** Returns the form's fields for a creative, or for a new one. */
export const creativeFields = (creative: Partial<Creative>): Fields => ({
  ...shownFields(creative),
  declineButtonText: creative.declineButtonText ?? "No, thanks",
  weight: String(creative.weight ?? 100),
});

const text = (fields: Fields, name: string): string => (fields[name] ?? "").trim();
const orNull = (fields: Fields, name: string): string | null => text(fields, name) || null;
/**
 * Reads a number; a text that is not one, or empty, is sent as it is, so that the service says what is wrong with it.
 */
const numberOf = (written: string): number | string =>
  written !== "" && Number.isFinite(Number(written)) ? Number(written) : written;
const numberOrNull = (fields: Fields, name: string) =>
  text(fields, name) === "" ? null : numberOf(text(fields, name));
const scaled = (fields: Fields, name: string, factor: number): number | string => {
  const value = numberOf(text(fields, name));
  return typeof value === "number" ? Math.round(value * factor) : value;
};
const timeOf = (fields: Fields, name: string): string | null => {
  const written = text(fields, name);
  if (written === "") return null;
  const time = new Date(written);
  return Number.isNaN(time.getTime()) ? written : time.toISOString();
};

/**
 * Returns the time that a field means; null if it is empty or not a time. As long as it shows the offer's own time, it
 * means that: when clocks are set back, a local time comes twice.
 */
export const meantTime = (fields: Fields, name: "startsAt" | "endsAt", offer: Partial<Offer>): string | null => {
  const time = fields[name] === localTime(offer[name]) ? offer[name] : timeOf(fields, name);
  return time && !Number.isNaN(Date.parse(time)) ? time : null;
};

/** Returns what customers see, in the form that the API takes. */
export const shownBody = (fields: Fields): Record<string, unknown> => ({
  ...Object.fromEntries(SHOWN.map((name) => [name, text(fields, name)])),
  termsUrl: orNull(fields, "termsUrl"),
  icon:
    text(fields, "iconUrl") === ""
      ? null
      : {
          url: text(fields, "iconUrl"),
          width: numberOf(text(fields, "iconWidth")),
          height: numberOf(text(fields, "iconHeight")),
        },
});

/** Returns a creative in the form that the API takes. */
export const creativeBody = (fields: Fields): Record<string, unknown> => ({
  ...shownBody(fields),
  weight: numberOf(text(fields, "weight")),
});

/** Returns what a forecast needs of an offer. */
export const forecastBody = (fields: Fields): Record<string, unknown> => ({
  pricing: text(fields, "pricing"),
  bidMicros: scaled(fields, "bid", 1e6),
  priority: numberOf(text(fields, "priority")),
  dailyCap: numberOrNull(fields, "dailyCap"),
  lifetimeCap: numberOrNull(fields, "lifetimeCap"),
  targeting: {
    ...Object.fromEntries(LISTS.map(([name]) => [name, entriesOf(name, text(fields, name))])),
    amountMin: numberOrNull(fields, "amountMin"),
    amountMax: numberOrNull(fields, "amountMax"),
  },
  startsAt: timeOf(fields, "startsAt"),
  endsAt: timeOf(fields, "endsAt"),
});

/** Returns an offer in the form that the API takes. */
export const offerBody = (fields: Fields): Record<string, unknown> => ({
  ...shownBody(fields),
  ...forecastBody(fields),
  publisherShareBps: scaled(fields, "share", 100),
  pacing: text(fields, "pacing"),
  creativeSplit: text(fields, "creativeSplit"),
  creativeWeight: numberOf(text(fields, "creativeWeight")),
});

type Body = Record<string, unknown>;

/** Sorts a list of texts: their order means nothing. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value) ? value.toSorted((one: string, other: string) => (one < other ? -1 : 1)) : value;

const changedMembers = (body: Body, before: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => !isSame(sorted(value), sorted(before[name]))));

/** Returns the members of a body that differ from what was read, and in targeting only the members that do. */
export const changedBody = (body: Body, before: Body): Body => {
  const { targeting, ...changed } = changedMembers(body, before);
  const targets = changedMembers((targeting ?? {}) as Body, before["targeting"] as Body);
  return isSame(targets, {}) ? changed : { ...changed, targeting: targets };
};

const RENAMED: Record<string, string> = {
  bidMicros: "bid",
  publisherShareBps: "share",
  icon: "iconUrl",
  "icon.width": "iconWidth",
  "icon.height": "iconHeight",
};

/** Says which fields for times hold something else: browsers let years have more than four digits. */
export const wrongTimes = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    ["startsAt", "endsAt"]
      .filter((name) => Number.isNaN(new Date(text(fields, name) || 0).getTime()))
      .map((name) => [name, "This is not a valid date"]),
  );

/** Names the field in which a member of an offer is shown, by its path in the API. */
export const shownAs = (path: string): string => {
  const [name = ""] = path.replace(/^targeting\./, "").split(/[.[]/);
  return RENAMED[path] ?? RENAMED[name] ?? name;
};

/** Names the fields in which the API's refusals of an offer are shown. */
export const wrongFields = (wrong: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(wrong).map(([path, message]) => [shownAs(path), message]));

/** Leaves room for what is added to the name of a copy: a name has at most 255 characters. */
const LONGEST = 246;

/** Names a copy of an offer. A long name is cut, but never within a character. */
export const copyName = (name: string): string => `${name.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")} (copy)`;

/** Returns Wilson's 95 % interval of a rate, from so many hits in so many cases; null without cases. */
export const intervalOf = (hits: number, cases: number): { low: number; high: number } | null => {
  if (cases <= 0) return null;
  const z = 1.959964;
  const rate = Math.min(1, hits / cases);
  const weight = z ** 2 / cases;
  const middle = (rate + weight / 2) / (1 + weight);
  const half = (z * Math.sqrt((rate * (1 - rate)) / cases + weight / (4 * cases))) / (1 + weight);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
};
