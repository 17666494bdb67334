import type { Page, Request } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { api, dataOf } from "../../../support/api.ts";
import { visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { untilPainted } from "../../../support/browser/painted.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeInventory } from "../../../support/factories.ts";

const isRead = (request: Request) => request.url().endsWith("/order") && request.method() === "GET";

/** Waits until a page has read the order to the end. A response does not tell that where the page breaks it off, and reads again. */
const untilRead = (page: Page): Promise<Request> => page.waitForEvent("requestfinished", isRead);

/**
 * Waits until a page has read the order anew after a switch. It asks twice: when it shows the switch, and when it has read
 * the publisher with it. The second reading may break off the first, even if all of that has been received.
 */
const untilReadAfterSwitch = (page: Page): Promise<Request> => {
  const asked: Request[] = [];
  page.on("request", (request) => isRead(request) && asked.push(request));
  return page.waitForEvent("requestfinished", (request) => asked.indexOf(request) === 1);
};

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

it("a publisher sets what its offers are ordered by and how many sessions are held out", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const token = publisher.privateKey;
  const path = `/api/v1/publishers/${publisher.id}/order`;
  const order = async () => dataOf(await api(store.h, "GET", path, { token }));
  const { page, problems } = await visitConsole(store, token, "/console/account");
  const card = page.getByRole("region", { name: "Order of offers" });
  const percent = card.getByLabel("Sessions held out (%)");
  await eventually(() => percent.inputValue()).toBe("0");
  await card.getByLabel("Offers are ordered by").selectOption("REVENUE");
  await percent.fill("12");
  expect(await findings(page)).toEqual([]);
  await card.getByRole("button", { name: "Set the order" }).press("Enter");
  await page.getByText("Saved. Answers change within minutes.").waitFor();
  expect(await order()).toMatchObject({ rankBy: "REVENUE", holdoutPercent: 12 });
  await eventually(() => card.getByRole("button", { name: "Set the order" }).getAttribute("aria-disabled")).toBe(
    "true",
  );
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Set the order");
  dataOf(await api(store.h, "PATCH", path, { token, body: { holdoutPercent: 20 } }));
  await percent.fill("30");
  await card.getByRole("button", { name: "Set the order" }).click();
  await card.getByText("Somebody has changed this in the meantime.").waitFor();
  await card.getByRole("button", { name: "Load the new version" }).click();
  await eventually(() => percent.inputValue()).toBe("20");
  expect(await order()).toMatchObject({ rankBy: "REVENUE", holdoutPercent: 20 });
  // Chromium tells of the refusal by itself.
  expect(problems.filter((text) => !text.includes("412"))).toEqual([]);
});

it("a change of the publisher is no change of its order, and what is typed behind a save stays", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const token = publisher.privateKey;
  const path = `/api/v1/publishers/${publisher.id}/order`;
  const order = async () => dataOf(await api(store.h, "GET", path, { token }));
  const { page } = await visitConsole(store, token, "/console/account");
  const card = page.getByRole("region", { name: "Order of offers" });
  const percent = card.getByLabel("Sessions held out (%)");
  const set = card.getByRole("button", { name: "Set the order" });
  await eventually(() => percent.inputValue()).toBe("0");
  await percent.fill("7");
  const readAnew = untilReadAfterSwitch(page);
  await page.getByRole("button", { name: "Switch ads off …" }).click();
  await page.getByRole("button", { name: "Switch off", exact: true }).click();
  await readAnew;
  await untilPainted(page);
  const letThrough = Promise.withResolvers<void>();
  await page.route("**/order", async (route) => {
    if (route.request().method() === "GET") await letThrough.promise;
    await route.fallback();
  });
  await set.click();
  await page.getByText("Saved. Answers change within minutes.").waitFor();
  await percent.fill("15");
  await card.getByLabel("Offers are ordered by").selectOption("REVENUE");
  const renewed = untilRead(page);
  letThrough.resolve();
  await renewed;
  await untilPainted(page);
  await set.click();
  await eventually(order).toMatchObject({ rankBy: "REVENUE", holdoutPercent: 15 });
  expect([await percent.inputValue(), await card.getByRole("alert").count()]).toEqual(["15", 0]);
});

it("who may only read sees the order, and changes nothing", async () => {
  const { publisher } = await makeInventory(store.h.db);
  await store.h.rows("update api_tokens set access = 'READ' where publisher_id = $1", [publisher.id]);
  const { page } = await visitConsole(store, publisher.privateKey, "/console/account");
  const card = page.getByRole("region", { name: "Order of offers" });
  await card.getByText("0% of sessions").waitFor();
  expect(await card.getByRole("button").count()).toBe(0);
});
