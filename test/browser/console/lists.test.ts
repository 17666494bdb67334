import { beforeAll, expect, it } from "vitest";
import { HOSTILE_NAMES, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import {
  makeAdvertiser,
  makeInventory,
  makeOffers,
  makePlacement,
  makePlatform,
  makePublisher,
  makeSite,
} from "../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("lists show a publisher its own, and a platform its publishers', and nothing of others", async () => {
  const platform = await makePlatform(store.h.db);
  const own = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const other = await makeInventory(store.h.db);
  for (const [token, pages] of [
    [own.publisher.privateKey, ["Sites", "Placements"]],
    [platform.token, ["Publishers", "Sites", "Placements"]],
  ] as const) {
    const { page } = await visitConsole(store, token);
    for (const name of pages) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await page.getByText("1–1 of 1").waitFor();
      const text = await page.locator("body").innerText();
      for (const { id, name: foreign } of [other.publisher, other.site, other.placement]) {
        expect(text).not.toContain(id);
        expect(text).not.toContain(foreign);
      }
    }
  }
});

it("a list of 10,000 sites is searched, filtered and paged, and its address says so", async () => {
  const publisher = await makePublisher(store.h.db);
  await store.h.rows(
    `insert into sites (id, publisher_id, name, status)
     select 'site_many' || n, $1, 'Shop number ' || n, case when n % 100 = 0 then 'inactive' else 'active' end
     from generate_series(1, 10000) n`,
    [publisher.id],
  );
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  await page.getByText("1–25 of 10,000").waitFor();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("26–50 of 10,000").waitFor();
  // The list's beginning is in sight, with the focus.
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Sites");
  expect(await page.evaluate("Math.round(document.activeElement.getBoundingClientRect().top)")).toBeGreaterThanOrEqual(
    0,
  );
  await page.getByLabel("Status").selectOption("inactive");
  await page.getByText("1–25 of 100").waitFor();
  await page.getByLabel("Name or domain").fill("number 99");
  await page.getByRole("rowheader", { name: "Shop number 9900" }).waitFor();
  expect(new URL(page.url()).search).toBe("?search=number+99&status=inactive");
  expect(await page.getByRole("rowheader").count()).toBe(1);
  await page.goBack();
  await page.getByText("1–25 of 10,000").waitFor();
  const search = page.getByLabel("Name or domain");
  await search.pressSequentially("shop ");
  await eventually(async () => new URL(page.url()).search).toBe("?search=shop");
  await search.pressSequentially("number 9901");
  await page.getByRole("rowheader", { name: "Shop number 9901" }).waitFor();
  expect(await search.inputValue()).toBe("shop number 9901");
  await page.getByLabel("Name or domain").fill("no such shop");
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("1–25 of 10,000").waitFor();
});

it("fields find one of more than a hundred by a part of its name, and show the one that was chosen", async () => {
  const platform = await makePlatform(store.h.db);
  const publisher = await makePublisher(store.h.db, { platformId: platform.id });
  const oldest = await makeSite(store.h.db, publisher.id, { name: "The oldest" });
  await makeSite(store.h.db, publisher.id, { name: "The second" });
  for (let n = 0; n < 100; n += 1) await makeSite(store.h.db, publisher.id);
  const { page, problems } = await visitConsole(store, publisher.privateKey, `/console/sites/${oldest.id}`);
  await page.getByRole("button", { name: "New placement" }).click();
  const field = page.getByLabel("Site", { exact: true });
  await eventually(() => field.inputValue()).toBe(oldest.id);
  await page.getByLabel("Part of the site’s name").fill("the second");
  await eventually(() => field.getByRole("option").allInnerTexts()).toEqual([
    "Choose a site",
    "The oldest",
    "The second",
  ]);
  await field.selectOption({ label: "The second" });
  await page.getByLabel("Name", { exact: true }).fill("Of an old site");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Of an old site", level: 1 }).waitFor();
  await page.getByRole("link", { name: "The second" }).waitFor();
  expect(problems).toEqual([]);

  const first = await makeAdvertiser(store.h.db, { platformId: platform.id, name: "The first" });
  for (let n = 0; n < 100; n += 1) await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await visitConsole(store, platform.token, `/console/offers/new?advertiserId=${first.id}`);
  const advertiser = offer.page.getByLabel("Advertiser", { exact: true });
  await eventually(() => advertiser.inputValue()).toBe(first.id);
  await advertiser.getByRole("option", { name: "The first", selected: true }).waitFor({ state: "attached" });
});

it("the first of many placements of a site, or offers of an advertiser, are said to be that", async () => {
  const platform = await makePlatform(store.h.db);
  const { site } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  for (let n = 0; n < 10; n += 1) await makePlacement(store.h.db, site.id);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  await makeOffers(store.h.db, advertiser.id, 12, () => ({}));
  const { page } = await visitConsole(store, platform.token, `/console/sites/${site.id}`);
  const placements = page.getByRole("region", { name: "Placements" });
  await placements.getByText("These are the latest 10 of 11.").waitFor();
  expect(await placements.getByRole("listitem").count()).toBe(10);
  await page.getByRole("link", { name: "Advertisers", exact: true }).click();
  await page.getByRole("link", { name: advertiser.name }).click();
  await page.getByRole("region", { name: "Offers" }).getByText("These are the latest 10 of 12.").waitFor();
});

it("addresses with filters show the same again", async () => {
  const { publisher, site } = await makeInventory(store.h.db, { placement: { isLiveMode: false, name: "Testing" } });
  await makePlacement(store.h.db, site.id, { name: "Living" });
  const { page } = await visitConsole(store, publisher.privateKey, "/console/placements?isLiveMode=false&page=1");
  await page.getByRole("rowheader", { name: "Testing" }).waitFor();
  expect(await page.getByLabel("Mode").inputValue()).toBe("false");
  expect(await page.getByText("Living").count()).toBe(0);
});

it("who cannot see a list is told how many it has, also that nothing fits", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/sites");
  const told = page.getByRole("region", { name: "Sites" }).getByRole("status").first();
  await eventually(() => told.textContent()).toBe("Sites: 1");
  await page.getByLabel("Status").selectOption("pending");
  await eventually(() => told.textContent()).toBe("Sites: no matches");
  await page.getByLabel("Status").selectOption("");
  await eventually(() => told.textContent()).toBe("Sites: 1");
  await page.getByRole("link", { name: "Explain" }).click();
  await page.getByRole("button", { name: "Choose a placement …" }).click();
  const picked = page.getByRole("dialog").getByRole("status").last();
  await eventually(() => picked.textContent()).toBe("1 found");
  await page.getByLabel("Part of its name").fill("nothing like it");
  await eventually(() => picked.textContent()).toBe("Nothing has a name like that.");
  expect(problems).toEqual([]);
});

it("a list without anything of a publisher or a site names it all the same", async () => {
  const platform = await makePlatform(store.h.db);
  const publisher = await makePublisher(store.h.db, { platformId: platform.id });
  const site = await makeSite(store.h.db, publisher.id);
  const at = `/console/placements?publisherId=${publisher.id}&siteId=${site.id}`;
  const { page, problems } = await visitConsole(store, platform.token, at);
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  for (const [what, name] of Object.entries({ Publisher: publisher.name, Site: site.name })) {
    await page.getByRole("button", { name: `Remove filter ${what}: ${name}` }).waitFor();
  }
  expect(problems).toEqual([]);
});

it("an empty list says how there will be something", async () => {
  const publisher = await makePublisher(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  await page.getByRole("heading", { name: "No sites yet" }).waitFor();
  expect(await findings(page)).toEqual([]);
});

it("hostile names are shown as they are, and break nothing", async () => {
  const publisher = await makePublisher(store.h.db, { name: HOSTILE_NAMES[0] + store.h.url });
  for (const name of HOSTILE_NAMES) {
    const site = await makeSite(store.h.db, publisher.id, { name, domain: "w".repeat(253) });
    await makePlacement(store.h.db, site.id, { name });
  }
  for (const width of [1280, 390]) {
    const options = { viewport: { width, height: 844 } };
    const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/sites", options);
    await eventually(() => page.getByRole("rowheader").count()).toBe(3);
    for (const name of HOSTILE_NAMES) expect(await page.getByText(name, { exact: true }).count()).toBeGreaterThan(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.title()).toBe("Sites · Lanyap console");
    expect(await findings(page)).toEqual([]);
    expect(problems).toEqual([]);
  }
});

it("a filter that is chosen while somebody types in the search stays", async () => {
  const publisher = await makePublisher(store.h.db);
  await makeSite(store.h.db, publisher.id, { name: "Shop on", status: "active" });
  await makeSite(store.h.db, publisher.id, { name: "Shop off", status: "inactive" });
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  await page.getByRole("rowheader", { name: "Shop on" }).waitFor();
  // Both at once, however slow this machine is: the search asks when the typing has paused.
  await page.getByLabel("Status").evaluate((element) => {
    type Field = { value: string; dispatchEvent: (event: Event) => boolean };
    const { document } = globalThis as unknown as { document: { querySelector: (name: string) => Field } };
    const search = document.querySelector("[data-search]");
    search.value = "Shop";
    search.dispatchEvent(new Event("input", { bubbles: true }));
    const status = element as unknown as Field;
    status.value = "inactive";
    status.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await eventually(() => Promise.resolve(new URL(page.url()).search)).toBe("?search=Shop&status=inactive");
  await page.getByText("1–1 of 1").waitFor();
  expect(await page.getByRole("rowheader").allInnerTexts()).toHaveLength(1);
});
