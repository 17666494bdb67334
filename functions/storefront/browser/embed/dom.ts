import type { Texts } from "./view/texts.ts";

type Attributes = Record<string, string | number>;
type Child = Node | string | false | null | undefined;

/** Creates an element with attributes and children. Texts become text nodes, never markup. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value as string);
  for (const child of children) if (child) made.append(child);
  return made;
};

/**
 * Creates a link that opens in a new tab, which has no access to this page and does not learn its address.
 *
 * @param texts say, for those who cannot see it, that a tab opens
 */
export const link = (
  href: string,
  label: string,
  { newTab, language }: Pick<Texts, "newTab" | "language">,
  attributes?: Attributes,
): HTMLAnchorElement =>
  element(
    "a",
    { href, target: "_blank", rel: "noreferrer", ...attributes },
    element("span", { dir: "auto" }, label),
    element("span", { class: "quiet", lang: language }, ` (${newTab})`),
  );

/** Creates a picture beside a text. Its server does not learn which page shows it. */
export const picture = (src: string, attributes: Attributes): HTMLImageElement =>
  element("img", { referrerpolicy: "no-referrer", alt: "", ...attributes, src });

/**
 * Sets the script's own CSS variables, whose names begin with `l-`, so that none is a property that the page has
 * registered. It uses the object model, which every Content-Security-Policy allows.
 */
export const setVariables = (target: HTMLElement, variables: Record<string, string>): void => {
  for (const [name, value] of Object.entries(variables)) target.style.setProperty(`--l-${name}`, value);
};
