import { beforeAll, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("shows a payment type that does not exist as it was asked for, and what is wrong with it", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  const path = `/console/explain?placementId=${placement.id}&paymenttype=barter`;
  const { page } = await visitConsole(store, publisher.privateKey, path);
  await page.getByText("must be one of creditCard", { exact: false }).first().waitFor();
  const chosen = page.getByLabel("Payment type").locator("option:checked");
  expect(await chosen.allInnerTexts()).toEqual(["barter"]);
  await page.getByLabel("Payment type").selectOption("PayPal");
  expect(await chosen.allInnerTexts()).toEqual(["PayPal"]);
});

it("keeps a payment type of an offer that this console does not know", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id);
  const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
  const sent: unknown[] = [];
  await page.route(`**/api/v1/offers/${offer.id}`, async (route) => {
    if (route.request().method() !== "GET") {
      sent.push(route.request().postDataJSON());
      return route.abort();
    }
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const targeting = { ...data.targeting, paymentTypes: ["barter", "paypal"] };
    return route.fulfill({ response, json: { ...rest, data: { ...data, targeting } } });
  });
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  expect(await page.getByLabel("barter").isChecked()).toBe(true);
  await page.getByLabel("Languages").fill("en");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(async () => sent).toEqual([{ targeting: { languages: ["en"] } }]);
  await page.getByRole("button", { name: "Save" }).waitFor();
  await page.getByLabel("Languages").fill("");
  await page.getByLabel("Other", { exact: true }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(async () => sent.at(-1)).toEqual({ targeting: { paymentTypes: ["paypal", "other", "barter"] } });
});

it("shows the site that was chosen by its id until its name is known", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page, problems } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
  const create = page.getByRole("button", { name: "New placement" });
  await create.waitFor();
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/v1/directory/sites?*", async (route) => {
    await mayAnswer;
    await route.continue();
  });
  await create.click();
  const chosen = page.getByLabel("Site", { exact: true }).locator("option:checked");
  await eventually(() => chosen.allInnerTexts()).toEqual([site.id]);
  answer();
  await eventually(() => chosen.allInnerTexts()).toEqual([site.name]);
  expect(problems).toEqual([]);
});
