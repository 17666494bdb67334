import { problem } from "./options.ts";
import type { ANSWER_DEFAULTS, TemplateData } from "../../../../core/template.ts";

/** Lets every member of an answer be missing, at any depth. */
type Loose<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]?: Loose<T[Name]> | undefined }
    : T;

/** Describes an offer of an answer. Some have no icon, header, description or terms. */
export type Offer = {
  bannerId: string;
  title: string;
  header?: string;
  description?: string;
  ctaText: string;
  declineButtonText?: string;
  clickUrl: string;
  beaconUrl: string;
  closeUrl: string;
  termsUrl?: string;
  icon?: { url: string; width: number; height: number };
};

/**
 * Describes an answer of `/api/odata`, as it came, except for offers that cannot be shown. Code that reads a member
 * uses its default if it is missing. Delays are in milliseconds.
 */
export type Answer = Loose<typeof ANSWER_DEFAULTS> & { offers: Offer[]; templateData: Template };

/** Describes how offers look. */
export type Template = Loose<TemplateData>;

/** Tells whether a page may load or link to a URL. Only HTTP is allowed; `javascript:` is not. */
export const isWeb = (url: unknown): url is string => /^https?:\/\//i.test(url as string);

const canBeShown = (offer: Partial<Offer> | null): unknown =>
  offer?.title && offer.ctaText && isWeb(offer.clickUrl) && isWeb(offer.beaconUrl) && isWeb(offer.closeUrl);

/**
 * Reads an answer of `/api/odata` and leaves out offers that cannot be shown.
 *
 * @throws {LanyapError} `MALFORMED` for anything else
 */
export const readAnswer = (value: unknown): Answer => {
  const answer = value as Answer | null;
  if (!Array.isArray(answer?.offers)) throw problem("MALFORMED", "the answer has no offers");
  return { ...answer, templateData: Object(answer.templateData) as Template, offers: answer.offers.filter(canBeShown) };
};
