/** Describes what plugins of Swagger UI get: its React, and a way to its components by name. */
type Component = unknown;
type Properties = Record<string, unknown>;
export type System = {
  React: { createElement: (type: Component, properties: Properties | null, ...children: unknown[]) => unknown };
  getComponent: (name: string, container?: boolean | "root") => Component;
};

/**
 * Replaces parts of Swagger UI, so that the page has one heading, one main part, and no link inside a button. What the
 * address names is opened all the same.
 */
export const ownParts = ({ React: { createElement }, getComponent }: System) => ({
  components: {
    DeepLink: ({ text }: { text: string }) => createElement("span", null, text),
    Parts: () => {
      const part = (name: string, container: boolean) => createElement(getComponent(name, container), null);
      return createElement(
        "div",
        { className: "swagger-ui" },
        createElement(
          "div",
          { className: "tools" },
          part("FilterContainer", true),
          part("AuthorizeBtnContainer", true),
        ),
        part("SvgAssets", false),
        part("errors", true),
        createElement("h2", null, "Endpoints"),
        part("operations", true),
      );
    },
  },
});
