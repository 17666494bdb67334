import axe from "axe-core";
import type { Page } from "playwright-core";

/** Returns what axe-core finds in a page or a part of it, by WCAG 2.2 AA and best practices, as texts. */
export const findings = async (page: Page, part?: string): Promise<string[]> => {
  if (!(await page.evaluate("Boolean(window.axe)"))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(part) ?? "document"}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + " " + target.flat().join(" ") + " " + failureSummary)))`,
  );
};
