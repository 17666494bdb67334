import { isWeb, type Offer, type Template } from "../service/answer.ts";
import { element, link, picture, setVariables } from "../dom.ts";
import type { Texts } from "./texts.ts";

/** Returns the size for a name, by its first letter: one of the four given, and the third without a name. */
const size = (name = "", ...sizes: [number, number, number, number]): string =>
  `${sizes["smlx".indexOf(name[0] as string)] ?? sizes[2]}em`;

/** Returns a column's width, limited to the room that is there. */
const track = (width = "1fr") => `minmax(0, ${width})`;

/** Sets a placement's lengths and sizes as variables of the style sheet. */
export const applyLayout = (root: HTMLElement, { templateConfig }: Template): void => {
  const { layoutConfig, textConfig } = templateConfig ?? {};
  setVariables(root, {
    gap: layoutConfig?.gridGap ?? "1em",
    mobile: track(layoutConfig?.gridColumnsMobile),
    transform: textConfig?.titleTransform ?? "none",
    title: size(textConfig?.titleSize, 1.125, 1.25, 1.5, 1.875),
    subtitle: size(textConfig?.subtitleSize, 0.8125, 0.875, 1, 1.125),
    description: size(textConfig?.descriptionSize, 0.875, 1, 1.125, 1.25),
  });
};

/** Groups heading, description and actions into as many cells as there are columns beside the icon, at most three. */
const groups = (columns: number, [heading, description, actions]: [HTMLElement, HTMLElement, HTMLElement]) => {
  if (columns < 2) return [[heading, description, actions]];
  return columns < 3 ? [[heading, description], [actions]] : [[heading], [description], [actions]];
};

const mediaOf = ({ icon }: Offer): HTMLElement | null => {
  if (!isWeb(icon?.url)) return null;
  const image = picture(icon.url, { class: "icon", width: icon.width, height: icon.height });
  image.addEventListener("error", () => (image.style.visibility = "hidden"));
  return element("div", { class: "media" }, image);
};

/** Builds an offer with its buttons, laid out as its placement says. */
export const renderOffer = (offer: Offer, index: number, template: Template, texts: Texts) => {
  const { buttonConfig, iconConfig, layoutConfig } = template.templateConfig ?? {};
  const { primaryButtonKind = "primary", primaryButtonAppearance = "filled" } = buttonConfig ?? {};
  const accept = link(offer.clickUrl, offer.ctaText, texts, {
    class: `button ${primaryButtonKind} ${primaryButtonAppearance}`,
    rel: "noreferrer sponsored",
  });
  const decline = element(
    "button",
    { class: "button decline", type: "button", dir: "auto" },
    offer.declineButtonText || texts.close,
  );
  const media =
    iconConfig?.showIcon !== false && (index || template.showFirstOfferIcon !== false) ? mediaOf(offer) : null;
  const asked = layoutConfig?.gridColumnsDesktop;
  const widths = Array.isArray(asked) && asked[0] ? asked : ["1fr", "2fr"];
  const columns = media || widths.length === 1 ? widths : widths.slice(1);
  const side = iconConfig?.mobilePosition ?? "top";
  const cells = groups(widths.length - 1, [
    element(
      "div",
      {},
      offer.header && element("p", { class: "header", dir: "auto" }, offer.header),
      element("h2", { id: "title", dir: "auto" }, offer.title),
    ),
    element("p", { class: "description", dir: "auto" }, offer.description),
    element("div", { class: "actions" }, accept, decline),
  ]).map((parts) => element("div", { class: "cell" }, ...parts));
  const beside = media && side !== "top" ? `beside ${side}` : "";
  const wide = widths.length > 2 ? "wide" : "";
  const card = element(
    "article",
    {
      class: `offer ${buttonConfig?.buttonLayoutMobile ?? "stacked"} ${wide} ${beside}`,
      lang: texts.locale,
      "aria-labelledby": "title",
      tabindex: "-1",
    },
    media,
    ...cells,
  );
  setVariables(card, { columns: columns.map(track).join(" ") });
  return { card, accept, decline };
};
