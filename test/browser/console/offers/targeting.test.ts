import { beforeAll, expect, it } from "vitest";
import { findings } from "../../../support/browser/axe.ts";
import { HOSTILE_NAMES, visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { makeAdvertiser, makeOffer, makePlatform, makePublisher, makeSite } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const makeDemand = async (overrides: Parameters<typeof makeOffer>[2] = {}) => {
  const platform = await makePlatform(store.h.db);
  const publisher = await makePublisher(store.h.db, { platformId: platform.id });
  const tea = await makeSite(store.h.db, publisher.id, { name: "Tea shop" });
  const coffee = await makeSite(store.h.db, publisher.id, { name: "Coffee shop" });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id, { name: "Mugs", ...overrides });
  return { platform, publisher, tea, coffee, offer };
};
const targetingOf = async (id: string) =>
  (
    await store.h.rows(
      `select include_sites, exclude_publishers, payment_types, age_demographics, gender_demographics
      from offers where id = $1`,
      [id],
    )
  )[0];

it("takes shops by their names, and closed sets by ticks", async () => {
  const { platform, publisher, tea, coffee, offer } = await makeDemand();
  const { page, problems } = await visitConsole(store, platform.token, `/console/offers/${offer.id}/edit`);
  const only = page.getByRole("group", { name: "Only these sites" });
  const dialog = page.getByRole("dialog");
  await only.getByRole("button", { name: "Add a site" }).click();
  await dialog.getByLabel("Part of its name").fill("tea");
  // Enter searches, and must not save the offer around it.
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Choose Tea shop" }).click();
  await only.getByRole("button", { name: "Remove site Tea shop" }).waitFor();
  await only.getByRole("button", { name: "Add a site" }).click();
  await dialog.getByRole("button", { name: "Choose Coffee shop" }).click();
  const not = page.getByRole("group", { name: "Not these publishers" });
  await not.getByRole("button", { name: "Add a publisher" }).click();
  await dialog.getByRole("button", { name: `Choose ${publisher.name}` }).click();
  const payment = page.getByRole("group", { name: "Payment types" });
  for (const name of ["PayPal", "Credit card", "Other"]) await payment.getByLabel(name).check();
  await payment.getByLabel("Other").uncheck();
  await page.getByRole("group", { name: "Customers’ age" }).getByLabel("65+").check();
  await page.getByRole("group", { name: "Customers’ gender" }).getByLabel("Mixed").check();
  await eventually(() => page.locator(".is-loading").count()).toBe(0);
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Mugs", level: 1 }).waitFor();
  expect(await targetingOf(offer.id)).toEqual({
    include_sites: [coffee.id, tea.id],
    exclude_publishers: [publisher.id],
    payment_types: ["creditCard", "paypal"],
    age_demographics: ["AGE_65_PLUS"],
    gender_demographics: ["MIXED"],
  });
  await page.getByText("Credit card, PayPal").waitFor();
  await page.getByRole("link", { name: publisher.name }).waitFor();
  await page.getByRole("link", { name: "Tea shop" }).click();
  await page.getByRole("heading", { name: "Tea shop", level: 1 }).waitFor();
  expect(problems).toEqual([]);
});

it("takes a pasted list of ids, names the first of them, and keeps the focus when one is removed", async () => {
  const { platform, tea, coffee, offer } = await makeDemand({ paymentTypes: ["crypto"] });
  const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}/edit`);
  const only = page.getByRole("group", { name: "Only these sites" });
  const gone = Array.from({ length: 11 }, (_, i) => `site_${String(i).padStart(26, "0")}`);
  await only.getByText("Type or paste ids").click();
  await only.getByLabel("Ids of sites").fill([tea.id, coffee.id, tea.id, ...gone].join("\n"));
  await only.getByRole("button", { name: "Remove site Coffee shop" }).waitFor();
  await only.getByText("and 3 more").waitFor();
  await only.getByLabel("Ids of sites").fill(`${tea.id}, ${coffee.id}`);
  await only.getByRole("button", { name: "Remove site Tea shop" }).press("Enter");
  await eventually(() => page.evaluate("document.activeElement.matches('fieldset')")).toBe(true);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Remove site Coffee shop");
  await page.keyboard.press("Enter");
  await only.getByText("All", { exact: true }).waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent.trim()")).toBe("Add a site");
  await only.getByLabel("Ids of sites").fill(`${coffee.id} ${"x".repeat(256)}`);
  await page.getByRole("button", { name: "Save" }).click();
  await only.getByText("must have at most 255 characters").waitFor();
  const focused = "document.activeElement.querySelector(':scope > legend')?.textContent";
  await eventually(() => page.evaluate(focused)).toBe("Only these sites");
  await only.getByLabel("Ids of sites").fill(coffee.id);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Mugs", level: 1 }).waitFor();
  expect(await targetingOf(offer.id)).toMatchObject({ include_sites: [coffee.id], payment_types: ["crypto"] });
});

it("shows a site that is picked for a long list, and counts as a change only what is another choice", async () => {
  const gone = Array.from({ length: 12 }, (_, i) => `site_${String(i).padStart(26, "0")}`);
  const { platform, offer } = await makeDemand({ includeSites: gone, paymentTypes: ["paypal", "creditCard"] });
  const { page } = await visitConsole(store, platform.token, `/console/offers/${offer.id}/edit`);
  const only = page.getByRole("group", { name: "Only these sites" });
  const save = page.getByRole("button", { name: "Save" });
  await only.getByText("and 2 more").waitFor();
  await only.getByRole("button", { name: "Add a site" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Choose Tea shop" }).click();
  await only.getByText("and 3 more").waitFor();
  await only.getByRole("button", { name: "Remove site Tea shop" }).click();
  await only.getByText("and 2 more").waitFor();
  const other = page.getByRole("group", { name: "Payment types" }).getByLabel("Other");
  await other.check();
  await eventually(() => save.getAttribute("aria-disabled")).toBe("false");
  await other.uncheck();
  await eventually(() => save.getAttribute("aria-disabled")).toBe("true");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.accept();
  });
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Credit card, PayPal").waitFor();
  expect(asked).toEqual([]);
  expect(await page.getByRole("link", { name: gone[0] ?? "" }).count()).toBe(0);
  await page.getByText("and 2 more").click();
  await page.getByText(`${gone[10]}, ${gone[11]}`).waitFor();
  expect(await findings(page)).toEqual([]);
});

it("shows first what is refused, with the ids that the refusal names", async () => {
  const gone = Array.from({ length: 12 }, (_, i) => `site_${String(i).padStart(26, "0")}`);
  const { offer } = await makeDemand({ includeSites: gone });
  const { tea } = await makeDemand();
  const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN, `/console/offers/${offer.id}/edit`);
  const only = page.getByRole("group", { name: "Only these sites" });
  await only.getByText("Type or paste ids").click();
  await only.getByLabel("Ids of sites").fill([...gone, tea.id].join(" "));
  await page.getByRole("button", { name: "Save" }).click();
  await only.getByText(`not ${tea.id}`).waitFor();
  const first = only.getByRole("button", { name: "Remove site" }).first();
  await eventually(() => first.getAttribute("aria-label")).toBe(`Remove site Tea shop (${tea.id})`);
  await first.click();
  await eventually(() => first.getAttribute("aria-label")).toBe(`Remove site ${gone[0]}`);
  expect(await only.getByText("and 2 more").count()).toBe(1);
});

it.each(HOSTILE_NAMES)("has room for a site that is called %s", async (name) => {
  const { platform, publisher, offer } = await makeDemand();
  const site = await makeSite(store.h.db, publisher.id, { name });
  await store.h.rows("update offers set include_sites = $2 where id = $1", [offer.id, [site.id]]);
  for (const path of [`/console/offers/${offer.id}/edit`, `/console/offers/${offer.id}`]) {
    const { page } = await visitConsole(store, platform.token, path, { viewport: { width: 390, height: 800 } });
    await page.getByText(name).first().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(await page.getByText(name).first().getAttribute("dir")).toBe("auto");
  }
});
