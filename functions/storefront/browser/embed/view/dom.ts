type Child = Node | string | false | null | undefined;

/** An element with a class, attributes, and children; texts become text nodes and nothing else. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) if (child) made.append(child);
  return made;
};

/** A link that opens in a new tab, and knows nothing of this page. */
export const link = (href: string, attributes: Record<string, string>, ...children: Child[]): HTMLAnchorElement =>
  element("a", { href, target: "_blank", rel: "noopener", ...attributes }, ...children);

/** Sets CSS variables through the object model, which no Content-Security-Policy forbids. */
export const setVariables = (target: HTMLElement, variables: Record<string, string>): void => {
  for (const [name, value] of Object.entries(variables)) target.style.setProperty(`--${name}`, value);
};
