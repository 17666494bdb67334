import { beforeAll, describe, expect, it } from "vitest";
import type { Download, Page } from "playwright-core";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { ARMS } from "../../../functions/decision/arms.ts";
import { emailHash } from "../../../functions/core/keyed-hash.ts";
import { api, dataOf } from "../../support/api.ts";
import { walkConsole } from "../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import {
  makeAdvertiser,
  makeInventory,
  makeOffer,
  makePlatform,
  makeSite,
  makeUsage,
} from "../../support/factories.ts";
import { SECRETS } from "../../support/secrets.ts";
import { makeHit } from "../../support/tracking/hits.ts";
import { day, reporting } from "../../support/tracking/reporting.ts";

// What those who run offers ask every day: each is answered within three clicks from the overview.
const MOST_CLICKS = 3;

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const { count, part } = reporting(() => store.h);

/** Makes a platform with two publishers, two offers, and what they earned yesterday in two countries. */
const makeNetwork = async () => {
  const platform = await makePlatform(store.h.db);
  const shop = () => makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const [own, other] = [await shop(), await shop()];
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const make = (name: string, given = {}) => makeOffer(store.h.db, advertiser.id, { name, ...given });
  const [tea, coffee] = [await make("Tea"), await make("Coffee", { countries: ["DE"] })];
  const earn = (placementId: string, offerId: string, country: string, dollars: number) =>
    count(placementId, {
      offerId,
      country,
      advertiserId: advertiser.id,
      day: day(-1),
      impressions: 100,
      clicks: dollars,
      revenueMicros: dollars * 1e6,
      grossMicros: dollars * 3e6,
    });
  await earn(own.placement.id, tea.id, "US", 20);
  await earn(own.placement.id, tea.id, "DE", 3);
  await earn(own.placement.id, coffee.id, "DE", 9);
  await earn(other.placement.id, tea.id, "FR", 5);
  await count(own.placement.id, { offerId: "", requests: 4_000, fills: 3_600, day: day(-1) });
  return { platform, advertiser, other, tea, coffee, ...own };
};

const row = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
const goTo = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click();
const find = async (page: Page, name: string): Promise<void> => {
  await page.getByLabel("Find a", { exact: false }).fill(name);
  await page.getByRole("list", { name: "What was found" }).getByRole("link", { name }).click();
};
const contentOf = async (file: Download): Promise<string[]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString().trim().split("\r\n");
};

describe("what offers earn", () => {
  it("1: what did each publisher earn yesterday", async () => {
    const { platform, publisher, other } = await makeNetwork();
    const { page, clicks } = await walkConsole(store, platform.token);
    await goTo(page, "Reports");
    await page.getByLabel("From (UTC)").fill(day(-1));
    await page.getByLabel("To (UTC)").fill(day(-1));
    await row(page, publisher.name).getByText("$32.00", { exact: true }).waitFor();
    await row(page, other.publisher.name).getByText("$5.00", { exact: true }).waitFor();
    await eventually(() => page.getByRole("rowheader").count()).toBe(2);
    expect(await clicks()).toBe(1);
  });

  it("2: which offer is the best in a country", async () => {
    const { platform } = await makeNetwork();
    const { page, clicks } = await walkConsole(store, platform.token);
    await goTo(page, "Reports");
    await page.getByLabel("Rows").selectOption("OFFER");
    await row(page, "Tea").getByText("$28.00", { exact: true }).waitFor();
    await page.getByLabel("Country", { exact: true }).fill("de");
    await row(page, "Tea").getByText("$3.00", { exact: true }).waitFor();
    const named = page.getByRole("rowheader").getByRole("link");
    expect(await named.allInnerTexts()).toEqual(["Coffee", "Tea"]);
    expect(await row(page, "Coffee").innerText()).toContain("$9.00");
    expect(await clicks()).toBe(1);
  });

  it("5: how was each day of the month", async () => {
    const { publisher } = await makeNetwork();
    const { page, clicks } = await walkConsole(store, publisher.privateKey);
    const month = page.getByRole("region", { name: "The last 30 days" });
    await month.locator(".chart canvas").waitFor();
    await month.getByLabel("Figure").selectOption("clicks");
    await month.getByRole("img", { name: /^Clicks by day/ }).waitFor();
    await month.getByText("As a table").click();
    const days = month.locator("details").getByRole("row");
    await eventually(() => days.nth(2).innerText()).toMatch(/\b4,000\b.*\$32\.00/s);
    expect(await days.count()).toBe(31);
    expect(await clicks()).toBe(1);
  });

  it("6: the month as a file for accounting", async () => {
    const { platform, publisher, other } = await makeNetwork();
    const { page, clicks } = await walkConsole(store, platform.token);
    await goTo(page, "Reports");
    await page.getByLabel("Broken down").selectOption("MONTH");
    await page.getByLabel("From (UTC)").fill(day(-1));
    await page.getByLabel("To (UTC)").fill(day(-1));
    await row(page, publisher.name).waitFor();
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV", exact: true }).click();
    const [head = "", ...lines] = await contentOf(await coming);
    const at = (name: string) => head.split(",").indexOf(name);
    const of = (id: string) => lines.find((line) => line.includes(id))?.split(",") ?? [];
    const month = `${day(-1).slice(0, 7)}-01`;
    for (const [id, revenue] of [
      [publisher.id, "32"],
      [other.publisher.id, "5"],
    ] as const) {
      expect([of(id)[at("date")], of(id)[at("revenue")]]).toEqual([month, revenue]);
    }
    expect(lines).toHaveLength(2);
    expect(await clicks()).toBe(2);
  });

  it("11: what did the learned order gain", async () => {
    const { platform, publisher } = await makeNetwork();
    await part(publisher.id, ARMS.learned, 100, (n) => 20 + (n % 2));
    await part(publisher.id, ARMS.holdout, 10, (n) => 1 + (n % 2));
    const { page, clicks } = await walkConsole(store, platform.token);
    await goTo(page, "Reports");
    await goTo(page, "What learning earned");
    const told = page.getByRole("region", { name: "Revenue of publishers" });
    // A learned request earns 0.205 USD, and one that is held out 0.15.
    await told.getByText(`Since ${day(-3)} learning earned 55.00 USD more revenue for a thousand requests`).waitFor();
    await told.getByText("$352.00").waitFor();
    expect(await clicks()).toBe(2);
  });
});

describe("what is wrong", () => {
  it("3: why is that offer not shown here", async () => {
    const { publisher, placement, site, advertiser } = await makeNetwork();
    await makeOffer(store.h.db, advertiser.id, { name: "Cocoa", includeSites: [site.id], countries: ["CA"] });
    const { page, clicks } = await walkConsole(store, publisher.privateKey);
    await find(page, placement.name);
    await goTo(page, "Why these offers");
    await row(page, "Cocoa").waitFor();
    await page.getByLabel("Country").fill("US");
    await page.keyboard.press("Enter");
    await row(page, "Cocoa").getByText("It is for other countries").waitFor();
    expect(await clicks()).toBeLessThanOrEqual(MOST_CLICKS);
  });

  it("4: which offers are near their caps", async () => {
    const { platform, advertiser } = await makeNetwork();
    const near = await makeOffer(store.h.db, advertiser.id, { name: "Nearly used up", dailyCap: 10 });
    await makeUsage(store.h.db, near.id, day(), 9);
    const { page, clicks } = await walkConsole(store, platform.token);
    const line = page.getByRole("listitem").filter({ hasText: "Nearly used up" });
    await line.getByText("has used 90%").waitFor();
    await line.getByRole("link").click();
    const gauge = page.getByRole("meter", { name: "Today (UTC)" });
    await eventually(() => gauge.getAttribute("aria-valuenow")).toBe("9");
    expect(await gauge.getAttribute("aria-valuemax")).toBe("10");
    expect(await clicks()).toBe(1);
  });

  it("7: which sites are switched off", async () => {
    const { platform, publisher } = await makeNetwork();
    const off = await makeSite(store.h.db, publisher.id, { name: "On holiday", status: "inactive" });
    const { page, clicks } = await walkConsole(store, platform.token);
    await page.getByRole("listitem").filter({ hasText: "Sites switched off" }).getByRole("link").click();
    await page.getByText("1–1 of 1").waitFor();
    const named = page.getByRole("rowheader").getByRole("link");
    expect([await named.innerText(), await named.getAttribute("href")]).toEqual([off.name, `/console/sites/${off.id}`]);
    expect(await clicks()).toBe(1);
  });

  it("8: who changed what", async () => {
    const { platform, publisher, site } = await makeNetwork();
    const body = { description: "Leaves and beans" };
    dataOf(await api(store.h, "PUT", `/api/site/${site.id}`, { token: publisher.privateKey, body }));
    const { page, clicks } = await walkConsole(store, platform.token);
    await goTo(page, "Audit");
    const change = page.getByRole("row").filter({ hasText: site.id });
    await change.getByText("The publisher", { exact: true }).waitFor();
    expect(await change.locator("ins").allInnerTexts()).toEqual(["Leaves and beans"]);
    expect(await clicks()).toBe(1);
  });
});

describe("what has to be done at once", () => {
  it.each(["publisher", "platform"] as const)("9: a leaked key is replaced, by the %s", async (kind) => {
    const { platform, publisher } = await makeNetwork();
    const { page, clicks } = await walkConsole(store, kind === "platform" ? platform.token : publisher.privateKey);
    await (kind === "platform" ? find(page, publisher.name) : goTo(page, "Account and keys"));
    const keys = page.getByRole("region", { name: "Public keys" });
    await keys.getByRole("button", { name: "Rotate …" }).click();
    await page.getByLabel("The old one").selectOption("3600");
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    const next = await page.getByRole("group", { name: "The new key" }).locator("code").textContent();
    const valid = await store.h.rows(
      `select key, round(extract(epoch from expires_at - now()) / 60)::int as minutes
       from public_keys where publisher_id = $1 order by created_at`,
      [publisher.id],
    );
    expect(valid).toEqual([
      { key: publisher.publicKey, minutes: 60 },
      { key: next, minutes: null },
    ]);
    expect(await clicks()).toBe(MOST_CLICKS);
  });

  it.each(["publisher", "administrator"] as const)("10: a customer is forgotten, by the %s", async (kind) => {
    const { publisher, placement } = await makeNetwork();
    const address = `${publisher.id}-customer@shop.example`;
    const hitOf = (email: string) =>
      makeHit({ placementId: placement.id, emailHash: emailHash(SECRETS.SESSION_KEY, email) });
    const [gone, kept] = [hitOf(address), hitOf(`not-${address}`)];
    await recordHits(store.h.db, [gone, kept]);
    const token = kind === "publisher" ? publisher.privateKey : SECRETS.ADMIN_TOKEN;
    const { page, clicks } = await walkConsole(store, token);
    await (kind === "publisher" ? goTo(page, "Account and keys") : find(page, publisher.name));
    await page.getByRole("button", { name: "Forget a customer …" }).click();
    await page.getByLabel("E-mail address").fill(address);
    await page.getByRole("button", { name: "Forget for good" }).click();
    await page.getByText("1 hit, 0 rejected and 0 waiting messages held something of this customer").waitFor();
    expect(await clicks()).toBe(MOST_CLICKS);
    const linked = "select id from events where id = any($1) and email_hash is not null";
    expect(await store.h.rows(linked, [[gone.id, kept.id]])).toEqual([{ id: kept.id }]);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("region", { name: "History" }).getByText("forgot a customer of").waitFor();
  });
});
