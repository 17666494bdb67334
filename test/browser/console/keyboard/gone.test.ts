import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { api } from "../../../support/api.ts";
import { makeAdvertiser, makeCreative, makeInventory, makeOffer, makePlatform } from "../../../support/factories.ts";
import { SECRETS } from "../../../support/secrets.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Presses what a name names, as whoever works by keyboard does. */
const press = async (page: Page, name: string | RegExp) => {
  await page.getByRole("button", { name, exact: true }).first().focus();
  await page.keyboard.press("Enter");
};

/** Tells what part of the page has the focus, or what is in it. */
const held = (page: Page) =>
  eventually(() =>
    page.evaluate<string>(
      `(({ ariaLabel, firstElementChild: first, tagName }) =>
        ariaLabel ?? (first?.matches("legend") ? first.textContent : tagName))(document.activeElement)`,
    ),
  );

describe("what goes leaves the focus to what is around it", () => {
  it("where a token ends, by its button or by another in its place", async () => {
    const platform = await makePlatform(store.h.db);
    const { publisher } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
    for (const name of ["Old", "Older"]) {
      await api(store.h, "POST", `/api/v1/publishers/${publisher.id}/api-tokens`, {
        token: publisher.privateKey,
        body: { name },
      });
    }
    const { page, problems } = await visitConsole(store, platform.token, `/console/publishers/${publisher.id}`);
    const line = (name: string) => page.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
    await line("Old").getByRole("button", { name: "End …" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Type its name to confirm").fill("Old");
    await press(page, "End it now");
    await eventually(() => line("Old").count()).toBe(0);
    await held(page).toBe("Private tokens");
    await line("Older").getByRole("button", { name: "Rotate …" }).focus();
    await page.keyboard.press("Enter");
    const ended = (await line("Older").textContent()) ?? "";
    await page.getByLabel("The old one").selectOption("0");
    await press(page, "Rotate");
    await press(page, "I have copied it");
    await eventually(() => line("Older").textContent()).not.toBe(ended);
    await held(page).toBe("Private tokens");
    expect(problems).toEqual([]);
  });

  it("where an offer and its creative are archived, and a category is taken away", async () => {
    const { site } = await makeInventory(store.h.db);
    const advertiser = await makeAdvertiser(store.h.db);
    const { id } = await makeOffer(store.h.db, advertiser.id, { includeSites: [site.id] });
    await api(store.h, "PUT", `/api/v1/offers/${id}`, {
      token: SECRETS.ADMIN_TOKEN,
      body: { targeting: { categories: ["Beauty and Personal Care > Skin Care"] } },
    });
    await makeCreative(store.h.db, id, { name: "Other" });
    const { page, problems } = await visitConsole(store, SECRETS.ADMIN_TOKEN, `/console/offers/${id}/edit`);
    await press(page, "Remove category Beauty and Personal Care > Skin Care");
    await eventually(() => page.getByRole("button", { name: /^Remove category / }).count()).toBe(0);
    await held(page).toBe("Categories of the shop");
    page.on("dialog", (asked) => void asked.accept());
    await page.goto(`${store.h.url}/console/offers/${id}`);
    await page.getByLabel("Token", { exact: true }).fill(SECRETS.ADMIN_TOKEN);
    await page.keyboard.press("Enter");
    const other = page.getByRole("listitem").filter({ hasText: "Other" });
    await other.getByRole("button", { name: "Archive …" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Archive", exact: true }).focus();
    await page.keyboard.press("Enter");
    await eventually(() => store.h.rows("select status from offer_creatives where offer_id = $1", [id])).toEqual([
      { status: "archived" },
    ]);
    await held(page).not.toBe("BODY");
    expect(problems).toEqual([]);
  });

  it("where many changes are over, and a list that could not be read is there", async () => {
    const { publisher, placement } = await makeInventory(store.h.db, { placement: { name: "Thanks" } });
    const { page } = await visitConsole(store, publisher.privateKey, "/console");
    let isDown = true;
    await page.route("**/api/v1/directory/placements*", (route) => (isDown ? route.abort() : route.continue()));
    await page.getByRole("link", { name: "Placements", exact: true }).click();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    isDown = false;
    await press(page, "Try again");
    await page.getByRole("rowheader", { name: "Thanks" }).waitFor();
    await held(page).toBe("Placements");
    await page.getByLabel("Thanks", { exact: true }).check();
    await press(page, "Switch off …");
    await page.getByRole("dialog").getByRole("button", { name: "Switch off", exact: true }).focus();
    await page.keyboard.press("Enter");
    const close = page.getByRole("dialog").getByRole("button", { name: "Close" });
    await close.waitFor();
    await eventually(() => page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    expect(await store.h.rows("select status from placements where id = $1", [placement.id])).toEqual([
      { status: "inactive" },
    ]);
  });

  it("where somebody signs out, to the token that may come next", async () => {
    const { publisher } = await makeInventory(store.h.db);
    const { page, problems } = await visitConsole(store, publisher.privateKey);
    await press(page, "Sign out");
    await page.getByLabel("Token", { exact: true }).waitFor();
    await eventually(() => page.evaluate("document.activeElement.type")).toBe("password");
    expect(problems).toEqual([]);
  });

  it("but not where somebody had left it before", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    await page.getByRole("link", { name: site.name }).focus();
    await page.mouse.click(700, 850);
    expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
    await store.h.rows("update sites set name = $2 where id = $1", [site.id, `${site.name} again`]);
    await page.evaluate("document.querySelector('tbody tr').remove()");
    await page.evaluate("new Promise((done) => setTimeout(done))");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("BODY");
  });
});
