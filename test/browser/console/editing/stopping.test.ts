import { beforeAll, expect, it } from "vitest";
import { visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makePublisher, makeSite } from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

/** Opens a publisher's sites from the overview, and switches off the ads of all four; the second answer is kept back. */
const switchFour = async () => {
  const publisher = await makePublisher(store.h.db);
  for (let n = 0; n < 4; n += 1) await makeSite(store.h.db, publisher.id, { name: `Stop ${n}` });
  const { page } = await visitConsole(store, publisher.privateKey);
  await page.getByRole("link", { name: "Sites", exact: true }).click();
  let sent = 0;
  const [second, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/api/site/*/ads", async (route) => {
    sent += 1;
    const response = await route.fetch();
    if (sent === 2) {
      second.resolve();
      await held.promise;
    }
    await route.fulfill({ response });
  });
  await page.getByLabel("All on this page").check();
  await page.getByRole("button", { name: "Switch ads off …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch ads off" }).click();
  await second.promise;
  return { publisher, page, held };
};

it("tells all that was done when it is stopped, with what was under way", async () => {
  const { publisher, page, held } = await switchFour();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stopping …" }).waitFor();
  held.resolve();
  await page.getByText("2 of 4: stopped.").waitFor();
  expect(await store.h.count("sites where publisher_id = $1 and not ads_enabled", [publisher.id])).toBe(2);
});

it("asks before the browser's Back ends it in its middle, and then tells what was done", async () => {
  const { publisher, page, held } = await switchFour();
  const asked: string[] = [];
  let isLeaving = false;
  page.on("dialog", async (question) => {
    asked.push(question.type());
    await (isLeaving ? question.accept() : question.dismiss());
  });
  await page.evaluate("history.back()");
  await eventually(() => Promise.resolve(asked)).toEqual(["confirm"]);
  await page.getByRole("dialog", { name: "Switch ads off: 4" }).getByText("1 of 4").waitFor();
  isLeaving = true;
  await page.evaluate("history.back()");
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  held.resolve();
  await page.getByText("Switch ads off: 2 of 4: stopped.").waitFor();
  expect(asked).toEqual(["confirm", "confirm"]);
  expect(await store.h.count("sites where publisher_id = $1 and not ads_enabled", [publisher.id])).toBe(2);
});

it("leaves ticked what was not done, to be done again", async () => {
  const { publisher, page, held } = await switchFour();
  const ticked = page.getByRole("group", { name: "What is ticked" });
  await page.route("**/api/site/*/ads", (route) => route.abort());
  held.resolve();
  await page.getByText("4 of 4: 2 refused.").waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await ticked.getByText("2 ticked").waitFor();
  await page.unroute("**/api/site/*/ads");
  // All below moves up when this goes.
  await page.getByText("The service cannot be reached").waitFor({ state: "hidden" });
  await ticked.getByRole("button", { name: "Switch ads off …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch ads off" }).click();
  await page.getByText("2 of 2: all done.").waitFor();
  expect(await store.h.count("sites where publisher_id = $1 and not ads_enabled", [publisher.id])).toBe(4);
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await eventually(() => ticked.count()).toBe(0);
});
