/** Says what a field is called that Swagger UI leaves without a name. */
const nameOf = (field: Element): string =>
  field.closest<HTMLElement>("[data-param-name]")?.dataset["paramName"] ??
  (field instanceof HTMLTextAreaElement ? "Body of the request" : "Choice");

/** Gives names to the fields below an element, and lets what scrolls be reached by keyboard. */
export const nameFields = (root: ParentNode): void => {
  for (const field of root.querySelectorAll("select, textarea, input")) {
    const isNamed =
      field.hasAttribute("aria-label") ||
      (field.id !== "" && root.querySelector(`label[for="${CSS.escape(field.id)}"]`));
    if (!isNamed && !field.closest("label")) field.setAttribute("aria-label", nameOf(field));
  }
  for (const scrolling of root.querySelectorAll<HTMLElement>("pre, .highlight-code")) scrolling.tabIndex = 0;
};
