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

const ANSWER = {
  isTestMode: false,
  adDisplayDelay: 0,
  templateData: {
    brandName: "",
    privacyUrl: "",
    brandTemplateImageUrl: "",
    toggleCloseButtonDelay: 0,
    showFirstOfferIcon: true,
    showPartnership: true,
    templateConfig: {
      iconConfig: { mobilePosition: "top", showIcon: true },
      textConfig: { titleSize: "large", subtitleSize: "medium", descriptionSize: "medium", titleTransform: "none" },
      layoutConfig: { gridColumnsDesktop: ["1fr", "2fr"], gridColumnsMobile: "1fr", gridGap: "16px" },
      buttonConfig: { primaryButtonKind: "primary", primaryButtonAppearance: "filled", buttonLayoutMobile: "stacked" },
      linksConfig: { showTermsLink: true, showDisclaimerLink: true },
      footerConfig: { showPartnership: true, privacyLinkLabel: "" },
    },
  },
};

/** An offer as `/api/odata` answers it; what it lacks is empty. */
export type Offer = typeof OFFER;

/** What a placement decides of how offers look. */
export type TemplateData = typeof ANSWER.templateData;

/** An answer of `/api/odata`, complete whatever it lacked. Delays are in milliseconds. */
export type Answer = typeof ANSWER & { offers: Offer[] };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A value in the form of a model: what is missing or of another type comes from the model. */
const fit = <T>(model: T, value: unknown): T => {
  if (Array.isArray(model)) return Array.isArray(value) && value[0] ? (value as T) : model;
  if (!isObject(model)) return typeof value === typeof model ? (value as T) : model;
  const given = isObject(value) ? value : {};
  return Object.fromEntries(Object.entries(model).map(([name, part]) => [name, fit(part, given[name])])) as T;
};

/** Whether a page may load or link to a URL: never `javascript:` or anything else but HTTP. */
export const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

const canBeShown = ({ title, ctaText, clickUrl, beaconUrl, closeUrl }: Offer): boolean =>
  title !== "" && ctaText !== "" && isWeb(clickUrl) && isWeb(beaconUrl) && isWeb(closeUrl);

/** Reads an answer of `/api/odata` without the offers that cannot be shown; null when it is no answer at all. */
export const readAnswer = (value: unknown): Answer | null => {
  if (!isObject(value) || !Array.isArray(value["offers"])) return null;
  const offers = value["offers"].map((offer) => fit(OFFER, offer)).filter(canBeShown);
  return { ...fit(ANSWER, value), offers };
};
