import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../../db/documents/types.ts";
import { offerOf, templateOf } from "../../functions/answer/envelope.ts";
import { SAMPLE_OFFERS } from "../../functions/decision/samples.ts";

const BASE = "https://offers.example";
const candidate: Candidate = {
  ...(SAMPLE_OFFERS[0] as Candidate),
  id: "ofr_1",
  title: "Title",
  header: "Header",
  description: "One line\nand another\r\n<b>&</b>",
  ctaText: "Yes",
  declineButtonText: "No",
  termsUrl: "https://a.example/terms",
  iconUrl: "/icons/tree.svg",
  iconWidth: 96,
  iconHeight: 64,
};

const defaults = {
  adDisplayDelay: 0,
  templateData: {
    brandName: "A Site",
    privacyUrl: "https://offers.example/privacy",
    brandTemplateImageUrl: "https://offers.example/icons/brand.svg",
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

describe("offerOf", () => {
  it("shows what the API names and nothing else", () => {
    expect(offerOf(BASE, candidate, "the.token")).toEqual({
      bannerId: "ofr_1",
      title: "Title",
      header: "Header",
      description: "One line\nand another\r\n<b>&</b>",
      ctaText: "Yes",
      declineButtonText: "No",
      clickUrl: "https://offers.example/click?t=the.token",
      beaconUrl: "https://offers.example/vdata?t=the.token",
      closeUrl: "https://offers.example/close?t=the.token",
      termsUrl: "https://a.example/terms",
      icon: { url: "https://offers.example/icons/tree.svg", width: 96, height: 64 },
    });
  });

  it("leaves out what an offer does not have", () => {
    const bare = offerOf(BASE, { ...candidate, termsUrl: null, iconUrl: null, iconWidth: null, iconHeight: null }, "t");
    expect(Object.keys(bare)).not.toContain("termsUrl");
    expect(Object.keys(bare)).not.toContain("icon");
  });

  it("leaves an icon of another host where it is", () => {
    const elsewhere = { ...candidate, iconUrl: "https://cdn.example/icons/a.png" };
    expect(offerOf(BASE, elsewhere, "t").icon?.url).toBe("https://cdn.example/icons/a.png");
  });
});

describe("templateOf", () => {
  it("is the defaults, with the site's name for a brand, where a placement says nothing", () => {
    expect(templateOf(BASE, "A Site", {})).toEqual(defaults);
  });

  it("takes what a placement says, deep down too, and keeps the rest", () => {
    const data = {
      adDisplayDelay: 1500,
      brandName: "A Brand",
      showPartnership: false,
      toggleCloseButtonDelay: 3000,
      templateConfig: {
        layoutConfig: { gridColumnsDesktop: ["1fr"] },
        linksConfig: { showTermsLink: false },
        footerConfig: { privacyLinkLabel: "" },
      },
    };
    const { templateConfig } = defaults.templateData;
    expect(templateOf(BASE, "A Site", data)).toEqual({
      adDisplayDelay: 1500,
      templateData: {
        ...defaults.templateData,
        brandName: "A Brand",
        showPartnership: false,
        toggleCloseButtonDelay: 3000,
        templateConfig: {
          ...templateConfig,
          layoutConfig: { ...templateConfig.layoutConfig, gridColumnsDesktop: ["1fr"] },
          linksConfig: { ...templateConfig.linksConfig, showTermsLink: false },
          footerConfig: { ...templateConfig.footerConfig, privacyLinkLabel: "" },
        },
      },
    });
  });

  it("has no place for members that it does not know, nor for prototypes", () => {
    const data = JSON.parse(
      '{"unknown":1,"templateData":{"brandName":"x"},"__proto__":{"brandName":"x"},"constructor":{"prototype":{"x":1}},"templateConfig":{"more":{},"__proto__":{"iconConfig":{}}}}',
    ) as Record<string, unknown>;
    expect(templateOf(BASE, "A Site", data)).toEqual(defaults);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  it("keeps its members, changes no input and leaves no trace for the next placement, whatever a placement says", () => {
    const keys = fc.constantFrom(...Object.keys(defaults.templateData), "adDisplayDelay", "__proto__", "toString");
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (data) => {
        const before = structuredClone(data);
        const merged = templateOf(BASE, "A Site", data);
        expect(data).toEqual(before);
        expect(Object.keys(merged)).toEqual(Object.keys(defaults));
        expect(Object.keys(merged.templateData)).toEqual(Object.keys(defaults.templateData));
        expect(templateOf(BASE, "A Site", {})).toEqual(defaults);
      }),
    );
  });
});
