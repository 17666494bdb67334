import { beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { HOSTILE_NAMES, visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement, makePlatform } from "../../../support/factories.ts";
import { ALL, day, reporting } from "../../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const counters = reporting(() => store.h);

/** Makes a platform whose publisher has a placement that was busy lately and one that was busy before. */
const makeBusy = async () => {
  const platform = await makePlatform(store.h.db);
  const made = await makeInventory(store.h.db, {
    publisher: { platformId: platform.id },
    placement: { name: "Thanks" },
  });
  const old = await makePlacement(store.h.db, made.site.id, { name: "Basket" });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id, name: "Juniper" });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "First bag" });
  const own = { offerId: offer.id, advertiserId: advertiser.id };
  await counters.count(made.placement.id, { ...ALL, ...own, day: day(-1) });
  await counters.count(made.placement.id, { ...ALL, ...own, day: day(-2), clicks: 5, country: "DE" });
  await counters.count(made.placement.id, { ...ALL, ...own, day: day(-9) });
  await counters.count(old.id, { ...ALL, ...own, day: day(-9), impressions: 8 });
  return { platform, offer, old, ...made };
};
const weekly = `from=${day(-6)}&to=${day()}`;
const rowOf = (page: Page, name: string | RegExp) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
const textsOf = async (page: Page, name: string | RegExp) => rowOf(page, name).getByRole("cell").allInnerTexts();
const rowsOf = (page: Page) => page.getByRole("row").allInnerTexts();
const linkOf = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

describe("reports", () => {
  it("show no figures of before under other days, or under another split", async () => {
    const { platform, publisher, site } = await makeBusy();
    const { page } = await visitConsole(store, platform.token, `/console/reports?${weekly}`);
    await rowOf(page, publisher.name).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/api\/report\?.*reportType=SITE/, async (route) => {
      await held.promise;
      await route.fallback();
    });
    await page.getByLabel("Rows").selectOption("SITE");
    const table = page.getByRole("group", { name: "Report" });
    await eventually(() => table.getAttribute("aria-busy")).toBe("true");
    expect(await table.getByRole("columnheader").first().innerText()).toBe("Publisher");
    expect(await rowOf(page, publisher.name).count()).toBe(1);
    held.resolve();
    await rowOf(page, site.name).waitFor();
    expect(await rowOf(page, publisher.name).count()).toBe(0);
    await page.getByLabel("From (UTC)").fill(day(-200));
    await page.getByRole("alert").first().waitFor();
    await eventually(() => page.getByRole("rowheader").count()).toBe(0);
    expect(await page.getByLabel("In all").count()).toBe(0);
  });

  it("split, keep to one, break down and compare, and the link shows the same again", async () => {
    const { platform, publisher, old, offer } = await makeBusy();
    const { page, context, problems } = await visitConsole(store, platform.token, "/console/reports");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    expect(await textsOf(page, publisher.name)).toEqual([]);
    await rowOf(page, publisher.name).waitFor();
    await page.getByLabel("Rows").selectOption("PLACEMENT");
    await rowOf(page, "Basket").waitFor();
    await page.getByLabel("Period").selectOption("7");
    await eventually(() => rowOf(page, "Basket").count()).toBe(0);
    expect((await textsOf(page, "Thanks")).slice(0, 2)).toEqual(["200", "90%"]);
    expect(await textsOf(page, "Thanks")).toContain("$7.00");
    await page.getByLabel("Compare with").selectOption("before");
    await rowOf(page, "Basket").waitFor();
    expect((await textsOf(page, "Basket"))[0]).toBe("0\n-100%");
    expect((await textsOf(page, "Thanks"))[0]).toBe("200\n+100%");
    await page.getByLabel("split further").selectOption("COUNTRY");
    await eventually(() => rowOf(page, "Thanks").count()).toBe(2);
    await page.getByRole("button", { name: "Only Thanks" }).first().click();
    await page.getByRole("button", { name: "Remove filter Placement: Thanks" }).waitFor();
    await eventually(() => rowOf(page, "Basket").count()).toBe(0);
    await page.getByRole("button", { name: "One offer …" }).click();
    await page.getByLabel("Part of its name").fill("First");
    await page.getByRole("button", { name: "Choose First bag" }).click();
    await page.getByRole("button", { name: "Remove filter Offer: First bag" }).waitFor();
    await page.getByLabel("Broken down").selectOption("DAY");
    await page.getByLabel("Order").selectOption("clicks");
    await eventually(async () => (await textsOf(page, "Thanks").then((texts) => texts.join())).includes("DE")).toBe(
      true,
    );
    await page.getByRole("button", { name: "Copy link" }).click();
    const link = new URL(await linkOf(page));
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      by: "PLACEMENT",
      and: "COUNTRY",
      per: "DAY",
      against: "before",
      sort: "clicks",
      offerId: offer.id,
      from: day(-6),
      to: day(),
    });
    expect(link.href).not.toContain(platform.token);
    const again = await visitConsole(store, platform.token, link.pathname + link.search);
    await again.page.getByRole("button", { name: "Remove filter Offer: First bag" }).waitFor();
    // Either page may still be drawing what was asked for last.
    await eventually(async () => [await rowsOf(page), await rowsOf(again.page)]).toSatisfy(
      ([shown, same]) => shown.length > 1 && shown.join("|") === same.join("|"),
    );
    expect((await rowsOf(page)).join()).not.toContain(old.id);
    expect(problems).toEqual([]);
  });

  it("are saved as CSV of what is shown", async () => {
    const { publisher } = await makeBusy();
    await counters.grant(publisher.id, true, false);
    const { page } = await visitConsole(store, publisher.privateKey, `/console/reports?by=SITE&per=DAY&${weekly}`);
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV", exact: true }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/^report-.*\.csv$/);
    const stream = await file.createReadStream();
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const [head, ...rows] = Buffer.concat(chunks).toString().trim().split("\r\n");
    expect(head).toMatch(/^date,siteId,siteName,requests,/);
    expect(head).not.toContain("gross");
    expect(rows).toHaveLength(2);
    await page.route("**/api/report?**", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "5" },
        json: { success: false, error: { code: "RATE_LIMIT_EXCEEDED", message: "Too many" } },
      }),
    );
    await page.getByRole("button", { name: "CSV", exact: true }).click();
    await page.getByText("The file could not be made: Too many (RATE_LIMIT_EXCEEDED)").waitFor();
  });

  it("say which money a token does not show, and show nothing of others", async () => {
    const { publisher, offer } = await makeBusy();
    const other = await makeBusy();
    await counters.grant(publisher.id, false, false);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/reports?by=OFFER&and=SITE");
    await rowOf(page, offer.name).waitFor();
    await page.getByText("neither revenue nor what advertisers owe. That does not mean zero").waitFor();
    const text = await page.locator("main").innerText();
    expect(text).not.toMatch(/\$|Profit|Revenue/);
    for (const foreign of [other.publisher.name, other.site.name, other.site.id]) expect(text).not.toContain(foreign);
    expect(await page.getByRole("button", { name: "One publisher …" }).count()).toBe(0);
    await page.getByRole("button", { name: "One offer …" }).click();
    await eventually(() => page.getByRole("dialog").getByRole("listitem").count()).toBe(1);
    await page.goto(`${store.h.url}/console`);
    const { page: asking } = await visitConsole(
      store,
      publisher.privateKey,
      `/console/reports?siteId=${other.site.id}`,
    );
    await asking.getByRole("heading", { name: "No matches" }).waitFor();
    expect(await asking.locator("main").innerText()).not.toContain(other.site.name);
  });

  it("show in the field of the country what they are kept to", async () => {
    const { publisher } = await makeBusy();
    const { page } = await visitConsole(store, publisher.privateKey, "/console/reports");
    const country = page.getByLabel("Country");
    await country.fill("D");
    await page.getByLabel("Rows").focus();
    await eventually(() => country.inputValue()).toBe("");
    expect(new URL(page.url()).search).toBe("");
    await country.fill("de");
    await eventually(async () => new URL(page.url()).search).toBe("?country=DE");
    await page.getByLabel("Rows").focus();
    await eventually(() => country.inputValue()).toBe("DE");
  });

  it("read what failed once more, also where that is what they are compared with", async () => {
    const { platform, publisher } = await makeBusy();
    const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
    const { page } = await visitConsole(store, platform.token);
    const compared = new RegExp(`/api/report\\?.*dateEnd=${day(-7).replaceAll("-", "")}.*PUBLISHER`);
    await page.route(compared, (route) => route.fulfill({ status: 500, json: { success: false, error } }));
    await page.getByRole("link", { name: "Reports", exact: true }).click();
    await page.getByLabel("Period").selectOption("7");
    await page.getByLabel("Compare with").selectOption("before");
    await page.getByRole("alert").getByText("Something failed").waitFor();
    await page.unroute(compared);
    await page.getByRole("button", { name: "Try again" }).click();
    await eventually(() => page.getByRole("alert").count()).toBe(0);
    expect((await textsOf(page, publisher.name))[0]).toBe("200\n0%");
  });

  it("tell a failure in words, and what is empty", async () => {
    const { publisher } = await makeInventory(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/reports");
    await page.getByRole("heading", { name: "Nothing was counted on these days" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByLabel("From (UTC)").fill("2020-01-01");
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByRole("alert").first().innerText()).toMatch(/VALIDATION_FAILED · request req_/);
  });

  it.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)(
    "have nothing that axe-core finds, at %d pixels, %s, also with hostile names",
    async (width, colorScheme) => {
      const { platform, site, placement } = await makeBusy();
      for (const name of HOSTILE_NAMES) {
        const { id } = await makePlacement(store.h.db, site.id, { name });
        await counters.count(id, { ...ALL, day: day(-1) });
      }
      const options = { viewport: { width, height: 900 }, colorScheme };
      const path = `/console/reports?by=PLACEMENT&against=before&${weekly}`;
      const { page, problems } = await visitConsole(store, platform.token, path, options);
      await page.locator(".chart canvas").waitFor();
      await rowOf(page, placement.name).first().waitFor();
      for (const name of HOSTILE_NAMES) await page.getByText(name, { exact: true }).first().waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      await page.getByRole("link", { name: "What learning earned" }).click();
      await page.getByText("Experiment arms").first().waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.title()).toBe("What learning earned · Lanyap console");
      expect(problems).toEqual([]);
    },
  );
});

it("what learning earned is told with its sentence, and its money as far as a token may see it", async () => {
  const { publisher } = await makeBusy();
  await counters.grant(publisher.id, true, false);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/reports/learning");
  const card = page.getByRole("region", { name: "Revenue of publishers" });
  await card.waitFor();
  expect(await card.innerText()).toContain("No session was held out on these days");
  expect(await page.getByRole("region", { name: "What advertisers owe" }).count()).toBe(0);
  await page.getByText("Your token does not show what advertisers owe").waitFor();
  expect(await page.getByRole("rowheader").allInnerTexts()).toEqual([
    expect.stringContaining("Learned"),
    expect.stringContaining("Holdout"),
    expect.stringContaining("Random"),
  ]);
});
