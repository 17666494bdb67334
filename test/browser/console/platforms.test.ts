import { beforeAll, expect, it } from "vitest";
import { api } from "../../support/api.ts";
import { HOSTILE_NAMES, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeAdvertiser, makePlatform, makePublisher } from "../../support/factories.ts";
import { SECRETS } from "../../support/secrets.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const me = async (token: string) => (await api(store.h, "GET", "/api/v1/me", { token })).status;
const visit = (path: string, options = {}) => visitConsole(store, SECRETS.ADMIN_TOKEN, path, options);

it("the administrator makes a platform, whose token is shown once, renames it and raises its limits", async () => {
  const taken = await makePlatform(store.h.db);
  const name = `Larch ${taken.id}`;
  const { page, problems } = await visit("/console");
  await page.locator("h1").focus();
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.getByRole("heading", { name: "Platforms", level: 1 }).waitFor();
  await page.getByRole("button", { name: "New platform" }).click();
  const dialog = page.getByRole("dialog", { name: "New platform" });
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  page.once("dialog", (question) => question.dismiss());
  await page.keyboard.press("Escape");
  expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe(name);
  await dialog.getByRole("button", { name: "Create" }).click();
  const token = await dialog.getByRole("group", { name: "The platform’s token" }).locator("code").textContent();
  expect(await me(token ?? "")).toBe(200);
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  expect(await page.getByText(token ?? "-").count()).toBe(0);

  const row = page.getByRole("row").filter({ hasText: name });
  await row.getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit the platform" });
  await form.getByLabel("Name", { exact: true }).fill(taken.name);
  await form.getByRole("button", { name: "Save" }).click();
  await form.locator(".wrong").getByText("Another platform has this name").waitFor();
  await form.getByLabel("Name", { exact: true }).fill(`${name}, renamed`);
  await form.getByLabel("Raised limits").check();
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await row.getByText("Raised limits").waitFor();
  const stored = "select name, elevated_limits from platforms where name like $1";
  expect(await store.h.rows(stored, [`${name}%`])).toEqual([{ name: `${name}, renamed`, elevated_limits: true }]);
  // Chromium tells of the refusal by itself.
  expect(problems.filter((text) => !text.includes("409"))).toEqual([]);
});

it.each([
  ["0", 401],
  ["3600", 200],
])("a platform gets a new token, and the old one ends after %s seconds", async (overlap, status) => {
  const platform = await makePlatform(store.h.db);
  const { page } = await visit(`/console/platforms?search=${platform.id}`);
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("button", { name: "New token …" }).click();
  const dialog = page.getByRole("dialog", { name: `New token for “${platform.name}”` });
  await dialog.getByText("All its tokens end").waitFor();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await me(platform.token)).toBe(200);
  await page.getByRole("button", { name: "New token …" }).click();
  await dialog.getByLabel("The old one").selectOption(overlap);
  await dialog.getByRole("button", { name: "Rotate" }).click();
  const token = await dialog.getByRole("group", { name: "The new token" }).locator("code").textContent();
  expect([await me(token ?? ""), await me(platform.token)]).toEqual([200, status]);
});

it("a platform leads to what it has, whose lists say that they are kept to it", async () => {
  const platform = await makePlatform(store.h.db);
  const publisher = await makePublisher(store.h.db, { platformId: platform.id });
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const { page, problems } = await visit(`/console/platforms?search=${platform.id}`);
  for (const [list, name] of [
    ["Publishers", publisher.name],
    ["Advertisers", advertiser.name],
  ] as const) {
    await page.getByRole("row").filter({ hasText: platform.id }).getByRole("link", { name: list }).click();
    await page.getByText("1–1 of 1").waitFor();
    expect(await page.getByRole("rowheader").getByRole("link").allInnerTexts()).toEqual([name]);
    await page.getByRole("button", { name: `Remove filter Platform: ${platform.name}` }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.goBack();
  }
  expect(problems).toEqual([]);
});

it.each(["platform", "publisher"] as const)(
  "a %s sees no platforms, neither in the menu nor by address",
  async (kind) => {
    const platform = await makePlatform(store.h.db);
    const publisher = await makePublisher(store.h.db, { platformId: platform.id });
    const token = kind === "platform" ? platform.token : publisher.privateKey;
    const { page } = await visitConsole(store, token, "/console/platforms");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    expect(await page.getByRole("link", { name: "Platforms" }).count()).toBe(0);
  },
);

it("the overview finds a platform by a part of its name, also beyond the first hundred, and leads to it", async () => {
  const platform = await makePlatform(store.h.db, { name: "Hornbeam, a platform" });
  await store.h.rows(
    "insert into platforms (id, name) select 'plat_many' || n, 'Many platforms ' || n from generate_series(1, 120) n",
  );
  const { page, problems } = await visit("/console");
  await page.getByLabel("Find a platform, publisher, site, placement, advertiser or offer").fill("hornbe");
  const found = page.getByRole("list", { name: "What was found" });
  await eventually(() => found.getByRole("link").allInnerTexts()).toEqual([platform.name]);
  await page.locator(".is-loading").waitFor({ state: "detached" });
  expect(await findings(page)).toEqual([]);
  await page.getByLabel("Find a platform").fill("many platforms");
  await page.getByRole("link", { name: "All 120 platforms" }).waitFor();
  await page.getByLabel("Find a platform").fill("hornbe");
  await found.getByRole("link", { name: platform.name }).click();
  await page.getByText("1–1 of 1").waitFor();
  await page.getByRole("rowheader").getByText(platform.name).waitFor();
  expect(problems).toEqual([]);
});

it("hostile names break neither the list nor its dialogs on a narrow window", async () => {
  const [markup, rightToLeft, long] = HOSTILE_NAMES;
  const names = [`${markup} platform`, `${rightToLeft} platform`, long.replace(/^.{8}/, "platform")];
  for (const name of names) await makePlatform(store.h.db, { name });
  const { page, problems } = await visit("/console/platforms?search=platform", {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
  });
  for (const name of names) {
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByText("1–1 of 1").waitFor();
    await page.getByRole("rowheader").getByText(name, { exact: true }).waitFor();
    await page.getByRole("button", { name: "New token …" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.keyboard.press("Escape");
  }
  expect(problems).toEqual([]);
});
