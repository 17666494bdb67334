import { clientOf, curlOf, type Operation, type Shown } from "./examples.ts";

/** Describes what Swagger UI passes to plugins: its React, and a function that finds its components by name. */
type Component = unknown;
type Properties = Record<string, unknown>;
type Create = (type: Component, properties: Properties | null, ...children: unknown[]) => unknown;
export type System = {
  React: { Fragment: Component; createElement: Create };
  getComponent: (name: string, container?: boolean | "root") => Component;
};

/**
 * Replaces parts of Swagger UI, so that the page has one heading, one main part, and no link inside a button. What the
 * address names is still opened.
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

type Description = { paths: Record<string, Record<string, Operation>> };
type Place = { path: string; method: string; specSelectors: { specJson: () => { toJS: () => unknown } } };

const read = new WeakMap<object, Description>();

/** Reads the description out of Swagger UI's own form of it, once. */
const descriptionOf = ({ specSelectors }: Place): Description => {
  const own = specSelectors.specJson();
  const known = read.get(own) ?? (own.toJS() as Description);
  read.set(own, known);
  return known;
};

const example = (createElement: Create, name: string, code: string) => [
  createElement("h5", null, name),
  createElement("pre", { tabIndex: 0 }, createElement("code", null, code)),
];

/**
 * Shows an example for a shell and one for the typed client, between an operation's parameters and its answers.
 *
 * @param tokens credentials by their schemes, where the page knows some
 */
export const withExamples =
  (tokens: Readonly<Record<string, string>>) =>
  ({ React: { createElement, Fragment } }: System) => ({
    wrapComponents: {
      responses: (Responses: Component) => (properties: Place & Properties) => {
        const { paths } = descriptionOf(properties);
        const shownAt = (path: string, method: string): Shown | null => {
          const operation = paths[path]?.[method];
          return operation ? { operation, path, method, url: location.origin, tokens } : null;
        };
        const shown = shownAt(properties.path, properties.method);
        const offers = shownAt("/api/odata", "get");
        const answers = createElement(Responses, properties);
        if (!shown || !offers) return answers;
        const examples = createElement(
          "div",
          { className: "examples" },
          createElement("div", { className: "opblock-section-header" }, createElement("h4", null, "Examples")),
          ...example(createElement, "curl", curlOf(shown)),
          ...example(createElement, "Typed client", clientOf(shown, offers)),
        );
        return createElement(Fragment, null, examples, answers);
      },
    },
  });
