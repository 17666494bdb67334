/** Returns a name for a field that Swagger UI leaves without one. */
const nameOf = (field: Element): string =>
  field.closest<HTMLElement>("[data-param-name]")?.dataset["paramName"] ??
  (field instanceof HTMLTextAreaElement ? "Request body" : "Choice");

/** Names the fields below an element, and makes scrolling parts reachable by keyboard. */
export const nameFields = (root: ParentNode): void => {
  for (const field of root.querySelectorAll("select, textarea, input")) {
    const isNamed =
      field.hasAttribute("aria-label") ||
      (field.id !== "" && root.querySelector(`label[for="${CSS.escape(field.id)}"]`));
    if (!isNamed && !field.closest("label")) field.setAttribute("aria-label", nameOf(field));
  }
  for (const scrolling of root.querySelectorAll<HTMLElement>("pre, .highlight-code")) scrolling.tabIndex = 0;
};
