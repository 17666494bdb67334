import { isSame } from "./same.ts";

/** Describes a member of a placement's `data`: its path, and how it is set. */
export type Look = {
  path: string;
  text: string;
  group: string;
  kind: "text" | "url" | "milliseconds" | "flag" | "choice" | "columns" | "length";
  choices?: readonly string[];
  hint?: string;
};

type Json = Record<string, unknown>;

const SIZES = ["small", "medium", "large", "xlarge"];
const CONFIG = "templateConfig";

const flag = (group: string, path: string, text: string): Look => ({ path, text, group, kind: "flag" });
const choice = (group: string, path: string, text: string, choices: readonly string[]): Look => ({
  path: `${CONFIG}.${path}`,
  text,
  group,
  kind: "choice",
  choices,
});

/** Lists every member of `data` (functions/storefront/README.md, "Every member"), in the order of the form. */
export const LOOKS: readonly Look[] = [
  {
    path: "brandName",
    text: "Name above the offers",
    group: "Brand",
    kind: "text",
    hint: "Left empty, it is the site’s name",
  },
  {
    path: "brandTemplateImageUrl",
    text: "Picture beside the name",
    group: "Brand",
    kind: "url",
    hint: "An address of a small picture",
  },
  {
    path: "privacyUrl",
    text: "Privacy page",
    group: "Brand",
    kind: "url",
    hint: "Left empty, it is the service’s own",
  },
  {
    path: `${CONFIG}.footerConfig.privacyLinkLabel`,
    text: "Text of the privacy link",
    group: "Brand",
    kind: "text",
    hint: "Left empty, “Privacy policy” in the customer’s language",
  },
  flag("Brand", "showPartnership", "Label “Partner offer”"),
  flag("Brand", `${CONFIG}.footerConfig.showPartnership`, "“Offers by Lanyap” at the end"),
  choice("Texts", "textConfig.titleSize", "Title", SIZES),
  choice("Texts", "textConfig.subtitleSize", "Line above the title", SIZES),
  choice("Texts", "textConfig.descriptionSize", "Description", SIZES),
  choice("Texts", "textConfig.titleTransform", "Letter case of the title", [
    "none",
    "uppercase",
    "lowercase",
    "capitalize",
  ]),
  flag("Texts", `${CONFIG}.linksConfig.showTermsLink`, "Link to the terms"),
  flag("Texts", `${CONFIG}.linksConfig.showDisclaimerLink`, "“Disclaimer”"),
  {
    path: `${CONFIG}.layoutConfig.gridColumnsDesktop`,
    text: "Columns",
    group: "Layout",
    kind: "columns",
    hint: "One to four widths, such as 1fr 2fr",
  },
  {
    path: `${CONFIG}.layoutConfig.gridColumnsMobile`,
    text: "Column on phones",
    group: "Layout",
    kind: "length",
    hint: "Such as 1fr or 260px",
  },
  {
    path: `${CONFIG}.layoutConfig.gridGap`,
    text: "Space between columns",
    group: "Layout",
    kind: "length",
    hint: "Such as 16px",
  },
  flag("Layout", `${CONFIG}.iconConfig.showIcon`, "Icons of offers"),
  flag("Layout", "showFirstOfferIcon", "Icon of the first offer"),
  choice("Layout", "iconConfig.mobilePosition", "Icon on phones", ["top", "left", "right"]),
  choice("Buttons", "buttonConfig.primaryButtonKind", "Colour of “accept”", ["primary", "secondary", "tertiary"]),
  choice("Buttons", "buttonConfig.primaryButtonAppearance", "Look of “accept”", ["filled", "outline", "text"]),
  choice("Buttons", "buttonConfig.buttonLayoutMobile", "Buttons on phones", ["stacked", "inline"]),
  { path: "adDisplayDelay", text: "Wait before offers appear", group: "Timing", kind: "milliseconds", hint: "In ms" },
  {
    path: "toggleCloseButtonDelay",
    text: "Wait before the close button appears",
    group: "Timing",
    kind: "milliseconds",
    hint: "In ms",
  },
];

/** Names the groups of the form, in their order. */
export const LOOK_GROUPS: readonly string[] = [...new Set(LOOKS.map(({ group }) => group))];

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value at a path; undefined if there is none. */
export const valueAt = (data: Json, path: string): unknown =>
  path.split(".").reduce<unknown>((at, name) => (isJson(at) ? at[name] : undefined), data);

/**
 * Returns a copy with a value at a path, or without it if the value is undefined; objects left empty are removed, too.
 */
export const withValue = (data: Json, path: string, value: unknown): Json => {
  const [name = "", ...rest] = path.split(".");
  const below = data[name];
  const next = rest.length === 0 ? value : withValue(isJson(below) ? below : {}, rest.join("."), value);
  const { [name]: _, ...others } = data;
  const isGone = next === undefined || (rest.length > 0 && isJson(next) && Object.keys(next).length === 0);
  return isGone ? others : { ...others, [name]: next };
};

/** Writes a value for its field; an empty text means the default. */
export const fieldText = ({ kind }: Look, value: unknown): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  return kind === "columns" && Array.isArray(value) ? value.join(" ") : JSON.stringify(value);
};

/** Reads what was put into a field; undefined means the default. */
export const fieldValue = ({ kind }: Look, text: string): unknown => {
  if (text.trim() === "") return undefined;
  if (kind === "columns") return text.trim().split(/\s+/);
  if (kind === "flag") return text === "true";
  return kind === "milliseconds" ? Number(text) : text;
};

/** Returns what a refusal says about a look, or about one of its entries, such as a second column. */
export const wrongOf = (wrong: Record<string, string>, { path }: Look): string | undefined => {
  const field = `data.${path}`;
  return wrong[field] ?? Object.entries(wrong).find(([name]) => name.startsWith(`${field}.`))?.[1];
};

/**
 * Returns what a field shows: what was typed, as long as it means the value, so that spaces stay while more is typed.
 */
export const shownText = (look: Look, value: unknown, typed: string): string =>
  isSame(fieldValue(look, typed), value) ? typed : fieldText(look, value);

/** Merges values over others, member by member. */
export const laidOver = (base: Json, over: Json): Json => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(over).map(([name, value]) => {
      const below = base[name];
      return [name, isJson(value) && isJson(below) ? laidOver(below, value) : value];
    }),
  ),
});

/** Returns the lines that a shop pastes to show the offers of a placement. */
export const snippetOf = (origin: string, publicKey: string, placementId: string): string =>
  `<div id="lanyap" style="font-size: medium; min-height: clamp(24em, (36em - 100vw) * 99, 40em)"></div>
<script async src="${origin}/embed.js"
  data-public-key="${publicKey}"
  data-placement-id="${placementId}"
  data-at-orderid="1001"
  data-at-email="customer@example.com"></script>`;
