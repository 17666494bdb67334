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
