import { beforeAll, expect, it } from "vitest";
import { findings } from "../../../support/browser/axe.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const MISSING = "document.activeElement.validity?.valueMissing && document.activeElement.labels[0].textContent";

it("a new offer without an advertiser leads to that field when it is to be created", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const { page } = await visitConsole(store, platform.token, "/console/offers/new");
  const field = page.getByLabel("Advertiser", { exact: true });
  await field.getByRole("option", { name: advertiser.name }).waitFor({ state: "attached" });
  const create = page.getByRole("button", { name: "Create" });
  await create.click();
  expect(await page.evaluate(MISSING)).toBe("Advertiser");
  const asterisk = "getComputedStyle(document.activeElement.labels[0], '::after').content";
  expect(await page.evaluate(asterisk)).toContain("*");
  expect(await findings(page)).toEqual([]);
  await field.selectOption(advertiser.id);
  await create.click();
  expect(await page.evaluate(MISSING)).toBe("Name");
});

it("a new placement without a site leads to that field when it is to be created", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/placements");
  await page.getByRole("button", { name: "New placement" }).click();
  const dialog = page.getByRole("dialog", { name: "New placement" });
  const field = dialog.getByLabel("Site", { exact: true });
  await field.getByRole("option", { name: site.name }).waitFor({ state: "attached" });
  await dialog.getByLabel("Name", { exact: true }).fill("Second");
  const create = dialog.getByRole("button", { name: "Create" });
  await create.click();
  expect(await page.evaluate(MISSING)).toBe("Site");
  await field.selectOption(site.id);
  await create.click();
  await page.getByRole("heading", { name: "Second", level: 1 }).waitFor();
});
