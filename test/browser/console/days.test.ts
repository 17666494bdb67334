import { beforeAll, expect, it } from "vitest";
import { visitConsole } from "../../support/browser/console.ts";
import { eventually, openStore, type Store } from "../../support/browser/store.ts";
import { makeInventory } from "../../support/factories.ts";
import { ALL, day, reporting } from "../../support/tracking/reporting.ts";

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
  await eventually(() => page.getByRole("option", { name: "These days" }).count()).toBe(0);
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
