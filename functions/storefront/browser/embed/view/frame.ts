import { isWeb, type Answer, type Offer, type Template } from "../service/answer.ts";
import { applyLayout } from "./card.ts";
import { element, link, picture } from "../dom.ts";
import { applyStyles } from "./style-sheet.ts";
import type { Texts } from "./texts.ts";

/** Holds the parts around an answer's offers, which stay while one offer follows another. */
export type Frame = ReturnType<typeof makeFrame>;

/** Builds the links and notes under an offer. */
export const renderFoot = (offer: Offer, template: Template, texts: Texts): HTMLElement => {
  const { linksConfig, footerConfig } = template.templateConfig ?? {};
  return element(
    "footer",
    { class: "foot" },
    linksConfig?.showTermsLink !== false && isWeb(offer.termsUrl) && link(offer.termsUrl, texts.terms, texts),
    linksConfig?.showDisclaimerLink !== false &&
      element("details", {}, element("summary", {}, texts.disclaimer), element("p", { dir: "auto" }, texts.why)),
    isWeb(template.privacyUrl) && link(template.privacyUrl, texts.privacy(footerConfig?.privacyLinkLabel), texts),
    footerConfig?.showPartnership !== false && element("span", { class: "by" }, texts.by),
  );
};

/** Builds the frame in its own shadow root, which is not yet in the page. */
export const makeFrame = ({ templateData, isTestMode }: Answer, texts: Texts) => {
  const { brandName, brandTemplateImageUrl, showPartnership } = templateData;
  const host = element("div", {});
  const shadow = host.attachShadow({ mode: "open" });
  const close = element("button", { class: "close", type: "button", "aria-label": texts.close });
  const count = element("span", { class: "count", dir: "auto" });
  const status = element("p", { class: "quiet", role: "status", tabindex: "-1" });
  const brand = isWeb(brandTemplateImageUrl) && picture(brandTemplateImageUrl, { class: "brand" });
  if (brand) brand.addEventListener("error", () => brand.remove());
  const body = element("div", {});
  const card = element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "bar" },
      element(
        "div",
        { class: "who" },
        brand,
        brandName && element("span", { class: "name", dir: "auto" }, brandName),
        showPartnership !== false && element("span", { class: "chip" }, texts.partner),
        isTestMode && element("span", { class: "chip test" }, texts.test),
      ),
      count,
      close,
    ),
    body,
  );
  const root = element(
    "section",
    { class: "root", lang: texts.language, dir: texts.direction, "aria-label": texts.region },
    card,
    status,
  );
  applyStyles(shadow);
  applyLayout(root, templateData);
  shadow.append(root);
  return { host, shadow, root, card, body, count, close, status };
};
