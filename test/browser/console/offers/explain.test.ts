import { beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { HOSTILE_NAMES, openConsole, signIn, visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { holding } from "../../../support/browser/holding.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Makes a placement with an offer for everybody, one for Canada, and one that is paused. */
const makeAnswer = async () => {
  const platform = await makePlatform(store.h.db);
  const made = await makeInventory(store.h.db, {
    publisher: { platformId: platform.id },
    placement: { name: "Thanks" },
  });
  const offer = async (name: string, overrides = {}) => {
    const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
    return makeOffer(store.h.db, advertiser.id, { name, includeSites: [made.site.id], ...overrides });
  };
  const [all, canada] = [await offer("For everybody"), await offer("For Canada", { countries: ["CA"] })];
  await offer("On a break", { status: "paused" });
  return { platform, all, canada, ...made };
};
const row = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });

it("explains each offer, and marks what changes with a fact", async () => {
  const { platform, placement, canada } = await makeAnswer();
  const { page, problems } = await visitConsole(store, platform.token, "/console/explain");
  await page.getByRole("heading", { name: "Why is this offer shown, and that one not?" }).waitFor();
  await page.getByRole("button", { name: "Choose a placement …" }).click();
  await page.getByRole("button", { name: "Choose Thanks" }).click();
  await row(page, "For everybody").getByText("Rank", { exact: false }).waitFor();
  await page.getByLabel("Country").fill("US");
  await page.keyboard.press("Enter");
  await row(page, "For Canada").getByText("It is for other countries").waitFor();
  await row(page, "On a break").getByText("It is paused").waitFor();
  await page.getByLabel("Country").fill("CA");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await row(page, "For Canada").getByText("was: it is for other countries").waitFor();
  await page.getByText(/\d+ offers? changed from the previous request/).waitFor();
  expect(await row(page, "On a break").innerText()).not.toContain("was");
  await page.getByLabel("Show").selectOption("changed");
  await eventually(() => row(page, "On a break").count()).toBe(0);
  await page.getByLabel("Show").selectOption("all");
  await page.getByRole("button", { name: "Already answered: For Canada" }).click();
  await eventually(() => page.getByLabel("Offers already answered").inputValue()).toBe(canada.id);
  expect(new URL(page.url()).search).toBe(`?placementId=${placement.id}&seen=${canada.id}&country=CA`);
  await page.goBack();
  await eventually(() => page.getByLabel("Offers already answered").inputValue()).toBe("");
  expect(await store.h.rows("select from events where placement_id = $1", [placement.id])).toEqual([]);
  expect(problems).toEqual([]);
});

it("is led to from an offer, says what the request does not name, and finds others by name", async () => {
  const { platform, site, canada } = await makeAnswer();
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  await makeOffer(store.h.db, advertiser.id, {
    name: "By card",
    includeSites: [site.id],
    paymentTypes: ["creditCard"],
  });
  const { page } = await visitConsole(store, platform.token, `/console/offers/${canada.id}`);
  await page.getByRole("link", { name: "Why (not) shown" }).click();
  await page.getByRole("button", { name: "Remove filter Offer: For Canada" }).waitFor();
  await row(page, "For Canada").getByText("It is for other countries").waitFor();
  await page.getByText("When left empty: US, where you are").waitFor();
  expect(await row(page, "For everybody").count()).toBe(0);
  await page.getByLabel("Part of an offer’s name").fill("card");
  await row(page, "By card").getByText("It asks for a payment type, and this request names none").waitFor();
  await page.getByLabel("Part of an offer’s name").fill("EVERY");
  await row(page, "For everybody").waitFor();
  await eventually(() => row(page, "For Canada").count()).toBe(0);
});

it("says whose language it took where the request names none", async () => {
  const { platform, placement, site } = await makeAnswer();
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  await makeOffer(store.h.db, advertiser.id, { name: "In French", includeSites: [site.id], languages: ["fr"] });
  const address = `/console/explain?placementId=${placement.id}`;
  const { page, problems } = await visitConsole(store, platform.token, address, { locale: "de-AT" });
  await row(page, "In French").getByText("It is for other languages").waitFor();
  const language = page.getByRole("textbox", { name: "Language" });
  expect(await language.getAttribute("aria-describedby")).not.toBeNull();
  await page.getByText("When left empty: de, as your browser asks for").waitFor();
  await language.fill("fr");
  await page.keyboard.press("Enter");
  await row(page, "In French").getByText("Rank", { exact: false }).waitFor();
  await eventually(() => page.getByText("When left empty: de").count()).toBe(0);
  expect(problems).toEqual([]);
});

it("keeps what somebody types at once after asking", async () => {
  const { publisher, placement } = await makeAnswer();
  const { page } = await visitConsole(store, publisher.privateKey, `/console/explain?placementId=${placement.id}`);
  await row(page, "For everybody").waitFor();
  const country = page.getByLabel("Country");
  await country.fill("US");
  // Types as soon as the address has changed, before the browser paints, and looks after that.
  type Field = { value: string; form: { requestSubmit: () => void }; dispatchEvent: (event: Event) => boolean };
  await country.evaluate(async (element) => {
    const field = element as unknown as Field;
    const { location } = globalThis as unknown as { location: { search: string } };
    field.form.requestSubmit();
    while (!location.search.includes("country=US")) await Promise.resolve();
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    field.value = "CA";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await row(page, "For Canada").getByText("It is for other countries").waitFor();
  await eventually(() => page.getByRole("button", { name: "Explain", exact: true }).isEnabled()).toBe(true);
  expect(await country.inputValue()).toBe("CA");
});

it("keeps what was typed when a placement is chosen, and asks with it", async () => {
  const { publisher, placement, canada } = await makeAnswer();
  const { page } = await visitConsole(store, publisher.privateKey, "/console/explain");
  const [country, amount] = [page.getByLabel("Country"), page.getByLabel("Order amount")];
  await country.fill("CA");
  await amount.fill("49.90");
  await page.getByRole("button", { name: "Choose a placement …" }).click();
  await page.getByRole("button", { name: "Choose Thanks" }).click();
  await row(page, "For Canada").getByText("Rank", { exact: false }).waitFor();
  expect([await country.inputValue(), await amount.inputValue()]).toEqual(["CA", "49.90"]);
  expect(new URL(page.url()).search).toBe(`?placementId=${placement.id}&country=CA&amount=49.90`);
  await country.fill("US");
  await page.getByRole("button", { name: "Already answered: For Canada" }).click();
  await row(page, "For Canada").getByText("It is for other countries").waitFor();
  expect(await country.inputValue()).toBe("US");
  expect(await page.getByLabel("Offers already answered").inputValue()).toBe(canada.id);
  // What was typed and not asked is not of the address.
  await amount.fill("1");
  await page.goBack();
  await eventually(() => country.inputValue()).toBe("CA");
  expect(await amount.inputValue()).toBe("49.90");
  await page.goForward();
  await eventually(() => country.inputValue()).toBe("US");
  expect(await amount.inputValue()).toBe("49.90");
});

it("keeps what is typed before a placement is there by itself, and when the offer is taken away", async () => {
  const { platform, placement, canada } = await makeAnswer();
  const { page } = await openConsole(store, `/console/explain?offerId=${canada.id}`);
  const { asked, letGo } = await holding(page, "**/api/v1/directory/placements?**");
  await signIn(page, platform.token);
  await asked;
  const country = page.getByLabel("Country");
  await country.fill("CA");
  letGo();
  await row(page, "For Canada").getByText("It is for other countries").waitFor();
  expect(await country.inputValue()).toBe("CA");
  await page.getByRole("button", { name: "Remove filter Offer: For Canada" }).click();
  await row(page, "For everybody").waitFor();
  expect(await country.inputValue()).toBe("CA");
  expect(new URL(page.url()).search).toBe(`?placementId=${placement.id}`);
});

it("asks once more where the service is busy", async () => {
  const { publisher } = await makeAnswer();
  const { page } = await visitConsole(store, publisher.privateKey, "/console/explain");
  const error = { code: "SERVICE_UNAVAILABLE", message: "Busy" };
  const busy = { status: 503, headers: { "retry-after": "0" }, json: { success: false, error } };
  await page.route("**/api/v1/offers/explain", (route) => route.fulfill(busy), { times: 1 });
  const refused = page.waitForResponse((response) => response.status() === 503);
  await page.getByRole("button", { name: "Choose a placement …" }).click();
  await page.getByRole("button", { name: "Choose Thanks" }).click();
  await refused;
  await row(page, "For everybody").getByText("Rank", { exact: false }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

it("reads a pasted request, and keeps nothing of the customer in the address", async () => {
  const { publisher, placement } = await makeAnswer();
  const { page } = await visitConsole(store, publisher.privateKey, "/console/explain");
  await page.getByText("Paste a request instead").click();
  await page.getByLabel("Address of a request for offers").fill("https://shop.example/thanks");
  await page.getByRole("button", { name: "Read it" }).click();
  await page.getByText("must be an address of /api/odata with a placementId").waitFor();
  const asked = new URLSearchParams({
    placementId: placement.id,
    sessionId: "ann@shop.example",
    "at.email": "ann@shop.example",
    publicKey: publisher.publicKey,
    "at.country": "CA",
  });
  await page.getByLabel("Address of a request for offers").fill(`${store.h.url}/api/odata?${asked.toString()}`);
  await page.getByRole("button", { name: "Read it" }).click();
  await row(page, "For Canada").getByText("Rank", { exact: false }).waitFor();
  expect(await page.getByLabel("Session").inputValue()).toBe("ann@shop.example");
  expect(page.url()).toBe(`${store.h.url}/console/explain?placementId=${placement.id}&country=CA`);
  expect(await page.getByRole("link", { name: "For Canada" }).count()).toBe(0);
});

it("tells what is wrong with a fact at its field, and who may not ask", async () => {
  const { publisher, placement } = await makeAnswer();
  const other = await makeAnswer();
  const { page } = await visitConsole(store, publisher.privateKey, `/console/explain?placementId=${placement.id}`);
  await row(page, "For everybody").waitFor();
  await page.getByLabel("Country").fill("Narnia");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByText("must be a two-letter ISO 3166-1 country code", { exact: true }).waitFor();
  // What was answered to another country says nothing of this one.
  expect(await row(page, "For everybody").count()).toBe(0);
  await page.getByLabel("Country").fill("");
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  expect(await page.locator("main").innerText()).not.toContain(other.site.id);
  const foreign = await visitConsole(store, publisher.privateKey, `/console/explain?placementId=${other.placement.id}`);
  await foreign.page.getByRole("alert").waitFor();
  expect(await foreign.page.getByRole("alert").innerText()).toMatch(/NOT_FOUND · request req_/);
  await store.h.rows("update api_tokens set access = 'READ' where publisher_id = $1", [publisher.id]);
  const reader = await visitConsole(store, publisher.privateKey, `/console/explain?placementId=${placement.id}`);
  await reader.page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  expect(await reader.page.locator("main").innerText()).toContain("something that your token may not see");
});

it.each([
  [1280, "light"],
  [390, "dark"],
] as const)(
  "has nothing that axe-core finds, at %d pixels, %s, also with hostile names",
  async (width, colorScheme) => {
    const { platform, site, placement } = await makeAnswer();
    for (const name of HOSTILE_NAMES) {
      const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
      await makeOffer(store.h.db, advertiser.id, { name, includeSites: [site.id] });
    }
    const options = { viewport: { width, height: 900 }, colorScheme };
    const path = `/console/explain?placementId=${placement.id}&country=US&count=3`;
    const { page, problems } = await visitConsole(store, platform.token, path, options);
    for (const name of HOSTILE_NAMES) await page.getByText(name, { exact: true }).first().waitFor();
    await page.getByLabel("Country").fill("CA");
    await page.getByRole("button", { name: "Explain", exact: true }).click();
    await page.getByText("from the previous request").waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.getByRole("button", { name: "Choose another …" }).click();
    await page.getByRole("dialog").getByText("Thanks").first().waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.title()).toBe("Explain · Lanyap console");
    expect(problems).toEqual([]);
  },
);
