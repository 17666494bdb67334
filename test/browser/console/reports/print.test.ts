import { beforeAll, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../../support/factories.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { ALL, day, reporting } from "../../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const { count } = reporting(() => store.h);

it.each([
  ["upright", 717],
  ["across", 1045],
])("a report on paper, %s, has all its columns and no menu", async (_, width) => {
  const { site, placement } = await makeInventory(store.h.db, { placement: { name: "Thank-you page of a long name" } });
  const advertiser = await makeAdvertiser(store.h.db);
  const offer = await makeOffer(store.h.db, advertiser.id, { includeSites: [site.id] });
  await count(placement.id, { ...ALL, offerId: offer.id, advertiserId: advertiser.id, day: day(-1) });
  const at = `/console/reports?by=PLACEMENT&siteId=${site.id}`;
  const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN, at);
  await page.getByRole("table", { name: "Report" }).or(page.getByRole("table")).first().waitFor();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width, height: 1_000 });
  const hangs = `[...document.querySelectorAll("main, .scroll, table")].flatMap((part) =>
    part.getBoundingClientRect().right > innerWidth || (part.matches(".scroll") && part.scrollWidth > part.clientWidth)
      ? [part.className || part.tagName] : [])`;
  // A chart is redrawn a frame after what it stands in.
  await eventually(() => page.evaluate(hangs)).toEqual([]);
  expect(await page.locator(".side, .top").evaluateAll((parts) => parts.map((part) => part.clientHeight))).toEqual([
    0, 0,
  ]);
  await page.getByRole("columnheader", { name: "Profit" }).waitFor();
});

it("a report on paper is dark on white for those who like screens dark, with no buttons, and nothing small is large", async () => {
  const { site, placement } = await makeInventory(store.h.db);
  await count(placement.id, { ...ALL, day: day(-1) });
  const at = `/console/reports?by=PLACEMENT&siteId=${site.id}&against=before`;
  const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN, at, { colorScheme: "dark" });
  await page.locator(".scroll td .under").first().waitFor();
  const ink = () => page.evaluate("getComputedStyle(document.body).color");
  expect(await ink()).toBe("rgb(236, 238, 247)");
  await page.emulateMedia({ media: "print" });
  expect(await ink()).toBe("rgb(23, 26, 43)");
  const shown = page.locator(".button:visible");
  await eventually(() => shown.allTextContents()).toEqual([expect.stringContaining(site.name)]);
  const size = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).fontSize`);
  expect(await size(".scroll td .under")).toBe(await size(".scroll td"));
});
