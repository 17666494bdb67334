import { beforeAll, expect, it } from "vitest";
import type { BrowserContext, Page } from "playwright-core";
import { signIn, visitConsole } from "../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { api, dataOf } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Opens a further tab of the same browser, and signs in there. */
const openTab = async (context: BrowserContext, token: string, path: string): Promise<Page> => {
  const tab = await context.newPage();
  await tab.goto(`${store.h.url}${path}`);
  await signIn(tab, token);
  await tab.locator(".frame").waitFor();
  return tab;
};
const rowOf = async (table: "sites" | "offers", id: string) =>
  (await store.h.rows(`select * from ${table} where id = $1`, [id]))[0];

it("a site that was edited in one tab is not overwritten by the other, and nothing that was typed is lost", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const path = `/console/sites/${site.id}`;
  const { page: first, context } = await visitConsole(store, publisher.privateKey, path);
  const second = await openTab(context, publisher.privateKey, path);
  for (const tab of [first, second]) {
    await tab.getByRole("button", { name: "Edit" }).click();
    await tab.getByLabel("Description").waitFor();
  }
  await first.getByLabel("Description").fill("From the first");
  await first.getByRole("button", { name: "Save" }).click();
  await first.getByText("Saved.").waitFor();
  await second.getByLabel("Description").fill("From the second");
  const answered = second.waitForResponse((response) => response.request().method() === "PUT");
  await second.getByRole("button", { name: "Save" }).click();
  expect((await answered).status()).toBe(412);
  const told = second.getByRole("alert");
  await told.getByText("Somebody has changed this in the meantime.").waitFor();
  expect(await told.innerText()).toContain("or overwrite it with yours");
  expect(await second.getByLabel("Description").inputValue()).toBe("From the second");
  expect(await rowOf("sites", site.id)).toMatchObject({ description: "From the first" });
  await second.getByRole("button", { name: "Load the new version" }).click();
  await eventually(() => second.getByLabel("Description").inputValue()).toBe("From the first");
  await second.getByLabel("Description").fill("From the first, and the second");
  await second.getByRole("button", { name: "Save" }).click();
  await second.getByText("Saved.").waitFor();
  expect(await rowOf("sites", site.id)).toMatchObject({ description: "From the first, and the second" });
});

it("an offer that was paused in one tab stays so when the other saves over it", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea" });
  const path = `/console/offers/${offer.id}`;
  const { page: first, context } = await visitConsole(store, platform.token, path);
  const second = await openTab(context, platform.token, `${path}/edit`);
  await second.getByRole("textbox", { name: "Title", exact: true }).fill("Green tea");
  await first.locator(".head").getByRole("button", { name: "Pause …" }).click();
  await first.getByRole("button", { name: "Pause", exact: true }).click();
  await first.getByText("Tea: paused.").waitFor();
  await second.getByRole("button", { name: "Save" }).click();
  await second.getByText("Somebody has changed this in the meantime.").waitFor();
  expect(await rowOf("offers", offer.id)).toMatchObject({ title: offer.title, status: "paused" });
  await second.getByRole("button", { name: "Overwrite with mine" }).click();
  await second.getByRole("heading", { name: "Tea", level: 1 }).waitFor();
  expect(await rowOf("offers", offer.id)).toMatchObject({ title: "Green tea", status: "paused" });
});

it("signing out in one tab leaves the other signed in, also after a reload", async () => {
  const { publisher, site, placement } = await makeInventory(store.h.db);
  const { page: first, context } = await visitConsole(store, publisher.privateKey, "/console/sites");
  const second = await context.newPage();
  await second.goto(`${store.h.url}/console/sites`);
  await second.getByLabel("Keep me signed in").check();
  await signIn(second, publisher.privateKey);
  await second.getByRole("rowheader", { name: site.name }).waitFor();
  await first.getByRole("button", { name: "Sign out" }).click();
  await first.getByLabel("Token", { exact: true }).waitFor();
  await second.getByRole("link", { name: "Placements", exact: true }).click();
  await second.getByRole("rowheader", { name: placement.name }).waitFor();
  await second.reload();
  await second.getByRole("rowheader", { name: placement.name }).waitFor();
  expect(await first.getByText(placement.name).count()).toBe(0);
});

it("a token that is ended in one tab is asked for in the other at its next call, and what was typed there is saved", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const issue = async (name: string) =>
    dataOf<{ bearer: string }>(
      await api(store.h, "POST", `/api/v1/publishers/${publisher.id}/api-tokens`, {
        token: publisher.privateKey,
        body: { name, access: "WRITE", revenueAccess: true },
      }),
    ).bearer;
  const [ended, next] = [await issue("Till"), await issue("Next till")];
  const { page: first, context } = await visitConsole(store, publisher.privateKey, "/console/account");
  const second = await openTab(context, ended, `/console/sites/${site.id}`);
  await second.getByRole("button", { name: "Edit" }).click();
  await second.getByLabel("Description").fill("Typed before");
  const line = first.getByRole("listitem").filter({ has: first.getByText("Till", { exact: true }) });
  await line.getByRole("button", { name: "End …" }).click();
  await first.getByLabel("Type its name to confirm").fill("Till");
  await first.getByRole("button", { name: "End it now" }).click();
  await first.getByText("The token has ended.").waitFor();
  const answered = second.waitForResponse((response) => response.request().method() === "PUT");
  await second.getByRole("button", { name: "Save" }).click();
  expect((await answered).status()).toBe(401);
  const dialog = second.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByText("The service no longer accepts your token").waitFor();
  expect(await rowOf("sites", site.id)).toMatchObject({ description: null });
  await signIn(second, next);
  await second.getByText("Saved.").waitFor();
  expect(await rowOf("sites", site.id)).toMatchObject({ description: "Typed before" });
  expect(await first.getByRole("dialog").count()).toBe(0);
});
