import type { Candidate } from "../../db/documents/types.ts";
import type { SiteStatus } from "../../db/schema/values.ts";
import { ANSWER_DEFAULTS, type TemplateData } from "../core/template.ts";
import { isObject } from "../core/objects.ts";

/** Describes an offer as it is answered (API.md, "Offer in an answer"). */
export type Offer = {
  bannerId: string;
  title: string;
  header: string;
  description: string;
  ctaText: string;
  declineButtonText: string;
  clickUrl: string;
  beaconUrl: string;
  closeUrl: string;
  termsUrl?: string;
  icon?: { url: string; width: number; height: number };
};

/** Describes the answer to a request for offers (API.md, "GET /api/odata"). */
export type Envelope = {
  offers: Offer[];
  adDisplayDelay: number;
  isTestMode: boolean;
  siteStatus: SiteStatus;
  templateData: TemplateData;
};

const defaults = (base: string, brandName: string): Pick<Envelope, "adDisplayDelay"> & TemplateData => ({
  adDisplayDelay: ANSWER_DEFAULTS.adDisplayDelay,
  ...ANSWER_DEFAULTS.templateData,
  brandName,
  privacyUrl: `${base}/privacy`,
  brandTemplateImageUrl: `${base}/icons/brand.svg`,
});

/** Returns `base` with those of its members replaced that `over` has, too; objects are merged. */
const merge = <T>(base: T, over: unknown): T => {
  if (!isObject(base) || !isObject(over)) return over === undefined ? base : (over as T);
  const merged = Object.entries(base).map(([name, value]) => [
    name,
    merge(value, Object.hasOwn(over, name) ? over[name] : undefined),
  ]);
  return Object.fromEntries(merged) as T;
};

/**
 * Returns the part of an answer that a placement decides: the defaults, overridden by the placement's `data`.
 *
 * @param base address of the service, without a slash at its end
 * @param data validated when it was stored; members that the defaults do not know are left out
 */
export const templateOf = (base: string, siteName: string, data: Record<string, unknown>) => {
  const { adDisplayDelay, ...templateData } = merge(defaults(base, siteName), data);
  return { adDisplayDelay, templateData };
};

const absolute = (base: string, url: string): string => (url.startsWith("/") ? base + url : url);

/**
 * Makes an offer as it is answered.
 *
 * @param base address of the service, without a slash at its end
 * @param token the offer's tracking token; made of characters that need no encoding
 */
export const offerOf = (base: string, candidate: Candidate, token: string): Offer => {
  const { iconUrl, iconWidth, iconHeight, termsUrl } = candidate;
  return {
    bannerId: candidate.id,
    title: candidate.title,
    header: candidate.header,
    description: candidate.description,
    ctaText: candidate.ctaText,
    declineButtonText: candidate.declineButtonText,
    clickUrl: `${base}/click?t=${token}`,
    beaconUrl: `${base}/vdata?t=${token}`,
    closeUrl: `${base}/close?t=${token}`,
    ...(termsUrl === null ? {} : { termsUrl }),
    ...(iconUrl === null || iconWidth === null || iconHeight === null
      ? {}
      : { icon: { url: absolute(base, iconUrl), width: iconWidth, height: iconHeight } }),
  };
};
