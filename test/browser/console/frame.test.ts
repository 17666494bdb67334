import { beforeAll, describe, expect, it } from "vitest";
import { openConsole, signIn, visitConsole } from "../../support/browser/console.ts";
import { findings } from "../../support/browser/axe.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeInventory, makePublisher } from "../../support/factories.ts";
import { SECRETS } from "../../support/secrets.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const endTokens = (publisherId: string) =>
  store.h.rows("update api_tokens set expires_at = now() where publisher_id = $1", [publisherId]);

describe("signing in", () => {
  it("asks the service whose the token is, and keeps it nowhere but in memory", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page, context, problems } = await visitConsole(store, publisher.privateKey, "/console/sites");
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    await page.getByText(publisher.name).first().waitFor();
    const stored = await page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])");
    expect(stored).toBe('[{},{},""]');
    expect(await context.cookies()).toEqual([]);
    expect(page.url()).not.toContain("lan_sk");
    expect(problems).toEqual([]);
    await page.reload();
    await page.getByLabel("Token", { exact: true }).waitFor();
  });

  it("keeps it for the tab alone where that is asked for, until signing out forgets it", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page, context } = await openConsole(store, "/console/sites");
    await page.getByLabel("Keep me signed in").check();
    await signIn(page, publisher.privateKey);
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    await page.reload();
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    const other = await context.newPage();
    await other.goto(`${store.h.url}/console/sites`);
    await other.getByLabel("Token", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token", { exact: true }).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    expect(await page.getByText(site.name).count()).toBe(0);
    await page.reload();
    await page.getByLabel("Token", { exact: true }).waitFor();
  });

  it.each([
    ["an unknown token", "nobody-has-this", /does not know this token.*UNAUTHORIZED · request req_/s],
    ["no token at all", "not a token", /This is not a token/],
  ])("refuses %s in words", async (_, token, words) => {
    const { page } = await openConsole(store);
    await signIn(page, token);
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(words);
  });

  it("offers no demo's tokens where npm start did not hand them over", async () => {
    const { page } = await openConsole(store);
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("button").allTextContents()).toEqual(["Sign in"]);
  });

  it("warns who does nothing for half an hour, then forgets the token, and keeps what was typed", async () => {
    const { publisher } = await makeInventory(store.h.db);
    const { page } = await openConsole(store, "/console/sites");
    await page.clock.install();
    await page.reload();
    await page.getByLabel("Keep me signed in").check();
    await signIn(page, publisher.privateKey);
    await page.getByRole("button", { name: "New site" }).click();
    const name = page.getByRole("dialog", { name: "New site" }).getByLabel("Name", { exact: true });
    await name.fill("Typed for long");
    const warning = page.getByRole("dialog", { name: "Are you still there?" });
    // A pointer that moves is a sign, too.
    for (const at of [100, 200]) {
      await page.clock.runFor("28:30");
      await page.mouse.move(at, at);
      expect(await warning.count()).toBe(0);
    }
    await page.clock.runFor("29:15");
    await warning.waitFor();
    expect(await findings(page)).toEqual([]);
    await warning.getByRole("button", { name: "Stay signed in" }).click();
    await warning.waitFor({ state: "detached" });
    await page.clock.runFor("28:30");
    expect(await warning.count()).toBe(0);
    await page.clock.runFor("00:45");
    await warning.waitFor();
    await page.mouse.move(300, 300);
    await page.clock.runFor("01:00");
    const again = page.getByRole("dialog", { name: "Sign in again" });
    await again.getByText("nothing happened for 30 minutes").waitFor();
    expect(await warning.count()).toBe(0);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await again.getByLabel("Token", { exact: true }).fill(publisher.privateKey);
    await again.getByRole("button", { name: "Sign in", exact: true }).click();
    await again.waitFor({ state: "detached" });
    expect(await name.inputValue()).toBe("Typed for long");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Typed for long", level: 1 }).waitFor();
  });
});

describe("a session that the service ends", () => {
  it("asks to sign in again, and goes on where it was", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const next = await makePublisher(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    await endTokens(publisher.id);
    await page.getByLabel("Name or domain").fill("Site");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await findings(page)).toEqual([]);
    // A browser closes at the second time what does not let itself be closed at the first.
    for (let times = 0; times < 3; times += 1) {
      await page.keyboard.press("Escape");
      await dialog.waitFor();
    }
    // One of the same publisher goes on.
    await store.h.rows("update api_tokens set publisher_id = $1 where publisher_id = $2", [publisher.id, next.id]);
    await signIn(page, next.privateKey);
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    expect(new URL(page.url()).search).toBe("?search=Site");
  });

  it("shows another one nothing of it", async () => {
    const [one, other] = [await makeInventory(store.h.db), await makeInventory(store.h.db)];
    const { page } = await visitConsole(store, one.publisher.privateKey, "/console/sites");
    await page.getByRole("rowheader", { name: one.site.name }).waitFor();
    await endTokens(one.publisher.id);
    await page.getByRole("link", { name: "Placements", exact: true }).dispatchEvent("click");
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    await signIn(page, other.publisher.privateKey);
    await page.getByRole("rowheader", { name: other.placement.name }).waitFor();
    expect(await page.getByText(one.placement.name).count()).toBe(0);
  });
});

describe("the frame", () => {
  it("says that the service cannot be reached, and goes on when it is back", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page, context } = await visitConsole(store, publisher.privateKey, "/console/sites");
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    await context.setOffline(true);
    await page.getByLabel("Name or domain").fill("Site ");
    await page.getByLabel("Status").selectOption("active");
    await page.getByText("The service cannot be reached. What you see may be out of date").waitFor();
    // What fitted other filters says nothing of these.
    await eventually(() => page.getByRole("rowheader").count()).toBe(0);
    await context.setOffline(false);
    await page.getByText("What you see may be out of date").waitFor({ state: "detached" });
    await page.getByRole("rowheader", { name: site.name }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("tells a failure in words with its code and request id, and tries again", async () => {
    const { publisher, site } = await makeInventory(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/placements");
    await page.getByRole("rowheader").waitFor();
    const error = { code: "INTERNAL_SERVER_ERROR", message: "Something failed" };
    await page.route("**/api/v1/directory/sites?**", (route) =>
      route.fulfill({ status: 500, headers: { "x-request-id": "req_7" }, json: { success: false, error } }),
    );
    await page.getByRole("link", { name: "Sites", exact: true }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(/INTERNAL_SERVER_ERROR · request req_7/);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("rowheader", { name: site.name }).waitFor();
  });

  it("goes by keys, and lists them", async () => {
    const { page } = await visitConsole(store, SECRETS.ADMIN_TOKEN);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain("Placements");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // The second key must follow the first within a moment, which a busy machine may miss.
    const go = async () => {
      await page.keyboard.press("g");
      await page.keyboard.press("l");
      return page.getByRole("heading", { name: "Placements", level: 1 }).count();
    };
    await expect.poll(go, { timeout: 180_000, interval: 1_000 }).toBe(1);
    await eventually(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
    await page.keyboard.press("/");
    await eventually(() => page.evaluate("document.activeElement.type")).toBe("search");
    expect(await page.title()).toBe("Placements · Lanyap console");
  });

  it("leads nobody to what they may not see", async () => {
    const { publisher } = await makeInventory(store.h.db);
    const { page } = await visitConsole(store, publisher.privateKey, "/console/publishers");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.getByRole("link", { name: "Publishers" }).count()).toBe(0);
  });

  it("says of an address that cannot be read that there is nothing", async () => {
    const { publisher } = await makeInventory(store.h.db);
    const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/sites/%E0%A4%A");
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await page.getByRole("link", { name: "Sites", exact: true }).click();
    await page.getByRole("heading", { name: "Sites", level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });

  it.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)("has nothing that axe-core finds, and is not cut, at %d pixels, %s", async (width, colorScheme) => {
    const options = { viewport: { width, height: 844 }, colorScheme };
    const { page, problems } = await openConsole(store, "/console", options);
    await page.getByLabel("Token", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await signIn(page, SECRETS.ADMIN_TOKEN);
    for (const path of ["/console/publishers", "/console/sites", "/console/placements"]) {
      if (width < 900) await page.getByRole("button", { name: "Menu" }).click();
      await page.locator(`.nav a[href="${path}"]`).click();
      await page.getByRole("rowheader").first().waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    expect(problems).toEqual([]);
  });
});
