import { beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { visitConsole } from "../../../support/browser/console.ts";
import { holding } from "../../../support/browser/holding.ts";
import { attempt, chooseRows, makeOwner, offersOf, visitImport } from "../../../support/browser/importing.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { offerBody } from "../../../support/factories.ts";
import { lines } from "../../../support/transfers.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const paste = (page: Page, text: string) => page.getByLabel("Or paste rows").fill(text);
const tried = (page: Page) => page.getByRole("region", { name: "What would be done" });
const begin = (page: Page) => page.getByRole("button", { name: "Try it first" });

it("a try that is answered late says nothing of rows that were pasted meanwhile, and its own are not imported", async () => {
  const { platform, advertiser } = await makeOwner(store);
  const row = (name: string) => offerBody(advertiser.id, { name });
  const { page } = await visitImport(store, platform.token);
  const { asked, letGo } = await holding(page, /\/offers\/import\?.*dryRun=true/);
  await paste(page, lines(row("First"), row("Second")));
  await attempt(page);
  await asked;
  await paste(page, lines(row("Other")));
  letGo();
  await begin(page).waitFor();
  expect(await tried(page).count()).toBe(0);
  await attempt(page);
  await page.getByRole("button", { name: "Import 1 offer …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("1 offer created, 0 changed, 0 rows refused.").waitFor();
  expect((await offersOf(store, advertiser.id)).map(({ name }) => name)).toEqual(["Other"]);
});

it("a try that is answered late says nothing of other ways to take its rows, and one that is tried again nothing meanwhile", async () => {
  const { platform, advertiser } = await makeOwner(store);
  const { page } = await visitImport(store, platform.token);
  const { asked, letGo } = await holding(page, /\/offers\/import\?.*dryRun=true/);
  await paste(page, lines(offerBody(advertiser.id)));
  await attempt(page);
  await asked;
  await page.getByLabel("Whose offers they are").selectOption("one");
  letGo();
  await begin(page).waitFor();
  expect(await tried(page).count()).toBe(0);
  await page.getByLabel("Whose offers they are").selectOption("each");
  await attempt(page);
  await tried(page).waitFor();
  const again = await holding(page, /\/offers\/import\?.*dryRun=true/);
  await attempt(page);
  await again.asked;
  expect(await tried(page).count()).toBe(0);
  again.letGo();
  await tried(page).waitFor();
});

it("nothing closes the question while rows are imported: a lost answer is told", async () => {
  const { platform, advertiser } = await makeOwner(store);
  const { page } = await visitConsole(store, platform.token, "/console/offers");
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await chooseRows(page, "offers.ndjson", lines(offerBody(advertiser.id, { name: "Once" })));
  await attempt(page);
  const [done, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/offers\/import\?atomic=true$/, async (route) => {
    await route.fetch();
    done.resolve();
    await held.promise;
    await route.abort();
  });
  const asked: string[] = [];
  page.on("dialog", async (question) => {
    asked.push(question.type());
    await question.dismiss();
  });
  await page.getByRole("button", { name: "Import 1 offer …" }).click();
  const dialog = page.getByRole("dialog", { name: "Import 1 offer?" });
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await done.promise;
  // A browser closes what is kept open at the second time.
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Cancel" }).click({ force: true });
  expect(await dialog.isVisible()).toBe(true);
  await page.evaluate("history.back()");
  await eventually(() => Promise.resolve(asked)).toEqual(["confirm"]);
  held.resolve();
  await dialog.getByText("It is not known whether anything was imported.").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.getByText("It is not known whether the rows of offers.ndjson were taken").waitFor();
  expect(await page.getByText("Nothing is imported yet.").count()).toBe(0);
  expect(await offersOf(store, advertiser.id)).toHaveLength(1);
});
