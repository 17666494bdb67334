import { beforeAll, describe, expect, it } from "vitest";
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

describe("reports", () => {
  it("split by what lacks the figure of their order are in the usual order, and say so", async () => {
    const { publisher, placement } = await makeInventory(store.h.db);
    const advertiser = await makeAdvertiser(store.h.db);
    const ofOffer = async (name: string, revenueMicros: number) => {
      const offer = await makeOffer(store.h.db, advertiser.id, { name });
      await count(placement.id, { offerId: offer.id, advertiserId: advertiser.id, impressions: 9, revenueMicros });
    };
    await count(placement.id, { ...ALL, offerId: "" });
    for (const [name, dollars] of [
      ["Little", 1],
      ["Most", 9],
      ["Some", 5],
    ] as const)
      await ofOffer(name, dollars * 1e6);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/reports?by=PLACEMENT");
    const order = page.getByLabel("Order");
    await order.selectOption("rpm");
    await page.getByRole("rowheader", { name: placement.name }).waitFor();
    await page.getByLabel("Rows").selectOption("OFFER");
    const names = page.getByRole("rowheader").getByTitle(/./);
    await eventually(() => names.allInnerTexts()).toEqual(["Most", "Some", "Little"]);
    expect(await order.inputValue()).toBe("");
    expect(await order.getByRole("option", { name: "rpm" }).count()).toBe(0);
  });

  it("of both kinds are for the same days and publisher when one goes from one to the other", async () => {
    const { publisher } = await makeInventory(store.h.db);
    const kept = { from: day(-6), to: day(-1), publisherId: publisher.id };
    const path = `/console/reports?${new URLSearchParams({ by: "SITE", country: "DE", ...kept }).toString()}`;
    const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN, path);
    const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
    await page.getByRole("link", { name: "What learning earned" }).click();
    await page.getByRole("heading", { name: "What learning earned", level: 1 }).waitFor();
    expect(asked()).toEqual(kept);
    expect(await page.getByLabel("From (UTC)").inputValue()).toBe(kept.from);
    await page.getByRole("link", { name: "Counts and money" }).click();
    await page.getByRole("heading", { name: "Reports", level: 1 }).waitFor();
    expect(asked()).toEqual(kept);
  });
});
