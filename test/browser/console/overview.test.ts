import { beforeAll, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { openConsole, signIn, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import {
  makeAdvertiser,
  makeInventory,
  makeOffer,
  makePlatform,
  makePublisher,
  makeSite,
} from "../../support/factories.ts";
import { SECRETS } from "../../support/secrets.ts";
import { makeHit } from "../../support/tracking/hits.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Makes an offer whose click rate was found to have fallen. */
const makeFallen = async (advertiserId: string) => {
  const { id } = await makeOffer(store.h.db, advertiserId, { name: "Hardly clicked" });
  await store.h.rows(
    `insert into rate_offers (offer_id, advertiser_click_rate, advertiser_conversion_rate, shifted_on, shift_ratio,
       shifted_creative) values ($1, 0.02, 0.05, (now() at time zone 'UTC')::date - 1, 0.375, 1)`,
    [id],
  );
};

/** Makes a platform whose day went somehow, with something that needs attention of each kind. */
const makeDay = async () => {
  const platform = await makePlatform(store.h.db);
  const { publisher, site, placement } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const near = await makeOffer(store.h.db, advertiser.id, { name: "Nearly used up", dailyCap: 10 });
  await store.h.rows("insert into offer_usage (offer_id, day, used) values ($1, (now() at time zone 'UTC')::date, 9)", [
    near.id,
  ]);
  await makeFallen(advertiser.id);
  await makeSite(store.h.db, publisher.id, { status: "inactive" });
  await store.h.rows(
    `insert into daily_counters (day, placement_id, offer_id, advertiser_id, country, site_id, publisher_id, requests,
       fills, impressions, viewables, clicks, revenue_micros, gross_micros)
     select (now() at time zone 'UTC')::date - n, $1, '', '', 'US', $2, $3, 1000, 900, 800, 600, 40, 20000000, 30000000
     from generate_series(0, 9) n`,
    [placement.id, site.id, publisher.id],
  );
  await store.h.rows(
    `insert into hourly_requests (hour, placement_id, country, reason, arm, requests)
     values (date_trunc('hour', now()) - interval '2 days', $1, 'US', 'no_eligible_offer', '0', 12)`,
    [placement.id],
  );
  return { platform, publisher, site, placement, near };
};

it("the overview tells a platform how its day goes, and leads to where what needs attention is mended", async () => {
  const { platform, placement, near } = await makeDay();
  const { page, problems } = await visitConsole(store, platform.token);
  const tile = (name: string) => page.locator(".tile").filter({ has: page.getByText(name, { exact: true }) });
  await eventually(() => tile("Requests").textContent()).toMatch(/^Requests1,000/);
  expect(await tile("Revenue per 1,000 requests").textContent()).toContain("$20.00");
  for (const title of ["Best placements", "Worst placements", "Best offers", "Worst offers"])
    await page.getByRole("heading", { name: `${title}, last 7 days` }).waitFor();
  await page.locator(".chart canvas").waitFor();
  await page.getByRole("region", { name: "Best placements" }).getByRole("link", { name: placement.name }).waitFor();
  const attention = page.getByRole("region", { name: "What needs attention" });
  await attention.getByText("12 requests in the last seven days got no offer.").waitFor();
  await attention.getByText("has used 90%").waitFor();
  const fallen = attention.getByRole("listitem").filter({ hasText: "Hardly clicked" });
  await fallen.getByText("got 37.5% of the expected clicks for some days.").waitFor();
  await attention.getByText("1 site shows no offers.").waitFor();
  expect(await findings(page)).toEqual([]);
  await attention.getByRole("listitem").filter({ hasText: "Nearly used up" }).getByRole("link").click();
  await page.getByRole("heading", { name: near.name, level: 1 }).waitFor();
  await page.goBack();
  await attention.getByRole("listitem").filter({ hasText: "Sites switched off" }).getByRole("link").click();
  await page.getByText("1–1 of 1").waitFor();
  expect(new URL(page.url()).search).toBe("?status=inactive");
  expect(problems).toEqual([]);
});

it("the overview shows a publisher its own, and one without revenue no money", async () => {
  const { publisher, placement } = await makeDay();
  await store.h.rows("update api_tokens set revenue_access = false where publisher_id = $1", [publisher.id]);
  const { page } = await visitConsole(store, publisher.privateKey, "/console", {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  await page.getByRole("region", { name: "Best placements" }).getByRole("link", { name: placement.name }).waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/\$|Revenue|Nearly used up/);
  expect(await findings(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
});

it("each thing that needs attention leads to where it is mended", async () => {
  const { platform, placement, site, near } = await makeDay();
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const unseen = await makeOffer(store.h.db, advertiser.id, {
    name: "Seen by nobody",
    countries: ["CH"],
    includeSites: [site.id],
  });
  const ended = await makeOffer(store.h.db, advertiser.id, { name: "Over", endsAt: new Date(Date.now() - 3_600_000) });
  await store.h.rows("update offers set created_at = now() - interval '3 days' where id = $1", [unseen.id]);
  await store.h.rows(
    `insert into hourly_requests (hour, placement_id, country, reason, arm, requests)
     values (date_trunc('hour', now()) - interval '2 days', $1, 'US', 'site_not_active', '0', 3)`,
    [placement.id],
  );
  const hit = makeHit({ placementId: placement.id });
  await store.h.deliver([{ id: newId("event"), body: { type: "hit", hit: { ...hit, country: "nowhere" } } }]);
  const { page, problems } = await visitConsole(store, platform.token);
  const line = (text: string) =>
    page.getByRole("region", { name: "What needs attention" }).getByRole("listitem").filter({ hasText: text });
  await line("Seen by nobody").waitFor();
  const leads = async (text: string) => line(text).getByRole("link").getAttribute("href");
  expect(await leads("Sites switched off")).toBe("/console/sites?status=inactive");
  expect(await leads("Over")).toBe(`/console/offers/${ended.id}`);
  expect(await leads("Empty answers: site not active")).toBe("/console/sites?status=inactive");
  expect(await leads("Empty answers: no eligible offer")).toBe("/console/explain");
  expect(await leads("Messages not understood")).toBe("/console/messages");

  await line(near.name).getByRole("link").click();
  await page.getByRole("meter", { name: "Today (UTC)" }).waitFor();
  await eventually(() => page.evaluate("document.activeElement.id")).toBe("caps");
  await page.getByRole("region", { name: "Caps" }).getByRole("link", { name: "Change them" }).click();
  await eventually(() => page.getByLabel("Daily cap").inputValue()).toBe("10");
  await eventually(() => page.evaluate("document.activeElement.id")).toBe("price");

  await page.goto(`${store.h.url}/console`);
  await signIn(page, platform.token);
  await line("Seen by nobody").getByRole("link").click();
  const told = page.getByRole("table", { name: "Offers" });
  await told.getByRole("rowheader", { name: "Seen by nobody" }).waitFor();
  expect(await told.getByRole("rowheader").count()).toBe(1);
  expect(await told.innerText()).toContain("It is for other countries");
  await page.getByRole("link", { name: placement.name }).first().waitFor();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Remove filter Offer: Seen by nobody" }).click();
  await eventually(() => told.getByRole("rowheader").count()).toBeGreaterThan(1);
  expect(problems).toEqual([]);
});

it("what waits in the service leads its administrator to the operations", async () => {
  const { page } = await openConsole(store);
  const json = { status: "ok", checks: { postgres: "ok", kv: "ok" }, outboxAgeSeconds: 900, deadLetters: 2 };
  await page.route("**/health?deep=1", (route) => route.fulfill({ json: { ...json, cronLastRunAt: null } }));
  await signIn(page, SECRETS.ADMIN_TOKEN);
  for (const text of ["Publishing is late", "Messages waiting"]) {
    const line = page.getByRole("listitem").filter({ hasText: text });
    expect(await line.getByRole("link").getAttribute("href")).toBe("/console/operations");
  }
});

it("the overview of somebody new says what to do", async () => {
  const platform = await makePlatform(store.h.db);
  const { page } = await visitConsole(store, platform.token);
  await page.getByText("Nothing needs attention").waitFor();
  await page.getByRole("heading", { name: "Nothing has been counted yet" }).waitFor();
  expect(await findings(page)).toEqual([]);
  const publisher = await makePublisher(store.h.db);
  const { page: own } = await visitConsole(store, publisher.privateKey);
  const link = own.getByRole("region", { name: "What needs attention" }).getByRole("link");
  expect(await link.textContent()).toBe("Create your first site");
  expect(await own.getByText("all sites are on").count()).toBe(0);
  expect(await findings(own)).toEqual([]);
  await link.click();
  await own.getByRole("heading", { name: "No sites yet" }).waitFor();
});

it("the overview promises nothing of offers to a publisher that only has a placement in test mode", async () => {
  const { publisher } = await makeInventory(store.h.db, { placement: { isLiveMode: false } });
  const { page } = await visitConsole(store, publisher.privateKey);
  const note = page.getByText("Nothing needs attention");
  await note.waitFor();
  expect(await note.innerText()).toBe(
    "Nothing needs attention: your sites are on, and no request of the last seven days went without an offer.",
  );
});

it("the overview is calm only where all is on, and all was read", async () => {
  const platform = await makePlatform(store.h.db);
  const own = { platformId: platform.id };
  const off = await makePublisher(store.h.db, { ...own, status: "inactive", adsEnabled: false });
  const { page } = await openConsole(store);
  const lists = "**/api/v1/directory/sites?**";
  const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
  await page.route(lists, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
  await signIn(page, platform.token);
  const attention = page.getByRole("region", { name: "What needs attention" });
  await attention.getByText("Ads of publishers switched off").waitFor();
  const leads = await attention
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(leads).toEqual(["/console/publishers?status=inactive", "/console/publishers?adsEnabled=false"]);
  await store.h.rows("update publishers set status = 'active', ads_enabled = true where id = $1", [off.id]);
  await page.getByRole("link", { name: "Publishers", exact: true }).click();
  await page.getByRole("rowheader", { name: off.name }).waitFor();
  await page.getByRole("link", { name: "Overview", exact: true }).click();
  await attention.getByText("Something failed").waitFor();
  expect(await attention.getByText("Nothing needs attention").count()).toBe(0);
  await page.unroute(lists);
  await attention.getByRole("button", { name: "Try again" }).click();
  await attention.getByText("Nothing needs attention").waitFor();

  await makeFallen((await makeAdvertiser(store.h.db, own)).id);
  const { page: later } = await visitConsole(store, platform.token);
  await later.getByText("Hardly clicked").waitFor();
  expect(await later.getByText("Nothing needs attention").count()).toBe(0);

  await store.h.rows("update publishers set ads_enabled = false where id = $1", [off.id]);
  const { page: owns } = await visitConsole(store, off.privateKey);
  await owns.getByText("Your ads are switched off: none of your sites shows offers.").waitFor();
  expect(await owns.getByText("Nothing needs attention").count()).toBe(0);
});

it("an overview that cannot be read says so, shows nothing as on its way, and comes when it is tried again", async () => {
  const platform = await makePlatform(store.h.db);
  const { page } = await openConsole(store);
  const overview = "**/api/v1/overview";
  const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
  await page.route(overview, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
  await signIn(page, platform.token);
  await page.getByText("Something failed").waitFor();
  await page.getByRole("heading", { name: "Nothing has been counted yet" }).waitFor();
  expect(await page.getByRole("status", { name: "Loading" }).count()).toBe(0);
  expect(await page.locator(".bone").count()).toBe(0);
  await page.unroute(overview);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Nothing needs attention").waitFor();
  expect(await page.getByText("Something failed").count()).toBe(0);
});
