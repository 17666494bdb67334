import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";
import { thankYouPage } from "../../support/browser/shop.ts";
import { eventually, openStore, untilDrawn, type Store } from "../../support/browser/store.ts";

/** Keeps count of what runs in a page: timers, and what listens or observes. Those of the page's whole life are left out. */
const COUNT_RUNNING = `<script>{
  const listening = new Set();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (name, action, ...given) {
    if (name === "change" || name === "visibilitychange") listening.add(action);
    return addEventListener.call(this, name, action, ...given);
  };
  EventTarget.prototype.removeEventListener = function (name, action, ...given) {
    listening.delete(action);
    return removeEventListener.call(this, name, action, ...given);
  };
  const observing = new Set();
  const { observe, disconnect } = IntersectionObserver.prototype;
  IntersectionObserver.prototype.observe = function (...given) { observing.add(this); return observe.apply(this, given); };
  IntersectionObserver.prototype.disconnect = function () { observing.delete(this); return disconnect.call(this); };
  const timers = new Set();
  const [set, clear] = [window.setTimeout, window.clearTimeout];
  window.setTimeout = (action, ms, ...given) => {
    const timer = set(() => { timers.delete(timer); action(...given); }, ms);
    timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => { timers.delete(timer); clear(timer); };
  window.stillRunning = () => timers.size + observing.size + listening.size;
}</script>`;

const stillRunning = (page: Page) => page.evaluate<number>("stillRunning()");

const add = (page: Page, markup: string) =>
  page.evaluate(`document.querySelector("#view").innerHTML = ${JSON.stringify(markup)}`);

describe("places of a page that changes", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Opens a page, and notes which offers it asks for. */
  const open = async (content: string) => {
    const visit = await store.visit("");
    const asked: string[] = [];
    visit.page.on("request", (request) => {
      if (request.url().includes("/api/odata?")) asked.push(request.url());
    });
    const head = COUNT_RUNNING + scriptTag(store.h.url);
    await visit.page.goto(store.shop.open({ body: thankYouPage(`<div id="view">${content}</div>`, head) }));
    return { visit, page: visit.page, asked };
  };

  it("are found when they come later, by markup or by their attribute", async () => {
    const made = await store.placement(1);
    const { visit, page, asked } = await open("");
    await page.waitForFunction("window.Lanyap");
    await add(page, `<section>${placeTag(made)}</section>`);
    await page.locator("article").waitFor();
    await page.evaluate(`{
      const place = document.createElement("div");
      document.querySelector("#view").append(place);
      Object.assign(place.dataset, { ...document.querySelector("[data-lanyap]").dataset });
      delete place.dataset.lanyap;
      setTimeout(() => (place.dataset.lanyap = ""), 50);
    }`);
    await page.locator("article").nth(1).waitFor();
    expect(asked.length).toBe(2);
    await store.expectCounted(made, visit, { impressions: 2 });
  });

  it("end when they lose their attribute", async () => {
    const made = await store.placement(1);
    const { page } = await open(placeTag(made));
    await page.locator("article").waitFor();
    await page.evaluate(`delete document.querySelector("[data-lanyap]").dataset.lanyap`);
    await eventually(() => stillRunning(page)).toBe(0);
    expect(await page.locator("article").count()).toBe(0);
  });

  it.each([
    ["shows an offer", { toggleCloseButtonDelay: 60_000 }, 1],
    ["waits to show one", { adDisplayDelay: 60_000 }, 0],
  ])("leave nothing running when one goes that %s", async (_, data, impressions) => {
    const made = await store.placement(1, { placement: { data } });
    const { visit, page } = await open("");
    await page.waitForFunction("window.Lanyap");
    const answered = page.waitForResponse(/\/api\/odata\?/);
    await add(page, placeTag(made));
    await answered;
    if (impressions > 0) await page.locator("article").waitFor();
    await eventually(() => stillRunning(page)).toBeGreaterThan(0);
    await untilDrawn(page);
    await page.evaluate(`window.gone = document.querySelector("[data-lanyap]"); gone.remove()`);
    await eventually(() => stillRunning(page)).toBe(0);
    expect(await page.evaluate("gone.childElementCount")).toBe(0);
    await store.expectCounted(made, visit, { impressions });
  });

  it("leave nothing running when one goes while it waits for its answer", async () => {
    const made = await store.placement(1);
    const { visit, page } = await open("");
    await page.waitForFunction("window.Lanyap");
    await page.route("**/api/odata?**", () => new Promise<void>(() => {}));
    const asked = page.waitForRequest(/\/api\/odata\?/);
    await add(page, placeTag(made));
    const failed = page.waitForEvent("requestfailed");
    await asked;
    await page.evaluate(`document.querySelector("[data-lanyap]").remove()`);
    expect((await failed).url()).toContain("/api/odata?");
    await eventually(() => stillRunning(page)).toBe(0);
    await store.expectCounted(made, visit, {});
  });

  it("go on where they are when they are moved, and begin again when they come back later", async () => {
    const made = await store.placement(2);
    const { visit, page, asked } = await open(`${placeTag(made, { count: "2" })}<footer></footer>`);
    await page.getByRole("button", { name: "No, thanks" }).click();
    expect(await page.locator(".count").textContent()).toBe("2 of 2");
    await page.evaluate(`window.place = document.querySelector("[data-lanyap]");
      document.querySelector("footer").append(place)`);
    await page.waitForTimeout(100);
    expect(await page.locator(".count").textContent()).toBe("2 of 2");
    expect(asked.length).toBe(1);
    await page.evaluate("place.remove()");
    await eventually(() => stillRunning(page)).toBe(0);
    await page.evaluate("document.querySelector('footer').append(place)");
    await page.locator("article").waitFor();
    expect(await page.locator(".count").textContent()).toBe("1 of 2");
    expect(asked.length).toBe(2);
    await store.expectCounted(made, visit, { impressions: 3, closes: 1 });
  });

  it.each([
    ["in turn", [0, 1, 2]],
    ["the last first", [2, 1, 0]],
    ["the second last", [0, 2, 1]],
  ])("do not begin with the same offer, and wait for nobody else's answer; answers come %s", async (_, order) => {
    const made = await store.placement(3);
    const visit = await store.visit("");
    const { page } = visit;
    const held: { count: string | null; answer: () => Promise<void> }[] = [];
    await page.route("**/api/odata?**", (route) => {
      const count = new URL(route.request().url()).searchParams.get("count");
      held.push({ count, answer: () => route.fallback() });
    });
    const places = placeTag(made) + placeTag(made) + placeTag(made, { count: "2" });
    await page.goto(store.shop.open({ body: thankYouPage(places + scriptTag(store.h.url)) }));
    await eventually(async () => held.length).toBe(3);
    // One more for each other place, so that there is another to begin with; no more are shown than were asked for.
    expect(held.map(({ count }) => count)).toEqual(["3", "3", "4"]);
    for (const [already, i] of order.entries()) {
      await held[i]?.answer();
      await page.locator("article").nth(already).waitFor();
    }
    const titles = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(titles.toSorted()).toEqual(["Offer 1", "Offer 2", "Offer 3"]);
    expect((await page.locator(".count").allTextContents()).filter(Boolean)).toEqual(["1 of 2"]);
    await store.expectCounted(made, visit, { impressions: 3 });
  });

  it("do not begin with the same offer where there are more of them than offers are usual", async () => {
    const made = await store.placement(6);
    const places = placeTag(made, { count: "" }).repeat(6);
    const { visit, page } = await open(places);
    await page.locator("article").nth(5).waitFor();
    const titles = await page.getByRole("heading", { level: 2 }).allTextContents();
    expect(titles.toSorted()).toEqual(["Offer 1", "Offer 2", "Offer 3", "Offer 4", "Offer 5", "Offer 6"]);
    expect(await page.locator(".count").allTextContents()).toEqual(Array.from({ length: 6 }, () => "1 of 4"));
    await store.expectCounted(made, visit, { impressions: 6 });
  });

  it("begin with the best offer again when an earlier one gets no answer", async () => {
    const made = await store.placement(2);
    const { page } = await open("");
    await page.waitForFunction("window.Lanyap");
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/api/odata?**", async (route) => {
      asked += 1;
      if (asked === 1) return route.fulfill({ status: 404, headers: { "Access-Control-Allow-Origin": "*" }, body: "" });
      await promise;
      return route.fallback();
    });
    const failed = page.waitForEvent("console", (message) => message.text().startsWith("Lanyap"));
    await add(page, placeTag(made));
    await failed;
    await page.evaluate(
      `document.querySelector("#view").insertAdjacentHTML("beforeend", ${JSON.stringify(placeTag(made, { count: "2" }))})`,
    );
    await eventually(async () => asked).toBe(2);
    const answered = page.waitForResponse(/\/api\/odata\?/);
    resolve();
    const { offers } = (await (await answered).json()) as { offers: { title: string }[] };
    expect(offers).toHaveLength(3);
    await page.locator("article").waitFor();
    expect(await page.getByRole("heading", { level: 2 }).textContent()).toBe(offers[0]?.title);
  });
});
