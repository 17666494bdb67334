import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeInventory } from "../../../support/factories.ts";
import { ALL, day, reporting } from "../../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const counters = reporting(() => store.h);

const headsOf = (page: Page) => page.getByRole("columnheader").allInnerTexts();
const tileOf = (page: Page, name: string) =>
  page.locator(".tile").filter({ has: page.getByText(name, { exact: true }) });
/** Returns the first figure of a row. */
const cellOf = async (page: Page, name: string) => {
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
  return (await row.getByRole("cell").allInnerTexts())[0];
};
const heard = (page: Page) => page.getByRole("status").filter({ hasText: "Report" }).allInnerTexts();

describe("where only the compared period cannot be read", () => {
  it("a report shows the rows of its own, and says that the other begins too early", async () => {
    const { publisher, placement } = await makeInventory(store.h.db);
    await counters.count(placement.id, { ...ALL, day: day(-5) });
    const path = `/console/reports?by=PLACEMENT&from=${day(-99)}&to=${day()}&against=before`;
    const { page } = await visitConsole(store, publisher.privateKey, path);
    await page.getByRole("rowheader", { name: placement.name }).waitFor();
    const note = await page.getByRole("alert").innerText();
    expect(note).toContain("The compared period could not be read, so nothing is compared.");
    expect(note).toContain("must be at most 180 days back");
    expect(await page.locator(".bone, .under, .delta").count()).toBe(0);
    await eventually(() => heard(page)).toEqual(["Report: 1"]);
  });

  it("a report shows the rows of its own while the service fails at those of the other", async () => {
    const { publisher, placement } = await makeInventory(store.h.db);
    await counters.count(placement.id, { ...ALL, day: day(-1) });
    await counters.count(placement.id, { ...ALL, day: day(-9) });
    const { page } = await visitConsole(store, publisher.privateKey);
    const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
    const compared = new RegExp(`/api/report\\?.*dateEnd=${day(-7).replaceAll("-", "")}.*PLACEMENT`);
    await page.route(compared, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
    await page.getByRole("link", { name: "Reports", exact: true }).click();
    await page.getByLabel("Period").selectOption("7");
    await page.getByLabel("Compare with").selectOption("before");
    await page.getByRole("alert").getByText("so nothing is compared").waitFor();
    await eventually(() => cellOf(page, placement.name)).toBe("100");
    await page.unroute(compared);
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(() => cellOf(page, placement.name)).toBe("100\n0%");
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

it("a report of a period without counts shows what was lost, with all figures", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  await counters.count(placement.id, { ...ALL, day: day(-9) });
  const path = `/console/reports?by=PLACEMENT&from=${day(-7)}&to=${day(-1)}&against=before`;
  const { page, problems } = await visitConsole(store, publisher.privateKey, path);
  await page.getByRole("rowheader", { name: placement.name }).waitFor();
  expect(await headsOf(page)).toEqual(expect.arrayContaining(["Requests", "Fill", "Impressions"]));
  expect(await cellOf(page, placement.name)).toBe("0\n-100%");
  await eventually(() => tileOf(page, "Requests").innerText()).toBe("Requests\n0\n▼ -100% on 100");
  await page.locator(".chart canvas").waitFor();
  expect(problems).toEqual([]);
});

it("a report that cannot be read announces no number of rows", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const path = `/console/reports?from=${day(-300)}&to=${day()}`;
  const { page } = await visitConsole(store, publisher.privateKey, path);
  await page.getByRole("alert").first().waitFor();
  expect(await heard(page)).toEqual([]);
});
