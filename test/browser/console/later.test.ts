import { beforeAll, expect, it } from "vitest";
import { findings } from "../../support/browser/axe.ts";
import { visitConsole } from "../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeInventory } from "../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("a screen that could not be loaded says so under its own title, and is loaded when it is asked to", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey);
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  const scripts = "**/console/*.js";
  await page.route(scripts, (route) => route.abort());
  await page.getByRole("link", { name: "Sites", exact: true }).click();
  const heading = page.getByRole("heading", { name: "This screen could not be loaded", level: 1 });
  await heading.waitFor();
  await eventually(() => page.title()).toBe("This screen could not be loaded · Lanyap console");
  expect(await findings(page)).toEqual([]);
  const again = page.getByRole("button", { name: "Try again" });
  const failed = page.waitForEvent("requestfailed");
  await again.click();
  await failed;
  await again.waitFor();
  expect(await page.getByRole("button", { name: "Reload the page" }).count()).toBe(1);
  await page.unroute(scripts);
  await again.click();
  await page.getByRole("rowheader", { name: site.name }).waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Sites");
});
