import { beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { HOSTILE_NAMES, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import {
  makeAdvertiser,
  makeInventory,
  makeOffer,
  makePlacement,
  makePlatform,
  makePublisher,
  makeUsage,
} from "../../support/factories.ts";
import { ALL, day, reporting } from "../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const { count } = reporting(() => store.h);

/** Makes a platform that has one of each kind, all with a name. */
const makeNamed = async (name: string) => {
  const platform = await makePlatform(store.h.db);
  const made = await makeInventory(store.h.db, {
    publisher: { platformId: platform.id, name: `${name}, publisher`, contactName: name },
    site: { name: `${name}, site` },
    placement: { name: `${name}, placement` },
  });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id, name: `${name}, advertiser` });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: `${name}, offer`, dailyCap: 10 });
  return { platform, advertiser, offer, ...made };
};
const list = (page: Page) => page.getByRole("list", { name: "What was found" });

it("finds what somebody runs by a part of its name, and leads there", async () => {
  const { platform, publisher, site, advertiser, offer } = await makeNamed("Juniper");
  const { page, problems } = await visitConsole(store, platform.token);
  await page.getByLabel("Find a publisher, site, placement, advertiser or offer").fill("junip");
  await eventually(() => list(page).getByRole("listitem").count()).toBe(5);
  expect(await list(page).getByRole("link").allInnerTexts()).toEqual(
    ["publisher", "site", "placement", "advertiser", "offer"].map((kind) => `Juniper, ${kind}`),
  );
  expect(await findings(page)).toEqual([]);
  await page.getByLabel("Find a publisher").fill("nobody is called so");
  await page.getByText("Nothing has a name like that.").waitFor();
  for (const { name } of [publisher, site, advertiser, offer]) {
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByLabel("Find a publisher").fill(name);
    await list(page).getByRole("link", { name }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
  }
  expect(problems).toEqual([]);
});

it("moves nothing that somebody is about to press", async () => {
  const { platform } = await makeNamed("Tamarack");
  const { page } = await visitConsole(store, platform.token);
  const late = Promise.withResolvers<void>();
  await page.route("**/api/v1/directory/publishers?*search=Tamarack*", async (route) => {
    await late.promise;
    await route.continue();
  });
  const answered = page.waitForResponse("**/api/v1/offers?*search=Tamarack*");
  await page.getByLabel("Find a publisher").fill("Tamarack");
  await answered;
  expect(await list(page).getByRole("listitem").count()).toBe(0);
  const top = () => page.evaluate<number>("document.querySelector('[aria-label=\"What was found\"]').offsetTop");
  late.resolve();
  await list(page).getByRole("listitem").first().waitFor();
  const before = await top();
  await page.getByText("5 found").waitFor();
  expect([await top(), await list(page).getByRole("listitem").count()]).toEqual([before, 5]);
});

it("finds a publisher its sites and placements, and nothing of others", async () => {
  const [own, other] = [await makeNamed("Rowan"), await makeNamed("Rowan tree")];
  const { page } = await visitConsole(store, own.publisher.privateKey);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (searchParams.has("search")) asked.push(pathname);
  });
  await page.getByLabel("Find a site or placement").fill("Rowan");
  await eventually(() => list(page).getByRole("link").allInnerTexts()).toEqual(["Rowan, site", "Rowan, placement"]);
  expect(asked.toSorted()).toEqual(["/api/v1/directory/placements", "/api/v1/directory/sites"]);
  await page.getByLabel("Find a site or placement").fill(other.site.name);
  await page.getByText("Nothing has a name like that.").waitFor();
});

it("tells how many it found, and leads to all where there are more than it shows", async () => {
  const { publisher, site } = await makeNamed("Sorrel");
  const { page } = await visitConsole(store, publisher.privateKey);
  const status = page.getByRole("region", { name: "Find" }).getByRole("status").last();
  await page.getByLabel("Find a site or placement").fill("Sorrel");
  await eventually(() => status.textContent()).toBe("2 found");
  for (let n = 0; n < 6; n += 1) await makePlacement(store.h.db, site.id, { name: `Sorrel ${n}` });
  await page.getByLabel("Find a site or placement").fill("sorre");
  await eventually(() => status.textContent()).toContain("The first 5 of each kind");
  expect(await findings(page)).toEqual([]);
  await page.getByRole("link", { name: "All 7 placements" }).click();
  await page.getByRole("heading", { name: "Placements", level: 1 }).waitFor();
  await eventually(() => page.getByRole("rowheader").count()).toBe(7);
});

it("tells a failure in words, and tries again", async () => {
  const { publisher, site } = await makeNamed("Hazel");
  const { page } = await visitConsole(store, publisher.privateKey);
  const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
  await page.route("**/api/v1/directory/sites?search=**", (route) =>
    route.fulfill({ status: 500, headers: { "x-request-id": "req_7" }, json: { success: false, error } }),
  );
  await page.getByLabel("Find a site or placement").fill("Hazel");
  const box = page.getByRole("region", { name: "Find" });
  await box.getByRole("alert").getByText("INTERNAL_SERVER_ERROR · request").waitFor();
  await page.unrouteAll();
  await box.getByRole("button", { name: "Try again" }).click();
  await list(page).getByRole("link", { name: site.name }).waitFor();
  expect(await box.getByRole("alert").count()).toBe(0);
});

it.each([
  [1280, "dark"],
  [390, "light"],
] as const)(
  "hostile names break neither overview nor lists of managers, at %d pixels, %s",
  async (width, colorScheme) => {
    const platform = await makePlatform(store.h.db, { name: `${width}${HOSTILE_NAMES[2].slice(4)}` });
    const [markup, rightToLeft, long] = HOSTILE_NAMES;
    // Names of publishers are unique, and other tests have publishers of such names.
    const names = [`${markup} found ${width}`, `${rightToLeft} found ${width}`, `${width}${long.slice(4)}`];
    const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id, name: long });
    for (const name of names) {
      const made = await makeInventory(store.h.db, {
        publisher: {
          platformId: platform.id,
          name,
          contactName: name,
          contactEmail: `${"w".repeat(60)}@${width}.example`,
        },
        site: { name },
        placement: { name },
      });
      await makePlacement(store.h.db, made.site.id, { name, status: "inactive" });
      const offer = await makeOffer(store.h.db, advertiser.id, { name, dailyCap: 10 });
      await makeUsage(store.h.db, offer.id, day(), 9);
      await count(made.placement.id, { ...ALL, offerId: offer.id, advertiserId: advertiser.id, day: day(-1) });
    }
    await makePublisher(store.h.db, { platformId: platform.id });
    const options = { viewport: { width, height: 844 }, colorScheme };
    const { page, problems } = await visitConsole(store, platform.token, "/console", options);
    const isWell = async (): Promise<void> => {
      for (const name of names)
        await page.locator("main").getByText(name, { exact: true }).filter({ visible: true }).first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.title()).toMatch(/ · Lanyap console$/);
    };
    await page.getByRole("region", { name: "Best offers" }).getByRole("link").nth(2).waitFor();
    await page.getByLabel("Find a publisher").fill(names[0] ?? "");
    await eventually(() => list(page).getByRole("listitem").count()).toBeGreaterThan(3);
    await isWell();
    for (const name of ["Publishers", "Sites", "Reports"]) {
      if (width < 900) await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await isWell();
    }
    expect(problems).toEqual([]);
  },
);
