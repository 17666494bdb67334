import type { Offer } from "./answer.ts";

/** Describes an error: `code` is for programs, the message for people. */
export type LanyapError = Error & { code: string };

/** Describes what `Lanyap.init` takes. Only the key, the placement and an order id or e-mail are required. */
export type Options = {
  publicKey: string;
  placementId: string;
  /** Names the place for offers: an element or a selector. By default it is `#lanyap`, or else the end of the page. */
  container?: Element | string | null | undefined;
  /** Identifies the session. By default it is the order id, or else the e-mail. */
  sessionId?: string | undefined;
  /** Describes order and customer, under the API's names, with or without `at.`. */
  attributes?: Record<string, string | number | null | undefined> | null;
  count?: number | undefined;
  /** Names the language, by a tag such as `de-AT`. By default it is that of the attributes, or else of the page. */
  locale?: string | undefined;
  /** Limits the wait for the answer, in milliseconds; 8,000 by default. */
  timeout?: number;
  /** Runs when offers have come and will be shown. */
  onReady?: (ready: { count: number; isTestMode: boolean }) => void;
  onShow?: (offer: Offer, index: number) => void;
  onView?: (offer: Offer, index: number) => void;
  /** Runs when the customer accepts an offer. A page that returns false must open `offer.clickUrl` itself. */
  onClick?: (offer: Offer, index: number) => unknown;
  onClose?: (offer: Offer, index: number, reason: "decline" | "close") => void;
  /** Runs when there is nothing to show, with the reason. */
  onEmpty?: (reason: string) => void;
  /** Runs when nothing is left to show: the customer has seen every offer, or closed them all. */
  onEnd?: () => void;
  onError?: (error: LanyapError) => void;
};

/** Returns an error with a code. */
export const problem = (code: string, message: string): LanyapError => Object.assign(new Error(message), { code });

/** Tells whether an error comes from {@link problem}. The browser's own errors have numbers for codes. */
export const isProblem = (error: unknown): error is LanyapError =>
  typeof (error as Partial<LanyapError> | null)?.code === "string";

/** Returns the attributes that have a value, under the API's names for them. */
export const attributesOf = ({ attributes }: Options): Map<string, string> => {
  const named = new Map<string, string>();
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === "") continue;
    named.set(`at.${name.replace(/^at\./i, "").toLowerCase()}`, String(value));
  }
  return named;
};

/** Returns the language to speak: that of the options, the customer, the page or the browser, whichever comes first. */
export const localeOf = (options: Options): string =>
  options.locale ||
  attributesOf(options).get("at.language") ||
  document.documentElement.lang ||
  navigator.language ||
  "en";

/** Reads options from an element's `data-*` attributes. `data-at-country` becomes the attribute `country`. */
export const optionsOf = (element: HTMLElement): Options => {
  const { publicKey = "", placementId = "", container, sessionId, locale, count } = element.dataset;
  const attributes: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(element.dataset)) {
    if (/^at[A-Z]/.test(name)) attributes[name.slice(2)] = value;
  }
  return { publicKey, placementId, container, sessionId, locale, attributes, count: count ? Number(count) : undefined };
};
