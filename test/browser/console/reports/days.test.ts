import { beforeAll, describe, expect, it } from "vitest";
import { api, dataOf } from "../../../support/api.ts";
import { signIn, visitConsole } from "../../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../../support/browser/store.ts";
import { makeInventory } from "../../../support/factories.ts";
import { ALL, day, reporting } from "../../../support/tracking/reporting.ts";

let store: Store;
beforeAll(async () => {
  store = await openStore();
});
const counters = reporting(() => store.h);

/** Writes a day as it is typed into a field. */
const typed = (date: string) => date.replace(/^(....)-(..)-(..)$/, "$2$3$1");

/** Names where the last of some elements ends, in the page’s script. */
const ends = (of: string) =>
  `Math.max(...[...document.querySelectorAll(${JSON.stringify(of)})].map((one) => one.getBoundingClientRect().right))`;

it("typed days are taken over when they are whole, the others stay where they are, and names have room", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  await counters.count(placement.id, { ...ALL, day: day(-4) });
  const path = `/console/reports?by=PLACEMENT&from=${day(-6)}&to=${day()}`;
  const { page, problems } = await visitConsole(store, publisher.privateKey, path);
  await page.getByRole("rowheader", { name: placement.name }).waitFor();
  const [first, last] = [page.getByLabel("From (UTC)"), page.getByLabel("To (UTC)")];
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
  await last.pressSequentially(typed(day(-2)));
  expect(asked()).toMatchObject({ from: day(-6), to: day() });
  await last.press("Enter");
  await eventually(async () => asked()).toMatchObject({ from: day(-6), to: day(-2) });
  await first.pressSequentially(typed(day(-30)));
  await page.getByLabel("Country").focus();
  await eventually(async () => asked()).toMatchObject({ from: day(-30), to: day(-2) });
  await first.pressSequentially("01010202");
  await page.getByLabel("Country").focus();
  await eventually(() => first.inputValue()).toBe(day(-30));
  expect(asked()).toMatchObject({ from: day(-30), to: day(-2) });
  expect(await page.getByLabel("Period").inputValue()).toBe("");
  await page.getByLabel("Period").selectOption("30");
  await eventually(() => page.getByRole("option", { name: "Custom" }).count()).toBe(0);
  await page.getByLabel("split further").selectOption("SITE");
  const names = page.locator(".named .clip");
  await eventually(async () => (await names.count()) > 1).toBe(true);
  const [title, name] = [await names.first().getAttribute("title"), await names.first().innerText()];
  expect(title).toBe(name);
  const widths = "[...document.querySelectorAll('.named .clip')].map((one) => one.getBoundingClientRect().width)";
  expect(await page.evaluate<number>(`Math.min(...${widths})`)).toBeGreaterThan(150);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate<boolean>(`${ends(".tools input")} < ${ends(".tools")}`)).toBe(true);
  expect(problems).toEqual([]);
});

it("today is not compared with a whole day: the figures leave it out, and say so", async () => {
  const { publisher, placement } = await makeInventory(store.h.db);
  for (let n = 0; n < 16; n += 1) {
    const clicks = n === 0 ? 1 : n < 7 ? 11 : 10;
    await counters.count(placement.id, { ...ALL, day: day(-n), clicks, impressions: 100 });
  }
  const { page, problems } = await visitConsole(store, publisher.privateKey, "/console/account");
  const clicks = page.locator(".tile").filter({ has: page.getByText("Clicks", { exact: true }) });
  await eventually(() => clicks.innerText()).toBe("Clicks\n157\n▲ +8.6% 7 whole days vs the 7 before");
  await page.getByRole("heading", { name: "In all, last 30 days" }).waitFor();
  await page.goto(`${store.h.url}/console/reports?by=TOTAL&against=before&from=${day(-6)}&to=${day()}`);
  await signIn(page, publisher.privateKey);
  await eventually(() => clicks.innerText()).toBe("Clicks\n67\nWhole days: 66\n▲ +10% on 60");
  await page.getByText("Today is not over.").waitFor();
  await page.getByRole("button", { name: "Leave today out" }).press("Enter");
  await eventually(() => clicks.innerText()).toBe("Clicks\n66\n▲ +10% on 60");
  expect(new URL(page.url()).searchParams.get("to")).toBe(day(-1));
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("What is shown");
  expect(problems).toEqual([]);
});

describe("reports", () => {
  it.each(["DAY", "WEEK", "MONTH"])("compare whole days above rows by %s", async (per) => {
    const { publisher, placement } = await makeInventory(store.h.db);
    // A hundred a day, and a few of the day that has just begun.
    for (let back = 0; back < 20; back += 1)
      await counters.count(placement.id, { impressions: back === 0 ? 3 : 100, day: day(-back) });
    const days = `from=${day(-9)}&to=${day()}`;
    const { page } = await visitConsole(
      store,
      publisher.privateKey,
      `/console/reports?${days}&per=${per}&against=before`,
    );
    const tile = page.locator(".tile").filter({ has: page.getByText("Impressions", { exact: true }) });
    await tile.getByText("on 900").waitFor();
    expect((await tile.innerText()).replaceAll(/\s+/g, " ")).toBe("Impressions 903 Whole days: 900 0% on 900");
  });
});

it("a link that the browser does not let be copied is shown, and a token that only reads is not sent to Explain", async () => {
  const { publisher } = await makeInventory(store.h.db);
  const reader = dataOf<{ bearer: string }>(
    await api(store.h, "POST", `/api/v1/publishers/${publisher.id}/api-tokens`, {
      token: publisher.privateKey,
      body: { name: "Reader", access: "READ", revenueAccess: false },
    }),
  );
  const { page, problems } = await visitConsole(store, reader.bearer, "/console/reports");
  const empty = page.getByText("Choose other days");
  await empty.waitFor();
  expect(await empty.innerText()).not.toContain("Explain");
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText(`Copy it from here: ${store.h.url}/console/reports`).waitFor();
  expect(problems).toEqual([]);
});
