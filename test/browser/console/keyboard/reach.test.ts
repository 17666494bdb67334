import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { visitConsole } from "../../../support/browser/console.ts";
import { untilPainted } from "../../../support/browser/painted.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePublisher, makeSite } from "../../../support/factories.ts";
import { SECRETS } from "../../../support/secrets.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Tells where what has the focus stands in the window, in pixels. */
const place = (page: Page) =>
  page.evaluate<{ top: number; bottom: number; name: string }>(
    `(() => {
      // Offers are in a root of their own.
      const held = document.activeElement.shadowRoot?.activeElement ?? document.activeElement;
      const { top, bottom } = held.getBoundingClientRect();
      return { top, bottom, name: held.outerHTML.slice(0, 80) };
    })()`,
  );

describe("on a small screen", () => {
  const viewport = { width: 640, height: 400 };

  it("the bar at the top hides nothing that has the focus", async () => {
    const publisher = await makePublisher(store.h.db);
    for (let n = 0; n < 12; n++) await makeSite(store.h.db, publisher.id);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/sites", { viewport });
    await page.getByRole("rowheader").nth(11).waitFor();
    const bar = await page.evaluate<number>("document.querySelector('.top').getBoundingClientRect().bottom");
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.getByRole("rowheader").last().getByRole("link").focus();
    const hidden: string[] = [];
    for (let n = 0; n < 22; n++) {
      await page.keyboard.press("Shift+Tab");
      const { top, name } = await place(page);
      if (top < bar && !name.includes('class="scroll')) hidden.push(name);
    }
    expect(hidden).toEqual([]);
  });

  it("the menu is closed by what has the focus behind it, by Escape and by the page that is there already", async () => {
    const publisher = await makePublisher(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/sites", { viewport });
    const menu = page.getByRole("button", { name: "Menu" });
    await page.getByRole("heading", { name: "No sites yet" }).waitFor();
    const isOpen = () => eventually(() => menu.getAttribute("aria-expanded"));
    await menu.click();
    await page.evaluate("document.querySelector('main h1').focus()");
    await isOpen().toBe("true");
    await page.getByRole("button", { name: /^Shortcuts/ }).focus();
    await page.keyboard.press("Tab");
    await isOpen().toBe("false");
    await menu.click();
    await page.keyboard.press("Shift+Tab");
    await isOpen().toBe("false");
    await menu.click();
    await page.getByRole("button", { name: /^Shortcuts/ }).click();
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await eventually(() => page.evaluate("document.activeElement.textContent")).toMatch(/^Shortcuts/);
    await isOpen().toBe("true");
    await page.locator("#menu strong").click();
    await page.keyboard.press("Escape");
    await isOpen().toBe("false");
    await menu.click();
    await page.locator("#menu").getByRole("link", { name: "Sites", exact: true }).focus();
    await page.keyboard.press("Enter");
    await isOpen().toBe("false");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Menu");
  });
});

it("the preview beside an offer is reached to its end without leaving the form", async () => {
  const { site } = await makeInventory(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db);
  const { id } = await makeOffer(store.h.db, advertiser.id, { includeSites: [site.id] });
  const viewport = { width: 1280, height: 600 };
  const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN, `/console/offers/${id}/edit`, { viewport });
  await page.getByRole("link", { name: "Yes, please" }).waitFor();
  await page.getByRole("button", { name: "Show dark" }).focus();
  const before = await page.evaluate("scrollY");
  for (let n = 0; n < 3; n++) {
    await page.keyboard.press("Tab");
    const { top, bottom } = await place(page);
    expect([top >= 0, bottom <= viewport.height, await page.evaluate("scrollY")]).toEqual([true, true, before]);
  }
});

it("shortcuts work from a ticked row, and type into fields", async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  await page.getByLabel(site.name, { exact: true }).check();
  await page.keyboard.type("gl");
  await page.getByRole("heading", { name: "Placements", level: 1 }).waitFor();
  await page.getByLabel("Name of placement or site").fill("");
  await page.keyboard.type("gs");
  expect(await page.getByLabel("Name of placement or site").inputValue()).toBe("gs");
  expect(new URL(page.url()).pathname).toBe("/console/placements");
});

it("who comes back to a list is where they left it, and a page that was not seen yet begins at its top", async () => {
  const publisher = await makePublisher(store.h.db);
  for (let n = 0; n < 25; n++) await makeSite(store.h.db, publisher.id);
  const viewport = { width: 1280, height: 600 };
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites", { viewport });
  await page.getByRole("rowheader").nth(24).waitFor();
  await page.evaluate("scrollTo(0, 700)");
  const scrolled = () => eventually(() => page.evaluate<number>("Math.round(scrollY)"));
  await scrolled().toBe(700);
  const leave = async () => {
    // A page is told in its next frame that it was scrolled.
    await untilPainted(page);
    // A click would scroll to the link first.
    await page.getByRole("rowheader").nth(20).getByRole("link").dispatchEvent("click");
  };
  await leave();
  await page.getByRole("heading", { name: "History" }).waitFor();
  await scrolled().toBe(0);
  await page.goBack();
  await page.getByRole("rowheader").nth(24).waitFor();
  await scrolled().toBe(700);
  // A list that has become shorter is shown to its end.
  const [row] = await store.h.rows<{ id: string }>("select min(id) as id from sites where publisher_id = $1", [
    publisher.id,
  ]);
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  const end = () => page.evaluate<number>("document.documentElement.scrollHeight - innerHeight - Math.round(scrollY)");
  await eventually(end).toBe(0);
  await leave();
  await page.getByRole("heading", { name: "History" }).waitFor();
  await page.evaluate("scrollTo(0, 100)");
  await scrolled().toBe(100);
  await untilPainted(page);
  await store.h.rows("delete from sites where id = $1", [row?.id]);
  await page.goBack();
  await page.getByRole("rowheader").nth(23).waitFor();
  await eventually(end).toBe(0);
  // A page of one thing is read before it is as long as it was.
  await page.goForward();
  await page.getByRole("heading", { name: "History" }).waitFor();
  await scrolled().toBe(100);
  await page.getByRole("link", { name: "Placements", exact: true }).click();
  await page.getByRole("heading", { name: "No placements yet" }).waitFor();
  await page.getByRole("link", { name: "Sites", exact: true }).click();
  await page.getByRole("rowheader").nth(23).waitFor();
  await scrolled().toBe(0);
  expect(await page.getByRole("rowheader").count()).toBe(24);
});
