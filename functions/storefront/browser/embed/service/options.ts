import type { Offer } from "./answer.ts";

/** What went wrong: `code` is for programs, the message for people. */
export type LanyapError = Error & { code: string };

/** What `Lanyap.init` takes. Only the key, the placement and an order id or e-mail are required. */
export type Options = {
  publicKey: string;
  placementId: string;
  /** Where offers go: an element or a selector. Otherwise `#lanyap`, or else the end of the page. */
  container?: Element | string | null | undefined;
  /** Otherwise the order id or else the e-mail. */
  sessionId?: string | undefined;
  /** Facts about order and customer, named as in the API, with or without `at.`. */
  attributes?: Record<string, string | number | null | undefined> | null;
  count?: number | undefined;
  /** A language tag such as `de-AT`; otherwise that of the attributes or else of the page. */
  locale?: string | undefined;
  /** Milliseconds to wait for the answer; 8 seconds when left out. */
  timeout?: number;
  /** Offers are there and will be shown. */
  onReady?: (ready: { count: number; isTestMode: boolean }) => void;
  onShow?: (offer: Offer, index: number) => void;
  onView?: (offer: Offer, index: number) => void;
  /** An offer was accepted. Whoever returns false opens `offer.clickUrl` by other means. */
  onClick?: (offer: Offer, index: number) => unknown;
  onClose?: (offer: Offer, index: number, reason: "decline" | "close") => void;
  /** Nothing to show, and why. */
  onEmpty?: (reason: string) => void;
  /** Nothing is left to show: the customer has seen every offer, or closed them. */
  onEnd?: () => void;
  onError?: (error: LanyapError) => void;
};

/** An error with a code. */
export const problem = (code: string, message: string): LanyapError => Object.assign(new Error(message), { code });

/** Whether an error is one of {@link problem}; errors of the browser's own have numbers for codes. */
export const isProblem = (error: unknown): error is LanyapError =>
  typeof (error as Partial<LanyapError> | null)?.code === "string";

/** The attributes under the names that the API has for them, without those that say nothing. */
export const attributesOf = ({ attributes }: Options): Map<string, string> => {
  const named = new Map<string, string>();
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === "") continue;
    named.set(`at.${name.replace(/^at\./i, "").toLowerCase()}`, String(value));
  }
  return named;
};

/** The language to speak: what was asked for, the customer's, the page's, the browser's. */
export const localeOf = (options: Options): string =>
  options.locale ||
  attributesOf(options).get("at.language") ||
  document.documentElement.lang ||
  navigator.language ||
  "en";

/** The options that an element's `data-*` attributes name; `data-at-country` is the attribute `country`. */
export const optionsOf = (element: HTMLElement): Options => {
  const { publicKey = "", placementId = "", container, sessionId, locale, count } = element.dataset;
  const attributes: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(element.dataset)) {
    if (/^at[A-Z]/.test(name)) attributes[name.slice(2)] = value;
  }
  return { publicKey, placementId, container, sessionId, locale, attributes, count: count ? Number(count) : undefined };
};
