import { beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_NAMES, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { holding } from "../../support/browser/holding.ts";
import { endMessages, keepMessages } from "../../support/browser/messages.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeInventory, makePlatform } from "../../support/factories.ts";
import { api, dataOf } from "../../support/api.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Counts something at a placement on each of the last days. */
const count = (placementId: string, siteId: string, publisherId: string) =>
  store.h.rows(
    `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, requests,
       fills, impressions, viewables, clicks, revenue_micros, gross_micros)
     select (now() at time zone 'UTC')::date - n, $1, '', '', 'US', $2, $3, 100, 90, 80, 60, 4, 2000000, 3000000
     from generate_series(0, 9) n`,
    [placementId, siteId, publisherId],
  );
const stateOf = async (table: "sites" | "placements" | "publishers", id: string) =>
  (await store.h.rows(`select * from ${table} where id = $1`, [id]))[0];

describe("a site", () => {
  it("shows its figures, is switched off with a reason, and on again by undoing", async () => {
    const { publisher, site, placement } = await makeInventory(store.h.db);
    await count(placement.id, site.id, publisher.id);
    const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/sites");
    await page.getByRole("link", { name: site.name }).click();
    await page.getByRole("heading", { name: site.name, level: 1 }).waitFor();
    const tile = (name: string) => page.locator(".tile").filter({ has: page.getByText(name, { exact: true }) });
    await eventually(() => tile("Requests").textContent()).toMatch(/^Requests1,000/);
    expect(await tile("Revenue").textContent()).toMatch(/^Revenue\$20\.00/);
    await page.locator(".chart canvas").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByText("As a table").click();
    expect(await page.locator("details").getByRole("rowheader").count()).toBe(30);
    await keepMessages(page);
    await page.getByRole("button", { name: "Switch off …", exact: true }).click();
    await page.getByLabel("Reason").fill("The shop asked for it");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Switch off", exact: true }).click();
    await page.getByText("inactive", { exact: false }).first().waitFor();
    expect(await stateOf("sites", site.id)).toMatchObject({ status: "inactive", ads_enabled: true });
    expect(await store.h.rows("select reason from webhook_logs where site_id = $1", [site.id])).toEqual([
      { reason: "The shop asked for it" },
    ]);
    await page.getByRole("region", { name: "History" }).getByText("inactive").waitFor();
    await page.getByRole("region", { name: "History" }).getByText("Reason: The shop asked for it").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    expect(await stateOf("sites", site.id)).toMatchObject({ status: "active" });
    await page.getByRole("button", { name: "Switch ads off …" }).click();
    await page.getByRole("button", { name: "Switch off", exact: true }).click();
    await page.getByText(`The ads of ${site.name} are off.`).waitFor();
    await page.getByRole("button", { name: "Switch ads on" }).click();
    const told = page.getByText(`The ads of ${site.name} are on.`);
    await told.waitFor();
    await eventually(() => page.getByRole("button", { name: "Switch ads off …" }).count()).toBe(1);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Switch ads off …");
    await page.getByRole("button", { name: "Close this message" }).last().focus();
    await endMessages(page);
    expect(await told.count()).toBe(1);
    await page.getByRole("button", { name: "Switch ads off …" }).focus();
    await endMessages(page);
    await eventually(() => told.count()).toBe(0);
    await eventually(() => stateOf("sites", site.id)).toMatchObject({ status: "active", ads_enabled: true });
    expect(problems).toEqual([]);
  });

  it("keeps what it shows in its place while it is read again", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
    await page.getByText("Sells").waitFor();
    const { asked, letGo } = await holding(page, `**/api/site/${site.id}`);
    await page.getByRole("button", { name: "Switch ads off …" }).click();
    await page.getByRole("button", { name: "Switch off", exact: true }).click();
    await page.getByRole("button", { name: "Switch ads on" }).waitFor();
    await asked;
    expect(await page.getByText("Sells").count()).toBe(1);
    letGo();
  });

  it("tells that it could not be read again, and that the service is back without being asked", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    await store.h.rows("update sites set ads_enabled = false where id = $1", [site.id]);
    const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
    await page.getByRole("button", { name: "Switch ads on" }).waitFor();
    const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
    const lists = "**/api/v1/directory/sites?**";
    await page.route(lists, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
    await page.getByRole("button", { name: "Switch ads on" }).click();
    await page.getByRole("alert").getByText("Something failed").waitFor();
    await page.unroute(lists);
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(() => page.getByRole("alert").count()).toBe(0);
    await page.route("**/api/site/**", (route) => route.abort());
    await page.getByRole("button", { name: "Switch ads off …" }).click();
    await page.getByRole("button", { name: "Switch off", exact: true }).click();
    const banner = page.getByText("The service cannot be reached. What you see may be out of date");
    await banner.waitFor();
    await eventually(() => banner.count()).toBe(0);
    expect(await stateOf("sites", site.id)).toMatchObject({ ads_enabled: true });
  });

  it("is edited in the version that was read, and asks where somebody else was first", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const token = publisher.privateKey;
    const { page } = await visitConsole(store, token, `/console/sites/${site.id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Description").fill("Mine");
    dataOf(await api(store.h, "PUT", `/api/site/${site.id}`, { token, body: { description: "Theirs" } }));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody has changed this in the meantime.").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Load the new version" }).click();
    await eventually(() => page.getByLabel("Description").inputValue()).toBe("Theirs");
    await page.getByLabel("Description").fill("Mine again");
    dataOf(await api(store.h, "PUT", `/api/site/${site.id}`, { token, body: { description: "Theirs again" } }));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await stateOf("sites", site.id)).toMatchObject({ description: "Mine again" });
  });

  it("is deleted by its name only, and not while its placements are active", async () => {
    const { publisher, site, placement } = await makeInventory(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, `/console/sites/${site.id}`);
    await page.getByRole("button", { name: "Delete …" }).click();
    const sure = page.getByRole("button", { name: "Delete for good" });
    expect(await sure.isDisabled()).toBe(true);
    await page.getByText("1 of its placements is active").waitFor();
    await page.getByLabel("Type its name to confirm").fill(site.name);
    await sure.click();
    await page.getByText(/FORBIDDEN · request/).waitFor();
    expect(await page.getByRole("alert").innerText()).toMatch(/^There are active placements;/);
    await store.h.rows("update placements set status = 'inactive' where id = $1", [placement.id]);
    await sure.click();
    await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor();
    expect(await stateOf("sites", site.id)).toBeUndefined();
  });
});

describe("a placement", () => {
  it("says that its publisher is off, and is switched off with a reason that its history tells", async () => {
    const { publisher, site, placement } = await makeInventory(store.h.db, {
      publisher: { status: "inactive", adsEnabled: false },
    });
    const { page, problems } = await visitConsole(store, publisher.privateKey, `/console/placements/${placement.id}`);
    const told = "its publisher is inactive, and the ads of its publisher are off";
    await page.getByText(`This placement shows no offers: ${told}.`).waitFor();
    await page.getByRole("button", { name: "Switch off …" }).click();
    await page.getByLabel("Reason").fill("The page is being rebuilt");
    await page.getByRole("button", { name: "Switch off", exact: true }).click();
    await page.getByText(`${placement.name} is off.`).waitFor();
    await page.getByRole("region", { name: "History" }).getByText("Reason: The page is being rebuilt").waitFor();
    await page.getByRole("link", { name: "Go to its publisher" }).click();
    await page.getByRole("link", { name: "1 site", exact: true }).waitFor();
    await page.getByRole("link", { name: "1 placement", exact: true }).waitFor();
    expect(await stateOf("placements", placement.id)).toMatchObject({ status: "inactive", site_id: site.id });
    expect(problems).toEqual([]);
  });
});

it("a placement in test mode tells why nothing is counted there, and how that begins", async () => {
  const { publisher, placement } = await makeInventory(store.h.db, { placement: { isLiveMode: false } });
  const { page } = await visitConsole(store, publisher.privateKey, `/console/placements/${placement.id}`);
  await page.getByText("In test mode, samples are shown and nothing is counted.").waitFor();
  expect(await page.getByText("Figures appear as soon as").count()).toBe(0);
});

describe("what a caller may not change", () => {
  it("has no buttons for a token that only reads, and none of its publisher's for a platform", async () => {
    const platform = await makePlatform(store.h.db);
    const { publisher, site, placement } = await makeInventory(store.h.db, {
      publisher: { platformId: platform.id },
    });
    const { bearer } = dataOf<{ bearer: string }>(
      await api(store.h, "POST", `/api/v1/publishers/${publisher.id}/api-tokens`, {
        token: publisher.privateKey,
        body: { name: "Reader", access: "READ", revenueAccess: false },
      }),
    );
    for (const token of [bearer, platform.token]) {
      const { page } = await visitConsole(store, token, `/console/sites/${site.id}`);
      await page.getByRole("link", { name: placement.name }).waitFor();
      expect(await page.getByRole("button", { name: /Edit|Delete|Switch/ }).count()).toBe(0);
      await page.getByRole("link", { name: placement.name }).click();
      await page.getByRole("heading", { name: placement.name, level: 1 }).waitFor();
      await page.getByText("On the shop’s page").waitFor();
      expect(await page.getByRole("button", { name: /Edit|Delete|Switch/ }).count()).toBe(0);
    }
  });

  it("is not there for others: an address of theirs shows nothing", async () => {
    const [own, other] = [await makeInventory(store.h.db), await makeInventory(store.h.db)];
    for (const path of [`sites/${other.site.id}`, `placements/${other.placement.id}`]) {
      const { page } = await visitConsole(store, own.publisher.privateKey, `/console/${path}`);
      await page.getByRole("heading", { name: /^This (?:site|placement) is not yours, or is gone$/ }).waitFor();
      const text = await page.locator("body").innerText();
      expect(text).not.toContain(other.site.name);
      expect(text).not.toContain(other.placement.name);
    }
  });
});

describe("every screen of a publisher", () => {
  it.each([
    [1280, "dark"],
    [390, "light"],
  ] as const)("bears hostile names and has nothing for axe-core, at %d pixels, %s", async (width, colorScheme) => {
    const options = { viewport: { width, height: 844 }, colorScheme };
    const [markup, rightToLeft, long] = HOSTILE_NAMES;
    const { publisher, site, placement } = await makeInventory(store.h.db, {
      publisher: { name: `${rightToLeft} ${width}`, contactName: markup },
      site: { name: long, domain: `${"w".repeat(60)}.example` },
      placement: { name: markup },
    });
    await count(placement.id, site.id, publisher.id);
    const paths = ["account", `sites/${site.id}`, `placements/${placement.id}`, `placements/${placement.id}/looks`];
    for (const path of paths) {
      const { page, problems } = await visitConsole(store, publisher.privateKey, `/console/${path}`, options);
      await page.getByRole("region").first().waitFor();
      await page.waitForLoadState("networkidle");
      expect([path, await findings(page, "body")]).toEqual([path, []]);
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, width]);
      expect([path, problems]).toEqual([path, []]);
    }
  });
});
