import { beforeAll, expect, it } from "vitest";
import { HOSTILE_NAMES, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { api, dataOf, type Method } from "../../support/api.ts";
import {
  creativeBody,
  makeAdvertiser,
  makeInventory,
  makeOffer,
  makePlatform,
  makePublisher,
} from "../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Makes a publisher that renamed its placement, as the API says, and made and deleted another. */
const makeChanges = async (name = "Thank you, again") => {
  const platform = await makePlatform(store.h.db);
  const made = await makeInventory(store.h.db, {
    publisher: { platformId: platform.id },
    placement: { name: "Thanks" },
  });
  const token = made.publisher.privateKey;
  const change = (method: Method, path: string, body?: object) => api(store.h, method, path, { token, body });
  dataOf(await change("PUT", `/api/placements/${made.placement.id}`, { name }));
  const body = { siteId: made.site.id, name: "For a day", pageType: "THANK_YOU_PAGE", isLiveMode: true };
  const { id } = dataOf<{ id: string }>(await change("POST", "/api/placements", body));
  await change("DELETE", `/api/placements/${id}`);
  return { platform, gone: id, ...made };
};

it("shows who changed what, before and after, kept to what the address says", async () => {
  const { publisher, placement, gone } = await makeChanges();
  const { page, context, problems } = await visitConsole(store, publisher.privateKey, "/console/audit");
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("1–3 of 3").waitFor();
  await page.getByLabel("Change", { exact: true }).selectOption("update");
  await page.getByText("1–1 of 1").waitFor();
  const row = page.getByRole("row").nth(1);
  expect(await row.locator("del").allInnerTexts()).toEqual(["Thanks"]);
  expect(await row.locator("ins").allInnerTexts()).toEqual(["Thank you, again"]);
  await row.getByText("The publisher (you)").waitFor();
  const [record] = await store.h.rows<{ request_id: string }>(
    "select request_id from audit_log where resource_id = $1 and action = 'update'",
    [placement.id],
  );
  await row.getByRole("button", { name: "Copy" }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(record?.request_id);
  expect(new URL(page.url()).search).toBe("?action=update");
  await page.getByLabel("Change", { exact: true }).selectOption("");
  await page.getByLabel("Id of what was changed").fill(gone);
  await page.getByText("1–2 of 2").waitFor();
  await page.getByText("Deleted", { exact: true }).last().waitFor();
  await page.getByLabel("Before (your time)").fill("2020-01-01T10:00");
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  expect(new URL(page.url()).searchParams.get("to")).toBe("2020-01-01T09:00:00.000Z");
  expect(await page.getByLabel("Before (your time)").inputValue()).toBe("2020-01-01T10:00");
  await page.getByRole("button", { name: "Show all" }).click();
  await page.getByText("1–3 of 3").waitFor();
  const from = page.getByLabel("From (your time)");
  await from.pressSequentially("01022020");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("1130AM");
  expect(new URL(page.url()).search).toBe("");
  await page.keyboard.press("Enter");
  await eventually(async () => new URL(page.url()).searchParams.get("from")).toBe("2020-01-02T10:30:00.000Z");
  expect(await from.inputValue()).toBe("2020-01-02T11:30");
  expect(problems).toEqual([]);
});

it("shows nobody what is another's, and says how there will be something", async () => {
  const [own, other] = [await makeChanges(), await makeChanges()];
  const { page } = await visitConsole(store, own.platform.token, "/console/audit");
  await page.getByText("1–3 of 3").waitFor();
  expect(await page.locator("main").innerText()).not.toContain(other.placement.id);
  const path = `/console/audit?publisherId=${other.publisher.id}`;
  const foreign = await visitConsole(store, own.publisher.privateKey, path);
  await foreign.page.locator(".empty, [role=alert]").first().waitFor();
  expect(await foreign.page.locator("main").innerText()).not.toContain(other.placement.id);
  const publisher = await makePublisher(store.h.db);
  const empty = await visitConsole(store, publisher.privateKey, "/console/audit");
  await empty.page.getByRole("heading", { name: "Nobody has changed anything yet" }).waitFor();
});

it("tells a failure in words", async () => {
  const { publisher } = await makeChanges();
  const { page } = await visitConsole(store, publisher.privateKey, "/console/audit?action=nonsense");
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").innerText()).toMatch(/VALIDATION_FAILED · request req_/);
  // The same would be refused again.
  expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
});

it.each([
  [1280, "light"],
  [390, "dark"],
] as const)(
  "has nothing that axe-core finds, at %d pixels, %s, also with hostile names",
  async (width, colorScheme) => {
    const { publisher, placement } = await makeChanges();
    for (const name of HOSTILE_NAMES) {
      const token = publisher.privateKey;
      dataOf(await api(store.h, "PUT", `/api/placements/${placement.id}`, { token, body: { name } }));
    }
    const options = { viewport: { width, height: 900 }, colorScheme };
    const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/audit", options);
    await page.getByText("1–6 of 6").waitFor();
    for (const name of HOSTILE_NAMES) {
      await eventually(() => page.getByText(name, { exact: true }).count()).toBeGreaterThan(0);
    }
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.title()).toBe("Audit · Lanyap console");
    expect(problems).toEqual([]);
  },
);

it("the history of a publisher and of an offer leads to what was changed of their parts", async () => {
  const platform = await makePlatform(store.h.db);
  const token = platform.token;
  const publisher = await makePublisher(store.h.db, { platformId: platform.id });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offer = await makeOffer(store.h.db, advertiser.id);
  const post = (path: string, body: object) => api(store.h, "POST", path, { token, body });
  expect((await post(`/api/v1/publishers/${publisher.id}/api-tokens`, { name: "Till" })).status).toBe(201);
  expect((await post(`/api/v1/offers/${offer.id}/creatives`, creativeBody())).status).toBe(201);
  for (const [path, link, changed] of [
    [`publishers/${publisher.id}`, "private tokens", "token"],
    [`offers/${offer.id}`, "Audit", "creative"],
  ] as const) {
    const { page } = await visitConsole(store, token, `/console/${path}`);
    const history = page.getByRole("region", { name: "History" });
    await history.getByText(/^Nobody has changed the (?:publisher|offer) itself/).waitFor();
    await history.getByRole("link", { name: link }).click();
    await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
    await eventually(() => page.getByLabel("What", { exact: true }).inputValue()).toBe(changed);
    await page.getByText("1–1 of 1").waitFor();
  }
});
