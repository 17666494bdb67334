import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf } from "../../../support/api.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Names the ways in which nobody hears of a change that was made. */
type Loss = "no answer" | "a 503";

/** Has changes made, and their answers lost on the way, until the function that it returns is called. */
const losing = async (page: Page, loss: Loss = "no answer"): Promise<() => Promise<void>> => {
  const calls = "**/api/**";
  await page.route(calls, async (route) => {
    if (route.request().method() === "GET") return route.continue();
    const response = await route.fetch();
    if (!response.ok()) return route.fulfill({ response });
    if (loss === "no answer") return route.abort("connectionreset");
    const error = { code: "SERVICE_UNAVAILABLE", message: "Lost on the way" };
    return route.fulfill({ status: 503, json: { success: false, error } });
  });
  return () => page.unroute(calls);
};

/** Presses a button whose change is made and whose answer is lost. */
const pressAndLose = async (page: Page, name: string, loss: Loss = "no answer"): Promise<void> => {
  const found = await losing(page, loss);
  await page.getByRole("button", { name, exact: true }).click();
  await page
    .getByRole("alert")
    .getByText(loss === "no answer" ? "UNREACHABLE" : "SERVICE_UNAVAILABLE")
    .waitFor();
  await found();
};

const changesOf = (id: string) => store.h.count("audit_log where resource_id = $1 and action <> 'create'", [id]);
const question = (page: Page) => page.getByText("Somebody has changed this in the meantime.");

/** Opens the form of a site with another description in it. */
const editSite = async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const field = page.getByLabel("Description");
  await field.fill("Mine");
  const theirs = async (description: string) =>
    dataOf(await api(store.h, "PUT", `/api/site/${site.id}`, { token: publisher.privateKey, body: { description } }));
  const stored = async () =>
    (await store.h.rows("select description from sites where id = $1", [site.id]))[0]?.["description"];
  return { page, site, field, theirs, stored };
};

describe("a change that was made, and of which no answer came", () => {
  it.each<Loss>(["no answer", "a 503"])("is saved when it is sent again after %s, and made once", async (loss) => {
    const { page, site, stored } = await editSite();
    await pressAndLose(page, "Save", loss);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await eventually(() => page.getByRole("dialog").count()).toBe(0);
    expect(await stored()).toBe("Mine");
    expect(await changesOf(site.id)).toBe(1);
  });

  it("is saved however often its answer is lost, and with what was typed since", async () => {
    const { page, site, field, stored } = await editSite();
    await pressAndLose(page, "Save");
    await field.fill("Mine, better");
    await pressAndLose(page, "Save");
    await field.fill("Mine, best");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await stored()).toBe("Mine, best");
    expect(await changesOf(site.id)).toBe(3);
  });

  it("is asked about where a value of it was put back, and something else changed", async () => {
    const { page, field, stored } = await editSite();
    const before = (await stored()) ?? "";
    await pressAndLose(page, "Save");
    await field.fill(String(before));
    await page.getByLabel("Domain").fill("other.example");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question(page).waitFor();
    expect(await stored()).toBe("Mine");
  });

  it("is asked about where somebody else came after it", async () => {
    const { page, theirs, stored } = await editSite();
    await pressAndLose(page, "Save");
    await theirs("Theirs");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question(page).waitFor();
    expect(await stored()).toBe("Theirs");
  });

  it("is asked about where somebody else came before it, so that it was not made", async () => {
    const { page, theirs, stored } = await editSite();
    await theirs("Theirs");
    const statuses: number[] = [];
    await page.route("**/api/site/*", async (route) => {
      if (route.request().method() === "GET") return route.continue();
      statuses.push((await route.fetch()).status());
      return route.abort("connectionreset");
    });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
    expect(statuses).toEqual([412]);
    await page.unroute("**/api/site/*");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await question(page).waitFor();
    expect(await stored()).toBe("Theirs");
  });

  it("of a token's name and access is saved when it is sent again", async () => {
    const platform = await makePlatform(store.h.db);
    const { publisher } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
    const tokens = `/api/v1/publishers/${publisher.id}/api-tokens`;
    const body = { name: "Shop", revenueAccess: false };
    const { id } = dataOf<{ id: string }>(await api(store.h, "POST", tokens, { token: platform.token, body }));
    const { page } = await visitConsole(store, platform.token, `/console/publishers/${publisher.id}`);
    const line = page.getByRole("listitem").filter({ hasText: "Shop" });
    await line.getByRole("button", { name: "Change …" }).click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Shop of tea");
    await page.getByLabel("Its reports show revenue").check();
    // The name is answered; what money is shown is made, too, and its answer is lost.
    const access = `**${tokens}/${id}/access`;
    await page.route(access, async (route) => {
      await route.fetch();
      return route.abort("connectionreset");
    });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
    await page.unroute(access);
    // The name is saved, so the list behind the form shows it already.
    await page.locator("li strong").filter({ hasText: "Shop of tea" }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await store.h.rows("select name, revenue_access from api_tokens where id = $1", [id])).toEqual([
      { name: "Shop of tea", revenue_access: true },
    ]);
  });

  it("that switches something on is made when it is pressed again", async () => {
    const { publisher, site } = await makeInventory(store.h.db, { site: { adsEnabled: false } });
    const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
    await pressAndLose(page, "Switch ads on");
    await page.getByRole("button", { name: "Switch ads on" }).click();
    await page.getByText(`The ads of ${site.name} are on.`).waitFor();
    expect(await changesOf(site.id)).toBe(1);
  });
});

it("a creation of which no answer came, and that was edited since, is made after a warning", async () => {
  const platform = await makePlatform(store.h.db);
  const { page } = await visitConsole(store, platform.token, "/console/advertisers");
  await page.getByRole("button", { name: "New advertiser" }).click();
  const dialog = page.getByRole("dialog", { name: "New advertiser" });
  await dialog.getByLabel("Name", { exact: true }).fill("Brindle Tea");
  await pressAndLose(page, "Create");
  await dialog.getByText("The same, sent again, is done only once.").waitFor();
  await dialog.getByLabel("Name", { exact: true }).fill("Brindle Teas");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("it may exist already: look first").waitFor();
  const made = () => store.h.rows("select name from advertisers where platform_id = $1 order by name", [platform.id]);
  expect(await made()).toEqual([{ name: "Brindle Tea" }]);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Brindle Teas", level: 1 }).waitFor();
  expect(await made()).toEqual([{ name: "Brindle Tea" }, { name: "Brindle Teas" }]);
});

describe("a deletion of which no answer came", () => {
  it.each<Loss>(["no answer", "a 503"])("of a site is done when it is sent again after %s", async (loss) => {
    const { publisher, site, placement } = await makeInventory(store.h.db);
    await store.h.rows("update placements set status = 'inactive' where id = $1", [placement.id]);
    const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByLabel("Type its name to confirm").fill(site.name);
    await pressAndLose(page, "Delete for good", loss);
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("The site was deleted.").waitFor();
    await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor();
    expect(await store.h.count("sites where id = $1", [site.id])).toBe(0);
  });

  it("of an offer that is archived for it is done when it is sent again", async () => {
    const platform = await makePlatform(store.h.db);
    const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
    const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea", dailyCap: 5, status: "active" });
    const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByLabel("Type its name to confirm").fill("Tea");
    await pressAndLose(page, "Delete or archive");
    await page.getByRole("button", { name: "Delete or archive" }).click();
    await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
    expect(await store.h.rows("select status from offers where id = $1", [offer.id])).toEqual([{ status: "archived" }]);
    expect(await changesOf(offer.id)).toBe(1);
  });

  it("is refused where the first try was answered that there is nothing", async () => {
    const { publisher, site, placement } = await makeInventory(store.h.db);
    await store.h.rows("update placements set status = 'inactive' where id = $1", [placement.id]);
    const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
    await page.getByRole("button", { name: "Delete …" }).click();
    await page.getByLabel("Type its name to confirm").fill(site.name);
    dataOf(await api(store.h, "DELETE", `/api/site/${site.id}`, { token: publisher.privateKey }));
    const sure = page.getByRole("button", { name: "Delete for good" });
    await sure.click();
    const refusal = page.getByText(/RESOURCE_NOT_FOUND · request/);
    const first = await refusal.innerText();
    await sure.click();
    await eventually(() => refusal.innerText()).not.toBe(first);
    expect(await refusal.innerText()).toContain("RESOURCE_NOT_FOUND");
  });
});
