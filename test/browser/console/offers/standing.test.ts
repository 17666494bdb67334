import { beforeAll, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("an active offer that nobody can see says why, in the list and on its page", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, {
    platformId: platform.id,
    name: "Pine & Pebble",
    status: "paused",
  });
  const startsAt = new Date(Date.now() + 10 * 86_400_000);
  const later = await makeOffer(store.h.db, advertiser.id, { name: "Later", startsAt });
  const { page, problems } = await visitConsole(store, platform.token, "/console/offers");
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Later" }) });
  const badges = () =>
    row.locator(".badge").evaluateAll((all) => all.map(({ className, textContent }) => [className, textContent]));
  await row.waitFor();
  expect(await badges()).toEqual([
    ["badge", "Active"],
    ["badge warn", "Starts in 10 days"],
    ["badge warn", "Advertiser paused"],
  ]);
  await row.getByText("by Pine & Pebble", { exact: true }).waitFor();
  expect(problems).toEqual([]);
  const { page: own } = await visitConsole(store, platform.token, `/console/offers/${later.id}`);
  for (const text of ["Active", "Starts in 10 days", "Advertiser paused"]) {
    await own.locator(".head").getByText(text, { exact: true }).waitFor();
  }
  expect(await findings(own)).toEqual([]);
});

it("offers of one advertiser say that it is paused", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id, status: "archived" });
  await makeOffer(store.h.db, advertiser.id, { name: "Left over" });
  const { page, problems } = await visitConsole(store, platform.token, `/console/offers?advertiserId=${advertiser.id}`);
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Left over" }) });
  await row.getByText("Advertiser archived", { exact: true }).waitFor();
  expect(problems).toEqual([]);
});
