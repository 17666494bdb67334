import { beforeAll, expect, it } from "vitest";
import { api, dataOf } from "../../../support/api.ts";
import { signIn, visitConsole } from "../../../support/browser/console.ts";
import { findings } from "../../../support/browser/axe.ts";
import { holding } from "../../../support/browser/holding.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import {
  makeAdvertiser,
  makeOffer,
  makeOffers,
  makePlatform,
  makePublisher,
  makeSite,
} from "../../../support/factories.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});

const SITES = 52;
/** Counts the calls that somebody else makes in the same minute. */
const USED = 40;

it("more sites than the service lets switch in a minute are all switched: it waits as long as the service says", async () => {
  const publisher = await makePublisher(store.h.db);
  const first = await makeSite(store.h.db, publisher.id, { name: "The first" });
  const use = async () =>
    dataOf(
      await api(store.h, "PATCH", `/api/site/${first.id}/status`, {
        token: publisher.privateKey,
        body: { status: "inactive" },
      }),
    );
  // The minute begins here, so that less of it is left to wait for.
  await use();
  for (let n = 1; n < SITES; n += 1) await makeSite(store.h.db, publisher.id, { name: `Site ${n}` });
  const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/sites");
  const answers: number[] = [];
  page.on("response", (response) => {
    if (/\/api\/site\/[^/]+\/ads$/.test(response.url())) answers.push(response.status());
  });
  const ticked = page.getByRole("group", { name: "What is ticked" });
  await page.getByLabel("All on this page").check();
  await ticked.getByText("25 ticked").waitFor();
  await ticked.getByRole("button", { name: `Tick all ${SITES}` }).click();
  await ticked.getByText(`${SITES} ticked`).waitFor();
  // However slow this machine is, the rest is more than the minute has left.
  for (let n = 0; n < USED; n += 1) await use();
  await ticked.getByRole("button", { name: "Switch ads off …" }).click();
  const question = page.getByRole("dialog", { name: `Switch ads off: ${SITES} sites?` });
  await question.getByRole("button", { name: "Switch ads off" }).click();
  const dialog = page.getByRole("dialog", { name: `Switch ads off: ${SITES}` });
  await dialog.getByText("The service allows no more changes this minute.").waitFor();
  expect(await findings(page)).toEqual([]);
  await dialog.getByText(`${SITES} of ${SITES}: all done.`).waitFor({ timeout: 180_000 });
  expect(answers.filter((status) => status === 200)).toHaveLength(SITES);
  expect(answers.filter((status) => status !== 200)).toEqual(answers.includes(429) ? [429] : []);
  expect(answers).toContain(429);
  const off = "select count(*)::int as off from sites where publisher_id = $1 and not ads_enabled";
  expect(await store.h.rows(off, [publisher.id])).toEqual([{ off: SITES }]);
  await dialog.getByRole("button", { name: "Close" }).click();
  await eventually(() => ticked.count()).toBe(0);
  // Chromium tells of each refusal by itself.
  expect(problems.filter((text) => !text.includes("429"))).toEqual([]);
});

it("ticks stay from page to page, and go where another filter is set", async () => {
  const publisher = await makePublisher(store.h.db);
  for (let n = 0; n < 27; n += 1) await makeSite(store.h.db, publisher.id, { name: `Many ${n}` });
  const { page } = await visitConsole(store, publisher.privateKey, "/console/sites");
  const ticked = page.getByRole("group", { name: "What is ticked" });
  await page.getByLabel("All on this page").check();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByText("26–27 of 27").waitFor();
  await page.getByLabel("Many 0", { exact: true }).check();
  await ticked.getByText("26 ticked").waitFor();
  await ticked.getByRole("button", { name: "Untick all" }).click();
  await eventually(() => ticked.count()).toBe(0);
  await page.getByLabel("All on this page").check();
  await ticked.getByText("2 ticked").waitFor();
  await page.getByLabel("Status").selectOption("inactive");
  await page.getByRole("heading", { name: "No matches" }).waitFor();
  expect(await ticked.count()).toBe(0);
});

it("none is ticked of the rows before, while those of another filter are read", async () => {
  const publisher = await makePublisher(store.h.db);
  await makeSite(store.h.db, publisher.id, { name: "Stays" });
  await makeSite(store.h.db, publisher.id, { name: "Goes", status: "inactive" });
  const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/sites");
  const ticks = ["All on this page", "Stays"].map((name) => page.getByLabel(name, { exact: true }));
  await ticks[1]?.check();
  const { asked, letGo } = await holding(page, /\/directory\/sites\?.*status=active/);
  await page.getByLabel("Status").selectOption("active");
  await asked;
  const isOff = () => Promise.all(ticks.map((tick) => tick.getAttribute("aria-disabled")));
  expect(await isOff()).toEqual(["true", "true"]);
  await ticks[1]?.focus();
  await page.keyboard.press("Space");
  await ticks[0]?.click({ force: true });
  expect(await Promise.all(ticks.map((tick) => tick.isChecked()))).toEqual([false, false]);
  expect(await page.getByRole("row").count()).toBe(3);
  letGo();
  await eventually(isOff).toEqual(["false", "false"]);
  expect(await page.getByRole("row").count()).toBe(2);
  await ticks[0]?.check();
  await page.getByRole("group", { name: "What is ticked" }).getByText("1 ticked").waitFor();
  expect(problems).toEqual([]);
});

it("what is read to be ticked stays unticked where another filter is set meanwhile, and is not changed", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  for (let n = 0; n < 26; n += 1) await makeOffer(store.h.db, advertiser.id, { name: `Tea ${n}`, status: "archived" });
  await makeOffer(store.h.db, advertiser.id, { name: "Coffee", status: "paused" });
  const { page, problems } = await visitConsole(store, platform.token, `/console/offers?advertiserId=${advertiser.id}`);
  const { asked, letGo } = await holding(page, /\/v1\/offers\?.*take=100/);
  const ticked = page.getByRole("group", { name: "What is ticked" });
  await page.getByLabel("All on this page").check();
  await ticked.getByRole("button", { name: "Tick all 27" }).click();
  await asked;
  await page.getByLabel("Status").selectOption("paused");
  await page.getByText("1–1 of 1").waitFor();
  await page.getByLabel("Coffee", { exact: true }).check();
  await ticked.getByText("1 ticked").waitFor();
  letGo();
  const start = ticked.getByRole("button", { name: "Start" });
  await eventually(() => start.getAttribute("aria-disabled")).toBe("false");
  expect(await ticked.getByText("1 ticked").count()).toBe(1);
  await start.click();
  await page.getByText("1 of 1: all done.").waitFor();
  const started = "select name from offers where advertiser_id = $1 and status = 'active'";
  expect(await store.h.rows(started, [advertiser.id])).toEqual([{ name: "Coffee" }]);
  expect(problems).toEqual([]);
});

it("says that not all are ticked where there are more than may be", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  await makeOffers(store.h.db, advertiser.id, 1_001, () => ({ status: "paused" }));
  const { page } = await visitConsole(store, platform.token, "/console/offers");
  await page.getByLabel("All on this page").check();
  await page.getByRole("button", { name: "Tick the first 1,000 of 1,001", exact: true }).click();
  const ticked = page.getByRole("group", { name: "What is ticked" });
  await ticked.getByText("1,000 ticked").waitFor();
  expect(await ticked.getByRole("button", { name: /^Tick (?:all|the first)/ }).count()).toBe(0);
});

it("what stops many asks once, and keeps the reason with each of them; what starts them does not", async () => {
  const platform = await makePlatform(store.h.db);
  const advertiser = await makeAdvertiser(store.h.db, { platformId: platform.id });
  const offers = [await makeOffer(store.h.db, advertiser.id), await makeOffer(store.h.db, advertiser.id)];
  const { page, problems } = await visitConsole(store, platform.token, `/console/offers?advertiserId=${advertiser.id}`);
  const said = () =>
    store.h.rows("select after ->> 'status' as status, reason from audit_log where resource_id = any($1) order by id", [
      offers.map(({ id }) => id),
    ]);
  const ticked = page.getByRole("group", { name: "What is ticked" });
  await page.getByLabel("All on this page").check();
  await ticked.getByRole("button", { name: "Archive …" }).click();
  await page.getByRole("dialog", { name: "Archive: 2 offers?" }).getByRole("button", { name: "Cancel" }).click();
  await ticked.getByRole("button", { name: "Pause …" }).click();
  const question = page.getByRole("dialog", { name: "Pause: 2 offers?" });
  await question.getByText("you can start them again at any time").waitFor();
  expect(await findings(page)).toEqual([]);
  expect(await said()).toEqual([]);
  await question.getByLabel("Reason").fill("Sold out");
  await question.getByRole("button", { name: "Pause" }).click();
  await page.getByText("2 of 2: all done.").waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await eventually(() => ticked.count()).toBe(0);
  await page.getByLabel("All on this page").check();
  await ticked.getByRole("button", { name: "Start" }).click();
  await page.getByText("2 of 2: all done.").waitFor();
  const paused = { status: "paused", reason: "Sold out" };
  const active = { status: "active", reason: "Switched with others in the console" };
  expect(await said()).toEqual([paused, paused, active, active]);
  expect(problems).toEqual([]);
});

it("goes to the last page there is where the rows of this one no longer fit", async () => {
  const publisher = await makePublisher(store.h.db);
  for (let n = 0; n < 26; n += 1) await makeSite(store.h.db, publisher.id, { name: `Off ${n}`, status: "inactive" });
  const { page, problems } = await visitConsole(
    store,
    publisher.privateKey,
    "/console/sites?search=Off&status=inactive&page=2",
  );
  await page.getByText("26–26 of 26").waitFor();
  await page.getByLabel("All on this page").check();
  await page.getByRole("button", { name: "Switch on" }).click();
  await page.getByText("1 of 1: all done.").waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByText("1–25 of 25").waitFor();
  expect(new URL(page.url()).search).toBe("?search=Off&status=inactive");
  await page.goto(`${store.h.url}/console/sites?search=Off&page=7`);
  await signIn(page, publisher.privateKey);
  await page.getByText("26–26 of 26").waitFor();
  expect(new URL(page.url()).search).toBe("?search=Off&page=2");
  expect(problems).toEqual([]);
});
