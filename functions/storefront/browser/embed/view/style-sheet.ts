/** `styles.css`, put in by the build. */
declare const STYLES: string;

let sheet: CSSStyleSheet | undefined;

/** Dresses a shadow root. A constructed sheet needs no leave of the page's Content-Security-Policy. */
export const applyStyles = (root: ShadowRoot): void => {
  try {
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLES);
    }
    root.adoptedStyleSheets = [sheet];
  } catch {
    const style = document.createElement("style");
    style.textContent = STYLES;
    root.append(style);
  }
};
