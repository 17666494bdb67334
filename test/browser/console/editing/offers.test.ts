import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_NAMES, visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { keepMessages } from "../../../support/browser/messages.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeCreative, makeOffer, makePlatform } from "../../../support/factories.ts";
import { api, dataOf } from "../../../support/api.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const makeDemand = async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  return { platform, advertiser };
};
const rowOf = async (id: string) => (await store.h.rows("select * from offers where id = $1", [id]))[0];

describe("an offer", () => {
  it("is made beside its preview and forecast, and each wrong field is told", async () => {
    const { platform, advertiser } = await makeDemand();
    const { page, problems } = await visitConsole(store, platform.token, `/console/advertisers/${advertiser.id}`);
    await page.getByRole("link", { name: "New offer" }).click();
    await eventually(() => page.getByLabel("Advertiser", { exact: true }).inputValue()).toBe(advertiser.id);
    await page.getByLabel("Name", { exact: true }).fill("Coffee in November");
    await page.getByLabel("Line above the title").fill("Picked for you");
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("A bag of coffee");
    await page.getByLabel("Description").fill("Freshly roasted.");
    await page.getByLabel("Text of “accept”").fill("Send it");
    await page.getByLabel("Where a click leads").fill("https://coffee.example/?c={click_id}");
    await page.getByLabel("Bid (USD)").fill("0.45");
    await page.getByLabel("Countries").fill("US, XQ");
    await page.locator(".shop").getByRole("heading", { name: "A bag of coffee" }).waitFor();
    await eventually(() => page.getByText(/No forecast for now/).innerText()).toMatch(
      /^(?:(?!targeting\.countries)[^])*targeting\.countries(?:(?!targeting\.countries)[^])*$/,
    );
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("must be two-letter ISO 3166-1 country codes", { exact: true }).waitFor();
    await eventually(() => page.evaluate("document.activeElement.labels?.[0]?.textContent")).toBe("Countries");
    await page.getByLabel("Countries").fill("US, DE");
    await page.getByLabel("Daily cap").fill("100");
    expect(await page.getByText("None", { exact: true }).count()).toBe(2);
    await page.getByText("Placements reached").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Coffee in November", level: 1 }).waitFor();
    const [made] = await store.h.rows("select * from offers where advertiser_id = $1", [advertiser.id]);
    expect(made).toMatchObject({
      name: "Coffee in November",
      countries: ["US", "DE"],
      daily_cap: "100",
      pricing: "CPC",
    });
    expect(Number(made?.["bid_micros"])).toBe(450_000);
    await page.getByRole("meter", { name: "Today (UTC)" }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(problems.filter((text) => !text.includes("400 (Bad Request)"))).toEqual([]);
  });

  it("is for categories that are chosen from the list, also those with commas, and sends what changed alone", async () => {
    const { platform, advertiser } = await makeDemand();
    const offer = await makeOffer(store.h.db, advertiser.id, { countries: ["US"] });
    const { page, problems } = await visitConsole(store, platform.token, `/console/offers/${offer.id}/edit`);
    const sent: unknown[] = [];
    page.on("request", (request) => request.method() === "PUT" && sent.push(request.postDataJSON()));
    const airlines = "Travel, Tourism, and Transport > Airlines";
    await page.getByText("Choose categories").click();
    await page.getByLabel("Part of a category’s name").fill("airlines");
    const forecast = page.waitForResponse((response) => {
      const asked = response.request().postData() ?? "";
      return response.url().includes("/forecast") && asked.includes(airlines);
    });
    await page.getByLabel(airlines).check();
    await page.getByRole("button", { name: `Remove category ${airlines}` }).waitFor();
    // The forecast is dimmed until it is that of the category, and what is dimmed has too little contrast.
    await forecast;
    await eventually(() => page.locator(".is-loading").count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: offer.name, level: 1 }).waitFor();
    await page.getByText(airlines).waitFor();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("Languages").fill("en");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: offer.name, level: 1 }).waitFor();
    expect(sent).toEqual([{ targeting: { categories: [airlines] } }, { targeting: { languages: ["en"] } }]);
    expect(problems).toEqual([]);
  });

  it("is changed in the version that was read, paused with a way back, copied and deleted by its name", async () => {
    const { platform, advertiser } = await makeDemand();
    const offer = await makeOffer(store.h.db, advertiser.id, { name: "Tea" });
    await makeCreative(store.h.db, offer.id, { name: "Second words" });
    const { page } = await visitConsole(store, platform.token, "/console/offers");
    await page.getByRole("link", { name: "Tea" }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("Tea, freshly picked");
    const token = platform.token;
    dataOf(await api(store.h, "PUT", `/api/v1/offers/${offer.id}`, { token, body: { header: "Theirs" } }));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Somebody has changed this in the meantime.").waitFor();
    await page.getByRole("button", { name: "Overwrite with mine" }).click();
    await page.getByRole("heading", { name: "Tea", level: 1 }).waitFor();
    expect(await rowOf(offer.id)).toMatchObject({ title: "Tea, freshly picked", header: "Theirs" });
    const head = page.locator(".head");
    await keepMessages(page);
    await head.getByRole("button", { name: "Pause …" }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await head.getByText("Paused", { exact: true }).waitFor();
    await eventually(() => rowOf(offer.id)).toMatchObject({ status: "paused" });
    await page.getByRole("button", { name: "Undo" }).click();
    await head.getByText("Active", { exact: true }).waitFor();
    await head.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("heading", { name: "Tea (copy)", level: 1 }).waitFor();
    await page.getByText("Second words").waitFor();
    await head.getByRole("button", { name: "Delete …" }).click();
    await page.getByLabel("Type its name to confirm").fill("Tea (copy)");
    await page.getByRole("button", { name: "Delete or archive" }).click();
    await page.getByRole("heading", { name: "Offers", level: 1 }).waitFor();
    expect(await store.h.rows("select name, status from offers where advertiser_id = $1", [advertiser.id])).toEqual([
      { name: "Tea", status: "active" },
    ]);
  });

  it("has creatives, which are added, changed and stopped", async () => {
    const { platform, advertiser } = await makeDemand();
    const offer = await makeOffer(store.h.db, advertiser.id);
    const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}`);
    const card = page.getByRole("region", { name: "Creatives" });
    await card.getByRole("button", { name: "Add a creative" }).click();
    const dialog = page.getByRole("dialog", { name: "New creative" });
    await dialog.getByLabel("Name", { exact: true }).fill("Bolder");
    await dialog.getByLabel("Line above the title").fill("Now");
    await dialog.getByLabel("Title", { exact: true }).fill("Bolder words");
    await dialog.getByLabel("Description").fill("Much bolder.");
    await dialog.getByLabel("Text of “accept”").fill("Go");
    await dialog.getByLabel("Where a click leads").fill("http://not-secure.example");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.locator(".wrong").waitFor();
    await dialog.getByLabel("Where a click leads").fill("https://secure.example");
    await dialog.getByRole("button", { name: "Add" }).click();
    const line = card.getByRole("listitem").filter({ hasText: "Bolder" });
    await line.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Weight", { exact: true }).fill("25");
    await page.getByRole("button", { name: "Save" }).click();
    await line.getByText("Weight 25").waitFor();
    await line.getByRole("button", { name: "Pause …" }).click();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await line.getByText("Paused", { exact: true }).waitFor();
    await page.getByText("Bolder: paused.").waitFor();
    const made = await store.h.rows("select name, weight, status from offer_creatives where offer_id = $1", [offer.id]);
    expect(made).toEqual([{ name: "Bolder", weight: 25, status: "paused" }]);
  });
});

describe("an advertiser", () => {
  it("is made, shows its secret only when asked, and gets a new one", async () => {
    const platform = await makePlatform(store.h.db);
    const { page } = await visitConsole(store, platform.token, "/console/advertisers");
    await page.getByRole("heading", { name: "No advertisers yet" }).waitFor();
    await page.getByRole("button", { name: "New advertiser" }).click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Brindlecup");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Brindlecup", level: 1 }).waitFor();
    const [secret, pixelKey] = [0, 1].map((nth) => page.locator(".secret code").nth(nth)) as [Locator, Locator];
    expect(await secret.textContent()).toContain("•");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const first = await secret.textContent();
    expect(first).toMatch(/^lan_cs_\w{49}$/);
    const firstKey = await pixelKey.textContent();
    expect(firstKey).toMatch(/^lan_px_\w{49}$/);
    await page.getByRole("button", { name: "New secret and key …" }).click();
    await page.getByRole("button", { name: "Replace them now" }).click();
    await eventually(() => secret.textContent()).not.toBe(first);
    expect(await pixelKey.textContent()).not.toBe(firstKey);
    expect(await findings(page)).toEqual([]);
    await page.locator(".head").getByRole("button", { name: "Archive …" }).click();
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.locator(".head").getByText("Archived", { exact: true }).waitFor();
  });
});

it("what is sent again after an answer was lost is made once", async () => {
  const platform = await makePlatform(store.h.db);
  const { page } = await visitConsole(store, platform.token, "/console/advertisers");
  await page.getByRole("button", { name: "New advertiser" }).click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Twice");
  let isLost = false;
  await page.route("**/api/v1/advertisers", async (route) => {
    if (isLost || route.request().method() !== "POST") return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("UNREACHABLE").waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Twice", level: 1 }).waitFor();
  expect(await store.h.rows("select name from advertisers where platform_id = $1", [platform.id])).toEqual([
    { name: "Twice" },
  ]);
});

describe("every screen of demand", () => {
  it.each([
    [1280, "dark"],
    [390, "light"],
  ] as const)("bears hostile texts and has nothing for axe-core, at %d pixels, %s", async (width, colorScheme) => {
    const { platform, advertiser } = await makeDemand();
    const [markup, rightToLeft, long] = HOSTILE_NAMES;
    await store.h.rows("update advertisers set name = $1 where id = $2", [markup, advertiser.id]);
    const offer = await makeOffer(store.h.db, advertiser.id, {
      name: long,
      title: markup,
      header: rightToLeft,
      destinationUrl: `https://shop.example/${"w".repeat(900)}`,
      dailyCap: 10,
    });
    const paths = [
      "advertisers",
      `advertisers/${advertiser.id}`,
      "offers",
      `offers/${offer.id}`,
      `offers/${offer.id}/edit`,
    ];
    for (const path of paths) {
      const options = { viewport: { width, height: 844 }, colorScheme };
      const { page, problems } = await visitConsole(store, platform.token, `/console/${path}`, options);
      await page.getByRole("region").first().waitFor();
      await page.waitForLoadState("networkidle");
      expect([path, await findings(page, "body")]).toEqual([path, []]);
      expect([path, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([path, width]);
      expect([path, problems]).toEqual([path, []]);
    }
  });

  it("shows a platform nothing of another's", async () => {
    const [own, other] = [await makeDemand(), await makeDemand()];
    const foreign = await makeOffer(store.h.db, other.advertiser.id, { name: "Foreign tea" });
    const { page } = await visitConsole(store, own.platform.token, `/console/offers/${foreign.id}`);
    await page.getByRole("heading", { name: "This offer is not yours, or is gone" }).waitFor();
    await page.getByText("It belongs to somebody else, or it was deleted.").waitFor();
    expect(await page.getByText("Foreign tea").count()).toBe(0);
  });
});
