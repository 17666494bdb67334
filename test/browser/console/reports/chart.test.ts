import { beforeAll, expect, it } from "vitest";
import { signIn, visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeInventory } from "../../../support/factories.ts";
import { ALL, day, reporting } from "../../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const { count } = reporting(() => store.h);

/** Notes in the page’s script what is written beside an axis, and what of it begins left of its canvas. */
const NOTE_WORDS = `{
  window.written = [];
  window.cut = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
    const begins = this.textAlign === "right" ? x - this.measureText(text).width : x;
    window.written.push(text);
    if (begins < 0) window.cut.push(text);
    return fillText.call(this, text, x, ...rest);
  };
}`;

it.each([1, 2])("figures beside a chart are whole, however long, where a pixel of the page has %d", async (scale) => {
  const { publisher, placement } = await makeInventory(store.h.db);
  for (const n of [1, 2, 3]) await count(placement.id, { ...ALL, day: day(-n), revenueMicros: n * 150_000_000_000 });
  const { page } = await visitConsole(store, publisher.privateKey, "/console", { deviceScaleFactor: scale });
  await page.addInitScript(NOTE_WORDS);
  await page.goto(`${store.h.url}/console/placements/${placement.id}`);
  await signIn(page, publisher.privateKey);
  await page.locator(".chart canvas").first().waitFor();
  await eventually(() => page.evaluate("written")).toContain("$400,000.00");
  expect(await page.evaluate("cut")).toEqual([]);
});

/** Notes in the page’s script how wide the first chart is, on the screen and on paper, whenever it is drawn. */
const NOTE_WIDTHS = `{
  window.widths = { screen: [], print: [] };
  const chart = document.querySelector(".chart");
  const note = () => {
    const width = parseInt(chart.querySelector(".u-wrap")?.style.width, 10);
    if (width) window.widths[matchMedia("print").matches ? "print" : "screen"].push(width);
  };
  new MutationObserver(note).observe(chart, { childList: true, subtree: true, attributes: true });
}`;

/** Says how many pixels of a page there are between the margins of A4, upright. */
const PAPER = 720;

it.each(["light", "dark"] as const)(
  "a chart is as wide as the paper that it is printed on, %s",
  async (colorScheme) => {
    const { publisher, placement } = await makeInventory(store.h.db);
    await count(placement.id, { ...ALL, day: day(-1) });
    const { page } = await visitConsole(store, publisher.privateKey, "/console/account", { colorScheme });
    await page.locator(".chart canvas").first().waitFor();
    await page.evaluate(NOTE_WIDTHS);
    await page.pdf({ format: "A4", margin: { left: "1cm", right: "1cm" } });
    await eventually(() => page.evaluate("widths.screen.at(-1) ?? 0")).toBeGreaterThan(PAPER);
    const onPaper = await page.evaluate<number>("widths.print.at(-1)");
    expect(onPaper).toBeGreaterThan(PAPER / 2);
    expect(onPaper).toBeLessThan(PAPER);
  },
);
