import { ANSWER_DEFAULTS } from "../../../core/template.ts";

/** Describes a control of the panel: a choice, a number, or a switch. */
export type Control = { name: string; label: string } & (
  | { options: readonly string[]; value: string }
  | { number: string; most?: number }
  | { on: boolean }
);

/** Lists the controls for customer and order. Their names are the API's, without `at.`. */
export const ORDER: readonly Control[] = [
  { name: "country", label: "Country", options: ["US", "CA", "GB", "DE", "AT", "FR", "ES", "MX", "JP"], value: "US" },
  { name: "language", label: "Language", options: ["en", "de", "fr", "es", "ar"], value: "en" },
  { name: "amount", label: "Amount", number: "79.90", most: 1_000_000 },
  {
    name: "currency",
    label: "Currency",
    options: ["USD", "EUR", "GBP", "CAD", "CHF", "MXN", "JPY", "AED"],
    value: "USD",
  },
  { name: "count", label: "Offers at most", options: ["1", "2", "3", "4", "8"], value: "4" },
  { name: "test", label: "Test mode", on: false },
];

const { templateData: template } = ANSWER_DEFAULTS;
const { iconConfig, textConfig, layoutConfig, buttonConfig, linksConfig, footerConfig } = template.templateConfig;

const sizes = ["small", "medium", "large", "xlarge"];

/** Lists the controls for how offers look. Their names are paths in `templateData`, `adDisplayDelay`, or the preview. */
export const LOOK: readonly Control[] = [
  { name: "preview", label: "Preview", options: ["desktop", "phone"], value: "desktop" },
  {
    name: "columns",
    label: "Columns",
    options: ["1fr", "1fr 2fr", "1fr 2fr 1fr", "1fr 1fr 2fr 1fr"],
    value: layoutConfig.gridColumnsDesktop.join(" "),
  },
  { name: "layoutConfig.gridGap", label: "Gap", options: ["8px", "16px", "32px"], value: layoutConfig.gridGap },
  {
    name: "layoutConfig.gridColumnsMobile",
    label: "Column on phones",
    options: ["1fr", "260px"],
    value: layoutConfig.gridColumnsMobile,
  },
  {
    name: "iconConfig.mobilePosition",
    label: "Icon on phones",
    options: ["top", "left", "right"],
    value: iconConfig.mobilePosition,
  },
  { name: "textConfig.titleSize", label: "Title", options: sizes, value: textConfig.titleSize },
  { name: "textConfig.subtitleSize", label: "Subtitle", options: sizes, value: textConfig.subtitleSize },
  { name: "textConfig.descriptionSize", label: "Description", options: sizes, value: textConfig.descriptionSize },
  {
    name: "textConfig.titleTransform",
    label: "Title’s letters",
    options: ["none", "uppercase", "lowercase", "capitalize"],
    value: textConfig.titleTransform,
  },
  {
    name: "buttonConfig.primaryButtonKind",
    label: "Button",
    options: ["primary", "secondary", "tertiary"],
    value: buttonConfig.primaryButtonKind,
  },
  {
    name: "buttonConfig.primaryButtonAppearance",
    label: "Button’s look",
    options: ["filled", "outline", "text"],
    value: buttonConfig.primaryButtonAppearance,
  },
  {
    name: "buttonConfig.buttonLayoutMobile",
    label: "Buttons on phones",
    options: ["stacked", "inline"],
    value: buttonConfig.buttonLayoutMobile,
  },
  { name: "adDisplayDelay", label: "Delay (ms)", number: String(ANSWER_DEFAULTS.adDisplayDelay) },
  { name: "toggleCloseButtonDelay", label: "Close button after (ms)", number: String(template.toggleCloseButtonDelay) },
  { name: "iconConfig.showIcon", label: "Icons", on: iconConfig.showIcon },
  { name: "showFirstOfferIcon", label: "First offer’s icon", on: template.showFirstOfferIcon },
  { name: "linksConfig.showTermsLink", label: "Terms", on: linksConfig.showTermsLink },
  { name: "linksConfig.showDisclaimerLink", label: "Disclaimer", on: linksConfig.showDisclaimerLink },
  { name: "showPartnership", label: "Partner label", on: template.showPartnership },
  { name: "footerConfig.showPartnership", label: "“Offers by”", on: footerConfig.showPartnership },
];

export type Values = ReadonlyMap<string, string | number | boolean>;

/** Reads the panel's controls, by name. */
export const readValues = (form: HTMLFormElement): Values => {
  const values = new Map<string, string | number | boolean>();
  for (const control of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")) {
    if (control instanceof HTMLSelectElement) values.set(control.name, control.value);
    else values.set(control.name, control.type === "checkbox" ? control.checked : Number(control.value) || 0);
  }
  return values;
};
