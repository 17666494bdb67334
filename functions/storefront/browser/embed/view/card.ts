import type { TemplateData } from "../../../../core/template.ts";
import { isWeb, type Offer } from "../service/answer.ts";
import { element, link, picture, setVariables } from "./dom.ts";
import type { Texts } from "./texts.ts";

const SIZES: Record<string, Record<string, string>> = {
  title: { small: "1.125em", medium: "1.25em", large: "1.5em", xlarge: "1.875em" },
  subtitle: { small: "0.8125em", medium: "0.875em", large: "1em", xlarge: "1.125em" },
  description: { small: "0.875em", medium: "1em", large: "1.125em", xlarge: "1.25em" },
};

/** Returns a column's width, limited to the room there is. */
const track = (width: string) => `minmax(0, ${width})`;

/** Sets a placement's lengths and sizes as variables of the style sheet. */
export const applyLayout = (root: HTMLElement, { templateConfig }: TemplateData): void => {
  const { layoutConfig, textConfig } = templateConfig;
  setVariables(root, {
    gap: layoutConfig.gridGap,
    mobile: track(layoutConfig.gridColumnsMobile),
    transform: textConfig.titleTransform,
    title: SIZES["title"]?.[textConfig.titleSize] ?? "1.5em",
    subtitle: SIZES["subtitle"]?.[textConfig.subtitleSize] ?? "0.875em",
    description: SIZES["description"]?.[textConfig.descriptionSize] ?? "1em",
  });
};

/** Groups heading, description and actions into as many cells as there are columns beside the icon, at most three. */
const groups = (columns: number, parts: HTMLElement[]): HTMLElement[][] => {
  const [heading, description, actions] = parts.map((part) => [part]);
  if (!heading || !description || !actions || columns < 2) return [parts];
  return columns === 2 ? [[...heading, ...description], actions] : [heading, description, actions];
};

const mediaOf = ({ icon }: Offer): HTMLElement | null => {
  if (!isWeb(icon.url)) return null;
  const [width, height] = [String(icon.width), String(icon.height)];
  const image = picture(icon.url, { class: "icon", width, height });
  image.addEventListener("error", () => image.classList.add("lost"));
  return element("div", { class: "media" }, image);
};

/** Builds an offer with its buttons, laid out as its placement says. */
export const renderOffer = (offer: Offer, index: number, template: TemplateData, texts: Texts) => {
  const { buttonConfig, iconConfig, layoutConfig } = template.templateConfig;
  const { primaryButtonKind, primaryButtonAppearance, buttonLayoutMobile } = buttonConfig;
  const accept = link(
    offer.clickUrl,
    { class: `button ${primaryButtonKind} ${primaryButtonAppearance}`, rel: "noreferrer sponsored" },
    element("span", { dir: "auto" }, offer.ctaText),
    element("span", { class: "quiet" }, ` (${texts.newTab})`),
  );
  const decline = element(
    "button",
    { class: "button decline", type: "button", dir: "auto" },
    offer.declineButtonText || texts.close,
  );
  const media = iconConfig.showIcon && (index > 0 || template.showFirstOfferIcon) ? mediaOf(offer) : null;
  const widths = layoutConfig.gridColumnsDesktop;
  const columns = media || widths.length === 1 ? widths : widths.slice(1);
  const cells = groups(widths.length - 1, [
    element(
      "div",
      {},
      offer.header && element("p", { class: "header", dir: "auto" }, offer.header),
      element("h2", { class: "title", id: "title", dir: "auto" }, offer.title),
    ),
    element("p", { class: "description", dir: "auto" }, offer.description),
    element("div", { class: "actions" }, accept, decline),
  ]).map((parts) => element("div", { class: "cell" }, ...parts));
  const beside = media && iconConfig.mobilePosition !== "top" ? `beside ${iconConfig.mobilePosition}` : "";
  const wide = widths.length > 2 ? "wide" : "";
  const card = element(
    "article",
    { class: `offer ${buttonLayoutMobile} ${wide} ${beside}`, "aria-labelledby": "title", tabindex: "-1" },
    media,
    ...cells,
  );
  setVariables(card, { columns: columns.map(track).join(" ") });
  return { card, accept, decline };
};
