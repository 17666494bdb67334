/** Describes a control of the panel: a choice, a number, or a switch. */
export type Control = { name: string; label: string } & (
  | { options: readonly string[]; value: string }
  | { number: string }
  | { on: boolean }
);

/** Lists the controls for customer and order. Their names are the API's, without `at.`. */
export const ORDER: readonly Control[] = [
  { name: "country", label: "Country", options: ["US", "CA", "GB", "DE", "AT", "FR", "ES", "MX", "JP"], value: "US" },
  { name: "language", label: "Language", options: ["en", "de", "fr", "es", "ar"], value: "en" },
  { name: "amount", label: "Amount", number: "79.90" },
  {
    name: "currency",
    label: "Currency",
    options: ["USD", "EUR", "GBP", "CAD", "CHF", "MXN", "JPY", "AED"],
    value: "USD",
  },
  { name: "count", label: "Offers at most", options: ["1", "2", "3", "4", "8"], value: "4" },
  { name: "test", label: "Test mode", on: false },
];

const sizes = ["small", "medium", "large", "xlarge"];

/** Lists the controls for how offers look. Their names are paths in `templateData`, `adDisplayDelay`, or the preview. */
export const LOOK: readonly Control[] = [
  { name: "preview", label: "Preview", options: ["desktop", "phone"], value: "desktop" },
  {
    name: "columns",
    label: "Columns",
    options: ["1fr", "1fr 2fr", "1fr 2fr 1fr", "1fr 1fr 2fr 1fr"],
    value: "1fr 2fr",
  },
  { name: "layoutConfig.gridGap", label: "Gap", options: ["8px", "16px", "32px"], value: "16px" },
  { name: "layoutConfig.gridColumnsMobile", label: "Column on phones", options: ["1fr", "260px"], value: "1fr" },
  { name: "iconConfig.mobilePosition", label: "Icon on phones", options: ["top", "left", "right"], value: "top" },
  { name: "textConfig.titleSize", label: "Title", options: sizes, value: "large" },
  { name: "textConfig.subtitleSize", label: "Subtitle", options: sizes, value: "medium" },
  { name: "textConfig.descriptionSize", label: "Description", options: sizes, value: "medium" },
  {
    name: "textConfig.titleTransform",
    label: "Title’s letters",
    options: ["none", "uppercase", "lowercase", "capitalize"],
    value: "none",
  },
  {
    name: "buttonConfig.primaryButtonKind",
    label: "Button",
    options: ["primary", "secondary", "tertiary"],
    value: "primary",
  },
  {
    name: "buttonConfig.primaryButtonAppearance",
    label: "Button’s look",
    options: ["filled", "outline", "text"],
    value: "filled",
  },
  {
    name: "buttonConfig.buttonLayoutMobile",
    label: "Buttons on phones",
    options: ["stacked", "inline"],
    value: "stacked",
  },
  { name: "adDisplayDelay", label: "Delay (ms)", number: "0" },
  { name: "toggleCloseButtonDelay", label: "Close button after (ms)", number: "0" },
  { name: "iconConfig.showIcon", label: "Icons", on: true },
  { name: "showFirstOfferIcon", label: "First offer’s icon", on: true },
  { name: "linksConfig.showTermsLink", label: "Terms", on: true },
  { name: "linksConfig.showDisclaimerLink", label: "Disclaimer", on: true },
  { name: "showPartnership", label: "Partner label", on: true },
  { name: "footerConfig.showPartnership", label: "“Offers by”", on: true },
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
