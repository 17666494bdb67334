/**
 * Holds the defaults of what a placement's `data` may set: the service answers with them, and the storefront script
 * uses them for what an answer lacks. Delays are in milliseconds; the service fills in what is empty.
 */
export const ANSWER_DEFAULTS = {
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
      footerConfig: { showPartnership: true, privacyLinkLabel: "Privacy policy" },
    },
  },
};

/** Describes how offers look (storefront/README.md, "Every member"). */
export type TemplateData = typeof ANSWER_DEFAULTS.templateData;
