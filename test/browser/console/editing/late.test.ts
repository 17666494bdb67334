import { beforeAll, describe, expect, it } from "vitest";
import type { Route } from "playwright-core";
import { visitConsole } from "../../../support/browser/console.ts";
import { holding } from "../../../support/browser/holding.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform, makePublisher } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Opens the page of an offer that is called Tea, come to from the list of offers. */
const visitOffer = async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea" });
  const visited = await visitConsole(store, platform.token, "/console/offers");
  await visited.page.getByRole("link", { name: "Tea", exact: true }).click();
  await visited.page.getByRole("heading", { name: "Tea", level: 1 }).waitFor();
  return { ...visited, advertiser, offer };
};

/** Begins to delete the offer, by the keyboard, and holds the answer. */
const deleteLate = async () => {
  const visited = await visitOffer();
  const { page, offer } = visited;
  await page.getByRole("button", { name: "Delete …" }).click();
  await page.getByLabel("Type its name to confirm").fill("Tea");
  const held = await holding(page, `**/api/v1/offers/${offer.id}`);
  await page.getByRole("button", { name: "Delete or archive" }).focus();
  await page.keyboard.press("Enter");
  await held.asked;
  return { ...visited, ...held };
};

it("a copy has what the offer has now, even if the page shows what it had", async () => {
  const { page, offer, advertiser } = await visitOffer();
  await store.h.rows("update offers set title = 'Changed elsewhere' where id = $1", [offer.id]);
  await page.locator(".head").getByRole("button", { name: "Copy" }).click();
  await page.getByRole("heading", { name: /^Tea.*copy/, level: 1 }).waitFor();
  const titles = "select title, status from offers where advertiser_id = $1 and id <> $2";
  expect(await store.h.rows(titles, [advertiser.id, offer.id])).toEqual([
    { title: "Changed elsewhere", status: "paused" },
  ]);
});

describe("a copy that is made late", () => {
  const MADE = /A paused copy was created/;

  it("leaves what is typed on another page, and leads to itself when it is asked to", async () => {
    const { page, offer, problems } = await visitOffer();
    const questions: string[] = [];
    page.on("dialog", async (question) => {
      questions.push(question.message());
      await question.accept();
    });
    const { asked, letGo } = await holding(page, /offers\/import/);
    await page.locator(".head").getByRole("button", { name: "Copy" }).click();
    await asked;
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    const share = page.getByLabel("Publisher’s share (%)");
    await share.fill("12");
    letGo();
    await page.getByText(MADE).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/offers/${offer.id}/edit`);
    expect(await share.inputValue()).toBe("12");
    expect(questions).toEqual([]);
    await page.getByRole("link", { name: "Show the copy" }).click();
    await page.getByRole("heading", { name: /^Tea.*copy/, level: 1 }).waitFor();
    expect(questions).toHaveLength(1);
    await eventually(() => page.getByText(MADE).count()).toBe(0);
    await eventually(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
    expect(problems).toEqual([]);
  });

  it("leaves a dialog that was opened meanwhile", async () => {
    const { page } = await visitOffer();
    const { asked, letGo } = await holding(page, /offers\/import/);
    await page.locator(".head").getByRole("button", { name: "Copy" }).click();
    await asked;
    await page.getByRole("button", { name: "Pause …" }).click();
    await page.getByLabel("Reason").fill("Sold out");
    letGo();
    await page.getByText(MADE).waitFor();
    expect(await page.getByLabel("Reason").inputValue()).toBe("Sold out");
  });
});

describe("a deletion that is answered late", () => {
  it("keeps its question, and the focus, until it is done", async () => {
    const { page, letGo, problems } = await deleteLate();
    const dialog = page.getByRole("dialog", { name: "Delete this offer?" });
    const cancel = dialog.getByRole("button", { name: "Cancel" });
    for (const _ of [1, 2, 3]) await page.keyboard.press("Escape");
    expect(await dialog.count()).toBe(1);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Delete or archive");
    expect(await cancel.getAttribute("aria-disabled")).toBe("true");
    await cancel.focus();
    await page.keyboard.press("Enter");
    expect(await dialog.count()).toBe(1);
    letGo();
    await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
    await page.getByText(/The offer was deleted/).waitFor();
    expect(problems).toEqual([]);
  });

  it("may be cancelled again once it was refused", async () => {
    const { page, offer, letGo } = await deleteLate();
    await store.h.rows("delete from offers where id = $1", [offer.id]);
    letGo();
    // What else the page reads of the offer may be told as gone, too.
    await page.getByRole("dialog").getByRole("alert").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Delete or archive");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("leaves what is typed where the browser’s button led away", async () => {
    const { page, letGo } = await deleteLate();
    await page.goBack();
    await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Advertisers", exact: true }).click();
    await page.getByRole("button", { name: "New advertiser" }).click();
    const name = page.getByRole("dialog").getByLabel("Name", { exact: true });
    await name.fill("Typed for long");
    letGo();
    await page.getByText(/The offer was deleted/).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/advertisers");
    expect(await name.inputValue()).toBe("Typed for long");
  });
});

it("what is switched off is shown so at once, also while it is read again", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
  await page.getByRole("button", { name: "Switch ads off …" }).click();
  const { asked, letGo } = await holding(page, "**/api/v1/directory/sites?**");
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
  await page.getByText(`The ads of ${site.name} are off.`).waitFor();
  await asked;
  await page.getByRole("button", { name: "Switch ads on" }).waitFor();
  expect(await page.getByRole("button", { name: "Switch ads off …" }).count()).toBe(0);
  letGo();
});

it("limits are not changed again before the first change is answered, and are shown as they are", async () => {
  const platform = await makePlatform(store.h.db);
  const { publisher } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const { page } = await visitConsole(store, platform.token, `/console/publishers/${publisher.id}`);
  const box = page.getByLabel(/Raised limits/);
  await box.waitFor();
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const keep = async (route: Route): Promise<void> => {
    asked.resolve();
    await held.promise;
    await route.continue();
  };
  await page.route("**/publishers/*/limits", keep, { times: 1 });
  await box.click();
  await asked.promise;
  await box.click({ force: true });
  held.resolve();
  await page.getByText("The limits are raised.").waitFor();
  const limits = "select elevated_limits from publishers where id = $1";
  expect(await store.h.rows(limits, [publisher.id])).toEqual([{ elevated_limits: true }]);
  expect(await box.isChecked()).toBe(true);
  await page.getByRole("region", { name: "History" }).getByText("Raised limits").waitFor();
});

it("a shop's lines are there to be copied once its key is known, and not before", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/placements");
  const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
  await page.route("**/public-keys", (route) => route.fulfill({ status: 500, json: { success: false, error } }));
  await page.getByRole("link", { name: placement.name }).click();
  const card = page.getByRole("region", { name: "On the shop’s page" });
  await card.getByText("Something failed").waitFor();
  expect(await card.getByRole("button", { name: "Copy the lines" }).count()).toBe(0);
  expect(await card.locator("pre").count()).toBe(0);
  await page.unroute("**/public-keys");
  await card.getByRole("button", { name: "Try again" }).click();
  await card.getByText(`data-public-key="${publisher.publicKey}"`).waitFor();
  await card.getByRole("button", { name: "Copy the lines" }).waitFor();
  await store.h.rows("delete from public_keys where publisher_id = $1", [publisher.id]);
  await page.getByRole("link", { name: "Placements", exact: true }).first().click();
  await page.getByRole("link", { name: placement.name }).click();
  await card.getByText("No key is valid").waitFor();
  expect(await card.locator("pre").count()).toBe(0);
});

it("a publisher that is still being read is not said to be gone by who goes back to it over another", async () => {
  const platform = await makePlatform(store.h.db);
  const one = await makePublisher(store.h.db, { platformId: platform.id });
  const other = await makePublisher(store.h.db, { platformId: platform.id });
  const { page } = await visitConsole(store, platform.token, `/console/publishers/${one.id}`);
  await page.getByRole("heading", { name: one.name, level: 1 }).waitFor();
  await page.getByRole("link", { name: "Publishers", exact: true }).first().click();
  await page.getByRole("link", { name: other.name }).click();
  await page.getByRole("heading", { name: other.name, level: 1 }).waitFor();
  const { asked, letGo } = await holding(page, `**/api/v1/directory/publishers?id=${one.id}*`);
  await page.evaluate("history.go(-2)");
  await asked;
  await page.getByRole("heading", { name: "Publisher", exact: true, level: 1 }).waitFor();
  expect(await page.getByText("It was deleted").count()).toBe(0);
  letGo();
  await page.getByRole("heading", { name: one.name, level: 1 }).waitFor();
});

it("who has gone elsewhere while a site is made stays there, and is led to it when they ask", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey);
  page.on("dialog", (question) => question.accept());
  await page.getByRole("link", { name: "Sites", exact: true }).click();
  await page.getByRole("button", { name: "New site" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Made late");
  const { asked, letGo } = await holding(page, "**/api/site");
  await page.getByRole("button", { name: "Create" }).click();
  await asked;
  await page.goBack();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  letGo();
  await page.getByText("The site was created.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/console");
  await page.getByRole("link", { name: "Show the site" }).click();
  await page.getByRole("heading", { name: "Made late", level: 1 }).waitFor();
});
