import { words } from "./format.ts";
import { LISTS, shownAs, type ListName } from "./offers/offer.ts";

/** Holds what forms call fields that are no lists, most of them of an offer. Histories call them the same. */
const LABELS = {
  name: "Name",
  header: "Line above the title",
  title: "Title",
  description: "Description",
  ctaText: "Text of “accept”",
  declineButtonText: "Text of “decline”",
  destinationUrl: "Where a click leads",
  termsUrl: "Terms",
  iconUrl: "Picture",
  iconWidth: "Picture’s width (px)",
  iconHeight: "Picture’s height (px)",
  pricing: "Paid for",
  bid: "Bid (USD)",
  share: "Publisher’s share (%)",
  priority: "Priority",
  dailyCap: "Daily cap",
  lifetimeCap: "Total cap",
  pacing: "Spend",
  startsAt: "Starts",
  endsAt: "Ends",
  creativeSplit: "Creatives are shown",
  creativeWeight: "Weight of these texts",
  weight: "Weight",
  amountMin: "Orders from",
  amountMax: "Orders up to",
  elevatedLimits: "Raised limits",
} as const;

/** Names a field that has a label here. */
export type FieldName = keyof typeof LABELS | ListName;

const KNOWN = new Map<string, string>([
  ...Object.entries(LABELS),
  ...LISTS.map(([name, { label }]) => [name, label] as const),
]);

/** Names a member of a resource, by its path in the API, as forms do, or else by its own words. */
export const labelOf = (path: string): string => KNOWN.get(shownAs(path)) ?? path.split(".").map(words).join(" › ");

/** Says how many of the API's units of a member are one of those that its label names. */
const UNITS: Record<string, number> = { bidMicros: 1e6, publisherShareBps: 100 };

/** Writes a number of a member in the unit that its label names. */
export const numberText = (path: string, value: number): string => String(value / (UNITS[path] ?? 1));
