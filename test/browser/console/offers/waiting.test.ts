import { beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { visitConsole } from "../../../support/browser/console.ts";
import { holding } from "../../../support/browser/holding.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Makes a placement with an offer of its own. */
const makeThanks = async () => {
  const made = await makeInventory(store.h.db, { placement: { name: "Thanks" } });
  const advertiser = await makeAdvertiser(store.h.db);
  await makeOffer(store.h.db, advertiser.id, { name: "For everybody", includeSites: [made.site.id] });
  return made;
};
const row = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });

it("waits for nothing once somebody goes back before the answer", async () => {
  const { publisher } = await makeThanks();
  const { page } = await visitConsole(store, publisher.privateKey, "/console/explain");
  const { asked, letGo } = await holding(page, "**/api/v1/offers/explain");
  await page.getByRole("button", { name: "Choose a placement …" }).click();
  await page.getByRole("button", { name: "Choose Thanks" }).click();
  await asked;
  await page.goBack();
  await page.getByRole("heading", { name: "Why is this offer shown, and that one not?" }).waitFor();
  await eventually(() => page.locator(".bone").count()).toBe(0);
  expect(await page.getByRole("alert").count()).toBe(0);
  letGo();
});

it("shows nothing of the placement before under another", async () => {
  const { publisher, site, placement } = await makeThanks();
  const other = await makePlacement(store.h.db, site.id, { name: "Basket" });
  const { page } = await visitConsole(store, publisher.privateKey, `/console/explain?placementId=${placement.id}`);
  const where = page.getByRole("region", { name: "Placement" });
  await where.getByText("Thanks").waitFor();
  await row(page, "For everybody").waitFor();
  const [answer, name] = [
    await holding(page, "**/api/v1/offers/explain"),
    await holding(page, "**/directory/placements?**"),
  ];
  await page.getByText("Paste a request instead").click();
  await page.getByLabel("Address of a request for offers").fill(`/api/odata?placementId=${other.id}`);
  await page.getByRole("button", { name: "Read it" }).click();
  await Promise.all([answer.asked, name.asked]);
  expect(await where.getByText("Thanks").count()).toBe(0);
  expect(await row(page, "For everybody").count()).toBe(0);
  answer.letGo();
  name.letGo();
  await where.getByText("Basket").waitFor();
  await row(page, "For everybody").waitFor();
});
