import { beforeAll, describe, expect, it } from "vitest";
import { findings } from "../../support/browser/axe.ts";
import { openConsole, signIn } from "../../support/browser/console.ts";
import { holding } from "../../support/browser/holding.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeInventory } from "../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const ME = "**/api/v1/me";
const KEPT = "sessionStorage.getItem('lanyap-console-token')";

/** Opens the list of sites of somebody who stays signed in while the tab is open. */
const stay = async () => {
  const { publisher, site } = await makeInventory(store.h.db);
  const visited = await openConsole(store, "/console/sites");
  const { page } = visited;
  await page.getByLabel("Keep me signed in").check();
  await signIn(page, publisher.privateKey);
  const row = page.getByRole("rowheader", { name: site.name });
  await row.waitFor();
  return { ...visited, row, token: publisher.privateKey, publisher };
};

it("who signs in again stays signed in if they asked for it before", async () => {
  const { page, token } = await stay();
  await page.route("**/api/v1/directory/sites?**", (route) => {
    const error = { code: "UNAUTHORIZED", message: "The token has ended" };
    return route.fulfill({ status: 401, json: { success: false, error } });
  });
  await page.getByLabel("Name or domain").fill("Site");
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  expect(await page.getByLabel("Keep me signed in").isChecked()).toBe(true);
  await page.unrouteAll();
  await signIn(page, token);
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.evaluate(KEPT)).toBe(token);
});

describe("a reload by somebody who stays signed in", () => {
  it("says that the service cannot be reached, keeps the token, and goes on when it is back", async () => {
    const { page, row, token } = await stay();
    await page.route(ME, (route) => route.abort());
    await page.reload();
    await page.getByText("The service cannot be reached. You are still signed in.").waitFor();
    await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
    expect(await page.getByLabel("Token", { exact: true }).count()).toBe(0);
    expect(await page.evaluate(KEPT)).toBe(token);
    expect(await findings(page)).toEqual([]);
    await page.unroute(ME);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await row.waitFor();
  });

  it("tries again when it is asked to, and then the page has the focus", async () => {
    const { page, row } = await stay();
    const error = { code: "SERVICE_UNAVAILABLE", message: "The database is down" };
    await page.route(ME, (route) => route.fulfill({ status: 503, json: { success: false, error } }));
    await page.reload();
    await page.getByText("The service does not answer as it should. You are still signed in.").waitFor();
    await page.unroute(ME);
    await page.getByRole("button", { name: "Try again" }).click();
    await row.waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await eventually(() => page.evaluate("document.activeElement.tagName")).toBe("H1");
  });

  it("lets them sign out while the service cannot be reached", async () => {
    const { page } = await stay();
    await page.route(ME, (route) => route.abort());
    await page.reload();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Token", { exact: true }).waitFor();
    expect(await page.evaluate(KEPT)).toBe(null);
  });

  it("shows that it is signing in for as long as the service takes", async () => {
    const { page, row } = await stay();
    const { asked, letGo } = await holding(page, ME);
    await page.reload();
    await asked;
    await page.getByRole("status").getByText("Signing in …").waitFor();
    expect(await page.getByLabel("Token", { exact: true }).count()).toBe(0);
    letGo();
    await row.waitFor();
  });

  it("asks for a token if theirs has ended", async () => {
    const { page, publisher } = await stay();
    await store.h.rows("update api_tokens set expires_at = now() where publisher_id = $1", [publisher.id]);
    await page.reload();
    await page.getByText("Your session has ended. Sign in again.").waitFor();
    expect(await page.evaluate(KEPT)).toBe(null);
  });
});
