import { beforeAll, expect, it } from "vitest";
import { findings } from "../../../support/browser/axe.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeCreative, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Makes an offer with a second creative at a platform. The offer serves nowhere but there. */
const makeDemand = async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id);
  const creative = await makeCreative(store.h.db, offer.id);
  return { platform, advertiser, offer, creative };
};

const statesOf = (id: string) =>
  store.h.rows("select after ->> 'status' as status, reason from audit_log where resource_id = $1 order by id", [id]);

/** Says before its name what nobody sees of something that stops. */
const SEEN = { offer: "", advertiser: "an offer of ", creative: "" };

it.each(["offer", "advertiser", "creative"] as const)(
  "asks why the %s stops, and shows the reason in its history and in the audit",
  async (what) => {
    const demand = await makeDemand();
    const { id, name } = demand[what];
    const screen = what === "advertiser" ? `advertisers/${id}` : `offers/${demand.offer.id}`;
    const { page, problems } = await visitConsole(store, demand.platform.token, `/console/${screen}`);
    const place = what === "creative" ? page.getByRole("listitem").filter({ hasText: name }) : page.locator(".head");
    await place.getByRole("button", { name: "Archive …" }).click();
    const dialog = page.getByRole("dialog", { name: `Archive this ${what}?` });
    await dialog.getByLabel("Reason").press("Escape");
    await place.getByRole("button", { name: "Pause …" }).click();
    const asked = page.getByRole("dialog", { name: `Pause this ${what}?` });
    expect(await asked.innerText()).toContain(`nobody sees ${SEEN[what]}${name}. What was counted stays`);
    expect(await findings(page)).toEqual([]);
    await asked.getByLabel("Reason").fill("  Sold out until Friday ");
    await asked.getByRole("button", { name: "Pause" }).click();
    await page.getByText(`${name}: paused.`).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await place.getByText("Active", { exact: true }).waitFor();
    await eventually(() => statesOf(id)).toEqual([
      { status: "paused", reason: "Sold out until Friday" },
      { status: "active", reason: "Undone in the console" },
    ]);
    if (what !== "creative") {
      await page.getByRole("region", { name: "History" }).getByText("Reason: Sold out until Friday").waitFor();
    }
    const audit = await visitConsole(store, demand.platform.token, `/console/audit?id=${id}`);
    await audit.page.getByText("1–2 of 2").waitFor();
    expect(await audit.page.getByText(/^Reason: /).allInnerTexts()).toEqual([
      "Reason: Undone in the console",
      "Reason: Sold out until Friday",
    ]);
    expect(problems).toEqual([]);
  },
);

it("keeps a reason that could not be sent, and sends none where none was given", async () => {
  const { platform, offer } = await makeDemand();
  const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
  await page.locator(".head").getByRole("button", { name: "Pause …" }).click();
  const dialog = page.getByRole("dialog", { name: "Pause this offer?" });
  await dialog.getByLabel("Reason").fill("The price changed");
  await page.route("**/api/v1/offers/*/status", (route) => route.abort());
  await dialog.getByRole("button", { name: "Pause" }).click();
  await dialog.getByRole("alert").waitFor();
  expect(await dialog.getByLabel("Reason").inputValue()).toBe("The price changed");
  expect(await statesOf(offer.id)).toEqual([]);
  await page.unroute("**/api/v1/offers/*/status");
  await dialog.getByLabel("Reason").fill("  ");
  await dialog.getByRole("button", { name: "Pause" }).click();
  await page.locator(".head").getByText("Paused", { exact: true }).waitFor();
  await eventually(() => statesOf(offer.id)).toEqual([{ status: "paused", reason: null }]);
});
