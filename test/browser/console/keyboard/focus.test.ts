import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { openConsole, signIn, visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { keepMessages } from "../../../support/browser/messages.ts";
import {
  makeAdvertiser,
  makeCreative,
  makeInventory,
  makeOffer,
  makePublisher,
  makeSite,
} from "../../../support/factories.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { ALL, day, reporting } from "../../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const { count } = reporting(() => store.h);

const focus = (page: Page) => eventually(() => page.evaluate<string>("document.activeElement.textContent"));
/** Waits until a button is off, or on. */
const isOff = (page: Page, name: string) =>
  eventually(() => page.getByRole("button", { name, exact: true }).getAttribute("aria-disabled"));
/** Presses what a name names, as whoever works by keyboard does. */
const press = async (page: Page, name: string) => {
  await page.getByRole("button", { name, exact: true }).focus();
  await page.keyboard.press("Enter");
};

describe("who works by keyboard", () => {
  it("is led to what is wrong when a form is refused, and sends it once however often they press", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const other = await makeSite(store.h.db, publisher.id);
    const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
    await press(page, "Edit");
    await page.getByLabel("Name", { exact: true }).fill(other.name);
    const sent: string[] = [];
    const answered = Promise.withResolvers<void>();
    await page.route("**/api/site/*", async (route) => {
      if (route.request().method() === "PUT") {
        sent.push(route.request().url());
        await answered.promise;
      }
      await route.continue();
    });
    await press(page, "Save");
    await focus(page).toBe("Saving …");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Enter");
    await page.getByLabel("Name", { exact: true }).press("Enter");
    await page.getByRole("button", { name: "Saving …" }).focus();
    answered.resolve();
    await page.getByText(/RESOURCE_CONFLICT · request/).waitFor();
    await eventually(() => page.evaluate("document.activeElement.labels?.[0]?.textContent")).toBe("Name");
    expect(sent).toHaveLength(1);
  });
});

describe("who works by keyboard stays where they are", () => {
  it("when an offer is paused and started", async () => {
    const { site } = await makeInventory(store.h.db);
    const advertiser = await makeAdvertiser(store.h.db);
    const { id } = await makeOffer(store.h.db, advertiser.id, { includeSites: [site.id] });
    const { page, problems } = await visitConsole(store, SECRETS.ADMIN_TOKEN, `/console/offers/${id}`);
    await press(page, "Pause …");
    await page.getByLabel("Reason").press("Escape");
    await focus(page).toBe("Pause …");
    await page.keyboard.press("Enter");
    await press(page, "Pause");
    await focus(page).toBe("Start");
    await isOff(page, "Start").toBe("false");
    await page.keyboard.press("Enter");
    await focus(page).toBe("Pause …");
    await eventually(() => store.h.rows("select status from offers where id = $1", [id])).toEqual([
      { status: "active" },
    ]);
    expect(problems).toEqual([]);
  });

  it("when looks are saved", async () => {
    const { publisher, placement } = await makeInventory(store.h.db);
    const at = `/console/placements/${placement.id}/looks`;
    const { page, problems } = await visitConsole(store, publisher.privateKey, at);
    await page.getByLabel("Name above the offers").fill("Shop & Co");
    await press(page, "Save");
    await page.getByText("Saved. Pages show it").waitFor();
    await focus(page).toBe("Save");
    await isOff(page, "Save").toBe("true");
    await focus(page).toBe("Save");
    expect(problems).toEqual([]);
  });
});

/** Tells what has the focus: the name of a part of the page, or the words in it. */
const held = (page: Page) =>
  eventually(() => page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.textContent"));

describe("who works by keyboard does not begin at the top again", () => {
  it("when a message goes, by its cross or by taking back what was done", async () => {
    const { site } = await makeInventory(store.h.db);
    const advertiser = await makeAdvertiser(store.h.db);
    const { id } = await makeOffer(store.h.db, advertiser.id, { includeSites: [site.id], status: "paused" });
    const { page, problems } = await visitConsole(store, SECRETS.ADMIN_TOKEN, `/console/offers/${id}`);
    await keepMessages(page);
    await press(page, "Start");
    await focus(page).toBe("Pause …");
    await press(page, "Close this message");
    await focus(page).toBe("Pause …");
    await page.keyboard.press("Enter");
    await press(page, "Pause");
    await focus(page).toBe("Start");
    await press(page, "Undo");
    await focus(page).toBe("Pause …");
    expect(problems).toEqual([]);
  });

  it("when a list’s filter is taken away, nothing fits, or nothing is ticked any more", async () => {
    const { publisher, site } = await makeInventory(store.h.db, { placement: { name: "Thanks" } });
    const at = `/console/placements?siteId=${site.id}`;
    const { page, problems } = await visitConsole(store, publisher.privateKey, at);
    await press(page, `Remove filter Site: ${site.name}`);
    await eventually(async () => new URL(page.url()).search).toBe("");
    await held(page).toBe("Placements");
    await page.getByLabel("Thanks", { exact: true }).check();
    await press(page, "Untick all");
    await eventually(() => page.getByRole("group", { name: "What is ticked" }).count()).toBe(0);
    await held(page).toBe("Placements");
    await page.getByLabel("Mode").selectOption("false");
    await press(page, "Show all");
    await page.getByRole("rowheader", { name: "Thanks" }).waitFor();
    await held(page).toBe("Placements");
    expect(problems).toEqual([]);
  });

  it("when a report is kept to one of its rows, and when Explain takes one as answered", async () => {
    const { publisher, site, placement } = await makeInventory(store.h.db, { placement: { name: "Thanks" } });
    const advertiser = await makeAdvertiser(store.h.db);
    const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea", includeSites: [site.id] });
    await count(placement.id, { ...ALL, offerId: offer.id, advertiserId: advertiser.id, day: day(-1) });
    const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/reports?by=PLACEMENT");
    await press(page, "Only Thanks");
    await page.getByRole("button", { name: "Remove filter Placement: Thanks" }).waitFor();
    await held(page).toBe("Report");
    await page.goto(`${store.h.url}/console/explain?placementId=${placement.id}`);
    await signIn(page, publisher.privateKey);
    await press(page, "Already answered: Tea");
    await eventually(() => page.getByLabel("Offers already answered").inputValue()).toBe(offer.id);
    await eventually(() => page.getByRole("button", { name: "Already answered: Tea" }).count()).toBe(0);
    await held(page).toMatch(/offers served$/);
    expect(problems).toEqual([]);
  });

  it("when an offer has as many creatives as it may", async () => {
    const { site } = await makeInventory(store.h.db);
    const advertiser = await makeAdvertiser(store.h.db);
    const { id } = await makeOffer(store.h.db, advertiser.id, { includeSites: [site.id] });
    for (const name of ["One", "Two"]) await makeCreative(store.h.db, id, { name });
    const { page, problems } = await visitConsole(store, SECRETS.ADMIN_TOKEN, `/console/offers/${id}`);
    await press(page, "Add a creative");
    const dialog = page.getByRole("dialog", { name: "New creative" });
    for (const label of ["Name", "Line above the title", "Title", "Description", "Text of “accept”"]) {
      await dialog.getByLabel(label, { exact: true }).fill("Three");
    }
    await dialog.getByLabel("Where a click leads").fill("https://secure.example");
    await press(page, "Add");
    await page.getByRole("status").getByText("The creative was added.").waitFor();
    await isOff(page, "Add a creative").toBe("true");
    await focus(page).toBe("Add a creative");
    await page.getByText("4 is the most: archive one to add another.").waitFor();
    expect(problems).toEqual([]);
  });
});

it("who signs in is told of the page", async () => {
  const publisher = await makePublisher(store.h.db);
  const { page, problems } = await openConsole(store, "/console/sites");
  await signIn(page, publisher.privateKey);
  await eventually(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
  expect(problems).toEqual([]);
});

it("Escape leaves the menu of a phone for its button", async () => {
  const publisher = await makePublisher(store.h.db);
  const viewport = { width: 390, height: 844 };
  const { page } = await visitConsole(store, publisher.privateKey, "/console", { viewport });
  await eventually(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
  await press(page, "Menu");
  await page.getByRole("link", { name: "Sites", exact: true }).focus();
  await page.keyboard.press("Escape");
  await focus(page).toBe("Menu");
  expect(await page.getByRole("button", { name: "Menu" }).getAttribute("aria-expanded")).toBe("false");
});
