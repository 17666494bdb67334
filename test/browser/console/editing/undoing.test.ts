import { beforeAll, expect, it } from "vitest";
import { api, dataOf } from "../../../support/api.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform, makeSite } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("what is undone from another page is shown there", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Paused by mistake" });
  const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
  await page.locator(".head").getByRole("button", { name: "Pause …" }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("link", { name: "Offers", exact: true }).first().click();
  const row = page.getByRole("row").filter({ hasText: offer.name });
  await row.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").waitFor();
  await row.getByText("Active", { exact: true }).waitFor();
  expect(await store.h.rows("select status from offers where id = $1", [offer.id])).toEqual([{ status: "active" }]);
});

it("a site that waits is shown so again where it cannot be switched on, and has no way back where it can", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const site = await makeSite(store.h.db, publisher.id, { name: "Waiting", status: "pending" });
  const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
  const switches = page.getByRole("region", { name: "Switches" });
  await switches.getByText("Pending").waitFor();
  const path = `**/api/site/${site.id}/status`;
  const error = { code: "RATE_LIMIT_EXCEEDED", message: "Too many changes" };
  await page.route(path, (route) => route.fulfill({ status: 429, json: { success: false, error } }));
  await switches.getByRole("button", { name: "Switch on" }).click();
  await switches.getByText("Too many changes").waitFor();
  await eventually(() => switches.getByText("Pending").count()).toBe(1);
  await page.unroute(path);
  await switches.getByRole("button", { name: "Switch on" }).click();
  await page.getByText("Waiting is on.").waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
});

it("what is typed into an advertiser's dialog stays while the page behind it is read again", async () => {
  const platform = await makePlatform(store.h.db);
  const { id } = await makeAdvertiser(store.h.db, { platformId: platform.id, name: "Brindlecup" });
  const { page } = await visitConsole(store, platform.token, `/console/advertisers/${id}`);
  await page.locator(".head").getByRole("button", { name: "Pause …" }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.locator(".head").getByText("Paused", { exact: true }).waitFor();
  await page.locator(".head").getByRole("button", { name: "Edit" }).click();
  const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
  await name.fill("Brindlecup Tea");
  // The dialog covers the message, whose button stands for everything that makes the page read again.
  await page.getByRole("button", { name: "Undo", includeHidden: true }).dispatchEvent("click");
  await page.locator(".head").getByText("Active", { exact: true }).waitFor();
  expect(await name.inputValue()).toBe("Brindlecup Tea");
});

it("the overview is read again as a whole", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const site = await makeSite(store.h.db, publisher.id, { status: "inactive" });
  const token = publisher.privateKey;
  const { page } = await visitConsole(store, token, "/console");
  const attention = page.getByRole("region", { name: "What needs attention" });
  await attention.getByText("1 site shows no offers.").waitFor();
  dataOf(await api(store.h, "PATCH", `/api/site/${site.id}/status`, { token, body: { status: "active" } }));
  await page.getByRole("button", { name: "Refresh" }).click();
  await eventually(() => attention.getByText("1 site shows no offers.").count()).toBe(0);
  expect(await page.getByRole("alert").count()).toBe(0);
});

it.each([
  { what: "site", path: "/console/sites/", button: "Edit", field: "Domain", address: "**/api/site/*" },
  { what: "token", path: "/console/account", button: "Change …", field: "Name", address: "**/api-tokens/*" },
])("a change of a $what that was left is saved late, and closes no dialog that was opened since", async (given) => {
  const { publisher, site } = await makeInventory(store.h.db);
  const path = given.path + (given.what === "site" ? site.id : "");
  const { page } = await visitConsole(store, publisher.privateKey, path);
  page.on("dialog", (question) => question.accept());
  const field = page.getByRole("dialog").getByLabel(given.field, { exact: true });
  await page.getByRole("button", { name: given.button, exact: true }).first().click();
  await field.fill("one.example");
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(given.address, async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    asked.resolve();
    await held.promise;
    return route.continue();
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await asked.promise;
  await page.keyboard.press("Escape");
  await eventually(() => page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("button", { name: given.button, exact: true }).first().click();
  await field.fill("two.example");
  held.resolve();
  await page.getByText("Saved.").waitFor();
  expect(await field.inputValue()).toBe("two.example");
});
