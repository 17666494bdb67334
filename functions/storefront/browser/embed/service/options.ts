import type { Offer } from "./answer.ts";
import { languageOf } from "./language.ts";
import type { Closing } from "./tracking.ts";

/** Describes an error: `code` is for programs, the message for people, and details are the service's own. */
export type LanyapError = Error & { code: string; details?: unknown };

/** Describes what `Lanyap.init` takes. Only the key, the placement and an order id or e-mail are required. */
export type Options = {
  publicKey: string;
  placementId: string;
  /**
   * Names the place for offers: an element or a selector. By default it is `#lanyap`, or else right after the script's
   * tag.
   */
  container?: Element | string | null | undefined;
  /** Identifies the session. By default it is the order id, or else the e-mail. */
  sessionId?: string | number | undefined;
  /** Describes order and customer, under the API's names, with or without `at.`. */
  attributes?: Record<string, string | number | null | undefined> | null;
  /** Limits how many offers are shown: an integer above 0, or its text. */
  count?: number | string | undefined;
  /** Names the language, by a tag such as `de-AT`. By default it is that of the attributes, or else of the page. */
  locale?: string | undefined;
  /** Limits the wait for the answer, in milliseconds, from 1 to 2,147,483,647; 8,000 by default. */
  timeout?: number;
  /** Runs when offers have come and will be shown. */
  onReady?: (ready: { count: number; isTestMode: boolean }) => void;
  onShow?: (offer: Offer, index: number) => void;
  onView?: (offer: Offer, index: number) => void;
  /** Runs when the customer accepts an offer. A page that returns false must open `offer.clickUrl` itself. */
  onClick?: (offer: Offer, index: number) => unknown;
  onClose?: (offer: Offer, index: number, reason: Closing) => void;
  /** Runs when there is nothing to show, with the reason. */
  onEmpty?: (reason: string) => void;
  /** Runs when nothing is left to show: the customer has seen every offer, or closed them all. */
  onEnd?: () => void;
  onError?: (error: LanyapError) => void;
  /** Names the element from whose attributes these options come. */
  source?: HTMLElement;
};

/** Returns an error with a code. */
export const problem = (code: string, message: string, details?: unknown): LanyapError =>
  Object.assign(new Error(message), { code, details });

/** Tells whether an error comes from {@link problem}. The browser's own errors have numbers for codes. */
export const isProblem = (error: unknown): error is LanyapError =>
  typeof (error as Partial<LanyapError> | null)?.code === "string";

/** Tells whether the service accepts a text as an order's amount. */
export const isAmount = (text: string): boolean => /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) && Number(text) <= 1e6;

/** Tells whether the service accepts a number of offers to ask for. */
export const isCount = (count: number): boolean => Number.isInteger(count) && count > 0;

/** Returns the API's proper name of an attribute, which may come with or without `at.`, or under another name. */
export const parameterOf = (attribute: string): string =>
  `at.${attribute.replace(/^at\.|_/gi, "").toLowerCase()}`.replace("ordervalue", "amount").replace("mobile", "phone");

/** Says how many offers a page gets if it names no number. */
export const USUAL_COUNT = 4;

/**
 * Reads from options what a request and the texts need. An invalid count counts as left out and makes `isWrong` true,
 * as does an invalid locale. Attributes have the API's names, and the locale is that of the options, the customer, the
 * page or the browser, whichever comes first.
 */
export const settle = ({ attributes, count, locale, sessionId }: Options) => {
  const named = new Map<string, string>();
  const wanted = Number(count ?? USUAL_COUNT);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    const text = String(value ?? "").trim();
    const name = parameterOf(key);
    // As in the service, a proper name wins over its other name.
    if (text && (!named.has(name) || name.endsWith(key.toLowerCase()))) named.set(name, text);
  }
  return {
    session: `${sessionId || named.get("at.orderid") || named.get("at.email") || ""}`,
    attributes: named,
    count: isCount(wanted) ? wanted : USUAL_COUNT,
    locale: locale || named.get("at.language") || document.documentElement.lang || navigator.language || "en",
    isWrong: !isCount(wanted) || Boolean(locale && !languageOf(locale)),
  };
};

/** Holds what {@link settle} returns. */
export type Settled = ReturnType<typeof settle>;
