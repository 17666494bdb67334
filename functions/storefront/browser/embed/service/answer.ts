import { ANSWER_DEFAULTS } from "../../../../core/template.ts";

const OFFER = {
  bannerId: "",
  title: "",
  header: "",
  description: "",
  ctaText: "",
  declineButtonText: "",
  clickUrl: "",
  beaconUrl: "",
  closeUrl: "",
  termsUrl: "",
  icon: { url: "", width: 96, height: 96 },
};

/** Describes an offer of an answer. Members that the service left out are empty. */
export type Offer = typeof OFFER;

/** Describes an answer of `/api/odata`, with defaults for what it lacked. Delays are in milliseconds. */
export type Answer = typeof ANSWER_DEFAULTS & { offers: Offer[] };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Gives a value the form of a model: members that are missing or of another type come from the model. */
const fit = <T>(model: T, value: unknown): T => {
  if (Array.isArray(model)) return Array.isArray(value) && value[0] ? (value as T) : model;
  if (!isObject(model)) return typeof value === typeof model ? (value as T) : model;
  const given = isObject(value) ? value : {};
  return Object.fromEntries(Object.entries(model).map(([name, part]) => [name, fit(part, given[name])])) as T;
};

/** Tells whether a page may load or link to a URL. Only HTTP is allowed; `javascript:` is not. */
export const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

const canBeShown = ({ title, ctaText, clickUrl, beaconUrl, closeUrl }: Offer): boolean =>
  title !== "" && ctaText !== "" && isWeb(clickUrl) && isWeb(beaconUrl) && isWeb(closeUrl);

/** Reads an answer of `/api/odata` and leaves out offers that cannot be shown. Returns null for anything else. */
export const readAnswer = (value: unknown): Answer | null => {
  if (!isObject(value) || !Array.isArray(value["offers"])) return null;
  const offers = value["offers"].map((offer) => fit(OFFER, offer)).filter(canBeShown);
  return { ...fit(ANSWER_DEFAULTS, value), offers };
};
