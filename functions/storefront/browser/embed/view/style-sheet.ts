import { element } from "../dom.ts";

/** Holds `styles/styles.css`, which the build inserts. */
declare const STYLES: string;

// The build inserts the text wherever the name is used, so it is used only here.
const css = STYLES;
let sheet: CSSStyleSheet | undefined;

/** Styles a shadow root. A constructed style sheet needs no permission from the page's Content-Security-Policy. */
export const applyStyles = (root: ShadowRoot): void => {
  try {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    root.adoptedStyleSheets = [sheet];
  } catch {
    root.append(element("style", {}, css));
  }
};
