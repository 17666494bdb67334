import { beforeAll, expect, it } from "vitest";
import { signIn, visitConsole } from "../../../support/browser/console.ts";
import { holding } from "../../../support/browser/holding.ts";
import { findings } from "../../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeInventory, makePlatform } from "../../../support/factories.ts";
import { api } from "../../../support/api.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const me = async (token: string) => (await api(store.h, "GET", "/api/v1/me", { token })).status;

it("a token is made, shown once, rotated with an overlap, and ended", async () => {
  const platform = await makePlatform(store.h.db);
  const { publisher } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const { page } = await visitConsole(store, platform.token, `/console/publishers/${publisher.id}`);
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Accounting");
  await page.getByLabel("Access", { exact: true }).selectOption("READ");
  await page.getByRole("button", { name: "Create" }).click();
  const secret = page.getByRole("group", { name: "The new token" });
  const made = await secret.locator("code").textContent();
  await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("The new token");
  const told = "document.activeElement.ariaDescribedByElements.map((one) => one.textContent).join(' ')";
  expect(await page.evaluate(told)).toBe(
    `${made} This is shown only once. Copy it now, and keep it where only you can read it.`,
  );
  expect(await me(made ?? "")).toBe(200);
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "I have copied it" }).click();
  expect(await page.getByText(made ?? "-").count()).toBe(0);
  const line = page.getByRole("listitem").filter({ hasText: "Accounting" });
  await line.getByRole("button", { name: "Rotate …" }).click();
  await page.getByLabel("The old one").selectOption("3600");
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const next = await page.getByRole("group", { name: "The new token" }).locator("code").textContent();
  expect([await me(made ?? ""), await me(next ?? "")]).toEqual([200, 200]);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await eventually(() => line.count()).toBe(2);
  await page.getByText(/^Ends in 1 hour|^Ends in 60 minutes/).waitFor();
  await line.first().getByRole("button", { name: "End …" }).click();
  await page.getByLabel("Type its name to confirm").fill("Accounting");
  await page.getByRole("button", { name: "End it now" }).click();
  await eventually(() => line.count()).toBe(1);
  const statuses = [await me(made ?? ""), await me(next ?? "")];
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
});

const tokenOf = async (publisherId: string, name: string) =>
  (
    await store.h.rows(
      "select name, access, revenue_access, gross_access from api_tokens where publisher_id = $1 and name = $2",
      [publisherId, name],
    )
  )[0];

it("a platform makes a token that shows what advertisers owe, renames it, and changes what money it shows", async () => {
  const platform = await makePlatform(store.h.db);
  const { publisher } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const { page, problems } = await visitConsole(store, platform.token, `/console/publishers/${publisher.id}`);
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Accounting");
  await page.getByLabel("Its reports show what advertisers owe").check();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "I have copied it" }).click();
  const line = page.getByRole("listitem").filter({ hasText: "Accounting" });
  await line.getByText("sees what advertisers owe").waitFor();
  await line.getByRole("button", { name: "Change …" }).click();
  await page.getByLabel("Its reports show revenue").uncheck();
  await page.getByLabel("Name", { exact: true }).fill("Accounting, since May");
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await line.getByText("Accounting, since May").waitFor();
  await line.getByText("sees no revenue").waitFor();
  expect(await tokenOf(publisher.id, "Accounting, since May")).toEqual({
    name: "Accounting, since May",
    access: "WRITE",
    revenue_access: false,
    gross_access: true,
  });
  await line.getByRole("button", { name: "Change …" }).click();
  await page.getByLabel("Its reports show what advertisers owe").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(() => tokenOf(publisher.id, "Accounting, since May")).toMatchObject({ gross_access: false });
  expect(problems).toEqual([]);
});

it("a publisher renames its token, and says nothing of its money", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  await page.getByRole("region", { name: "Private tokens" }).getByRole("button", { name: "Change …" }).click();
  await eventually(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Default API Token");
  expect(await page.getByRole("dialog").getByRole("checkbox").count()).toBe(0);
  await page.getByLabel("Name", { exact: true }).fill("Shop system");
  await page.getByRole("button", { name: "Save" }).click();
  await eventually(() => tokenOf(publisher.id, "Shop system")).toMatchObject({ revenue_access: true });
});

it("the last token that may write is not ended, and why is told", async () => {
  const platform = await makePlatform(store.h.db);
  const { publisher } = await makeInventory(store.h.db, { publisher: { platformId: platform.id } });
  const { page } = await visitConsole(store, platform.token, `/console/publishers/${publisher.id}`);
  await page.getByRole("region", { name: "Private tokens" }).getByRole("button", { name: "End …" }).click();
  await page.getByLabel("Type its name to confirm").fill("Default API Token");
  await page.getByRole("button", { name: "End it now" }).click();
  await page.getByText(/CONFLICT · request/).waitFor();
  expect(await me(publisher.privateKey)).toBe(200);
});

it("nothing hides a secret before it was copied, and who replaces the token they signed in with goes on", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const tokens = page.getByRole("region", { name: "Private tokens" });
  const { letGo } = await holding(page, "**/rotate");
  await tokens.getByRole("button", { name: "Rotate …" }).click();
  await page.getByLabel("The old one").selectOption("0");
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
  for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
  letGo();
  const secret = dialog.getByRole("group", { name: "The new token" });
  await secret.waitFor();
  for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
  const next = await secret.locator("code").textContent();
  await eventually(() => me(publisher.privateKey)).toBe(401);
  const read = page.waitForResponse((response) => /\/api-tokens\?/.test(response.url()) && response.ok());
  await page.getByRole("button", { name: "I have copied it" }).click();
  await read;
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await me(next ?? "")).toBe(200);
});

it("a public key that leaked is rotated, and the old one ends at once", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const keys = page.getByRole("region", { name: "Public keys" });
  await keys.getByRole("button", { name: "Rotate …" }).click();
  await page.getByLabel("The old one").selectOption("0");
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const next = await page.getByRole("group", { name: "The new key" }).locator("code").textContent();
  await page.getByText("Anybody may read this").waitFor();
  expect(await page.getByText("only you can read it").count()).toBe(0);
  await page.getByRole("button", { name: "I have copied it" }).click();
  await keys.getByText(next ?? "-").waitFor();
  expect(await keys.getByText(publisher.publicKey).count()).toBe(0);
  await keys.getByRole("button", { name: "New key" }).click();
  await eventually(() => keys.getByRole("listitem").count()).toBe(2);
});

it("a platform makes a publisher, whose keys are shown once", async () => {
  const platform = await makePlatform(store.h.db);
  const { page } = await visitConsole(store, platform.token, "/console/publishers");
  await page.getByRole("heading", { name: "No publishers yet" }).waitFor();
  await page.getByRole("button", { name: "New publisher" }).click();
  await page.getByLabel("Name", { exact: true }).fill(`Pine ${platform.id}`);
  await page.getByLabel("Contact’s name").fill("Robin");
  await page.getByLabel("Contact’s e-mail").fill("robin@pine.example");
  await page.getByRole("button", { name: "Create" }).click();
  const bearer = await page.getByRole("group", { name: "The private token" }).locator("code").textContent();
  expect(await me(bearer ?? "")).toBe(200);
  await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("The private token");
  await page.getByRole("button", { name: "I have copied it" }).click();
  await page.getByRole("heading", { name: `Pine ${platform.id}`, level: 1 }).waitFor();
  await page.getByLabel(/Raised limits/).check();
  await page.getByText("The limits are raised.").waitFor();
  expect(await store.h.rows("select elevated_limits from publishers where platform_id = $1", [platform.id])).toEqual([
    { elevated_limits: true },
  ]);
});

it("makes once what is sent again because no answer came, until signing out forgets it", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const keys = () => store.h.count("public_keys where publisher_id = $1", [publisher.id]);
  const sent: (string | undefined)[] = [];
  await page.route("**/public-keys", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    sent.push(route.request().headers()["idempotency-key"]);
    // The service does it, and its answer is lost on the way.
    await route.fetch();
    return route.abort();
  });
  const issue = async (times: number): Promise<void> => {
    await page.getByRole("button", { name: "New key" }).click();
    await eventually(() => Promise.resolve(sent.length)).toBe(times);
    await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
  };
  const before = await keys();
  await issue(1);
  await issue(2);
  expect(sent[0]).toMatch(/\S/);
  expect(sent[1]).toBe(sent[0]);
  expect(await keys()).toBe(before + 1);
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, publisher.privateKey);
  await issue(3);
  expect(sent[2]).not.toBe(sent[0]);
  expect(await keys()).toBe(before + 2);
});

it("makes once what is sent again because its answer broke off in its middle", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const keys = () => store.h.count("public_keys where publisher_id = $1", [publisher.id]);
  const before = await keys();
  await page.evaluate(`{
    const send = fetch;
    window.broken = 0;
    window.fetch = async (url, init) => {
      const answer = await send(url, init);
      if (init.method !== "POST" || window.broken > 1) return answer;
      window.broken += 1;
      const body = new ReadableStream({ start: (part) => part.error(new Error("broken off")) });
      return new Response(body, { status: answer.status, headers: answer.headers });
    };
  }`);
  for (const times of [1, 2]) {
    await page.getByRole("button", { name: "New key" }).click();
    await eventually(() => page.evaluate("window.broken")).toBe(times);
    await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
  }
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByText("A new public key was created.").waitFor();
  expect(await keys()).toBe(before + 1);
});

it("a secret that the browser does not let be copied says so where it is", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Accounting");
  await page.getByRole("button", { name: "Create" }).click();
  const secret = page.getByRole("group", { name: "The new token" });
  await secret.getByRole("button", { name: "Copy" }).click();
  expect(await secret.getByRole("alert").innerText()).toContain("does not let this page copy");
  expect(await findings(page)).toEqual([]);
});
