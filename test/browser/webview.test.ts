import type { BrowserContextOptions } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { makeKey } from "../../db/core/secrets/secrets.ts";
import { findings } from "../support/browser/axe.ts";
import { newCustomer } from "../support/browser/launch.ts";
import { eventually, openStore, type Store, type Visit } from "../support/browser/store.ts";

const IOS = `window.messages = []; window.webkit = { messageHandlers: { lanyap: { postMessage: (message) => messages.push(message) } } }`;
const ANDROID = `window.messages = []; window.LanyapAndroid = { postMessage: (text) => messages.push(JSON.parse(text)) }`;

type Message = { type: string; name: string; data: Record<string, unknown> };

const messages = ({ page }: Visit) => page.evaluate<Message[]>("window.messages");
const untilTold = (visit: Visit, name: string) =>
  eventually(async () => (await messages(visit)).map((message) => message.name)).toContain(name);

describe("the hosted page", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  const open = async (query: Record<string, string>, app = "", options: BrowserContextOptions = {}): Promise<Visit> => {
    const context = await newCustomer(store.browser, {
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: true,
      ...options,
    });
    const page = await context.newPage();
    const visit: Visit = { page, context, beacons: [], errors: [] };
    context.on("request", (request) => {
      if (/\/(?:vdata|click|close)\?t=/.test(request.url())) visit.beacons.push(request.url());
    });
    page.on("console", (message) => visit.errors.push(message.text()));
    page.on("pageerror", (error) => visit.errors.push(error.message));
    if (app) await page.addInitScript(app);
    await page.goto(`${store.h.url}/ui/webview?${new URLSearchParams(query).toString()}`);
    return visit;
  };

  it.each([
    ["iOS", IOS],
    ["Android", ANDROID],
  ])("tells an app on %s what happens, and leaves opening offers to it", async (_, app) => {
    const asked = await store.placement();
    const visit = await open(
      {
        placement: asked.placementId,
        publicKey: asked.publicKey,
        sessionId: "s-1",
        count: "2",
        "at.orderid": "1",
        "at.language": "en",
      },
      app,
    );
    await untilTold(visit, "view");
    await visit.page.getByRole("link", { name: "Yes, please" }).click();
    await untilTold(visit, "click");
    await visit.page.getByRole("button", { name: "No, thanks" }).click();
    await untilTold(visit, "end");
    const told = await messages(visit);
    expect(told.filter(({ name }) => name !== "view").map(({ type, name }) => `${type} ${name}`)).toEqual(
      ["ready", "show", "click", "show", "close", "end"].map((name) => `event ${name}`),
    );
    expect(told[0]?.data).toEqual({ count: 2, isTestMode: false });
    const click = told.find(({ name }) => name === "click");
    expect(click?.data["url"]).toMatch(/\/click\?t=/);
    expect(visit.context.pages().length).toBe(1);
    await store.expectCounted(asked, visit, { impressions: 2, closes: 1 });
    const closed = await store.h.rows("select closing from events where kind = 'close' and placement_id = $1", [
      asked.placementId,
    ]);
    expect(closed).toEqual([{ closing: "decline" }]);
    await visit.context.close();
  });

  it("opens offers itself without an app, under a strict policy, for everyone", async () => {
    const asked = await store.placement(1);
    const visit = await open({
      placement: asked.placementId,
      publicKey: asked.publicKey,
      count: "1",
      "at.eMail": "a@b.example",
      locale: "fr",
    });
    const accept = visit.page.getByRole("link", { name: "Yes, please" });
    await accept.waitFor();
    expect(await visit.page.locator("#lanyap > p").count()).toBe(0);
    expect(await visit.page.locator("html").getAttribute("lang")).toBe("fr");
    expect(await findings(visit.page)).toEqual([]);
    const [tab] = await Promise.all([visit.context.waitForEvent("page"), accept.click()]);
    await tab.waitForURL(/^https:\/\/advertiser\.example\//);
    await store.expectCounted(asked, visit, { impressions: 1, clicks: 1 });
    await visit.context.close();
  });

  it.each([
    ["Android, which takes no message", "window.LanyapAndroid = {}"],
    ["iOS, which throws", IOS.replace("messages.push(message)", "{ throw new Error('gone') }")],
  ])("opens an offer itself where the app is there, but broken: %s", async (_, app) => {
    const asked = await store.placement(1);
    const visit = await open(
      { placement: asked.placementId, publicKey: asked.publicKey, count: "1", "at.orderid": "1", "at.language": "en" },
      app,
    );
    const accept = visit.page.getByRole("link", { name: "Yes, please" });
    const [tab] = await Promise.all([visit.context.waitForEvent("page"), accept.click()]);
    await tab.waitForURL(/^https:\/\/advertiser\.example\//);
    expect(visit.errors.filter((text) => !text.startsWith("Lanyap: the app did not take a message"))).toEqual([]);
    await store.expectCounted(asked, { ...visit, errors: [] }, { impressions: 1, clicks: 1 });
    await visit.context.close();
  });

  it.each([
    [{}, "placement, publicKey, at.orderid or at.email"],
    [{ placement: "plc_1", "at.email": "a@b.example" }, "publicKey"],
  ])("says what its address lacks: %j", async (query, lacking) => {
    const visit = await open(query);
    const note = visit.page.locator("#lanyap p");
    await note.waitFor();
    expect(await note.textContent()).toBe(`There are no offers here, because this page’s address lacks ${lacking}.`);
    expect(await findings(visit.page)).toEqual([]);
    expect(visit.errors).toEqual([]);
    await visit.context.close();
  });

  it.each([
    ["a placement whose ads are off", {}],
    ["a key that is not known", { publicKey: makeKey("public") }],
  ])("says that there is nothing to who came without an app, by %s", async (_, change) => {
    const asked = await store.placement(0, { publisher: { adsEnabled: false } });
    const visit = await open({
      placement: asked.placementId,
      publicKey: asked.publicKey,
      sessionId: "1",
      "at.orderid": "1",
      ...change,
    });
    const note = visit.page.locator("#lanyap p");
    await note.waitFor();
    expect(await note.textContent()).toBe("There are no offers here at the moment.");
    expect(await findings(visit.page)).toEqual([]);
    await visit.context.close();
  });

  it.each([
    ["ar", "rtl", "عروض", "لا توجد عروض هنا حاليًا."],
    ["de-AT", "ltr", "Angebote", "Zurzeit gibt es hier keine Angebote."],
    ["he", "rtl", "Offers", "There are no offers here at the moment."],
  ])("says so in the customer's language, and is written as that is: %s", async (locale, dir, title, text) => {
    const asked = await store.placement(0, { publisher: { adsEnabled: false } });
    const query = { placement: asked.placementId, publicKey: asked.publicKey, "at.orderid": "1" };
    const lang = title === "Offers" ? "en" : locale.slice(0, 2);
    // It is the language of the address, or else of the browser.
    for (const { page, context } of [await open({ ...query, locale }), await open(query, "", { locale })]) {
      const note = page.locator("#lanyap p");
      await note.waitFor();
      expect([await note.textContent(), await note.getAttribute("lang")]).toEqual([text, lang]);
      expect([await page.title(), await page.locator("h1").textContent()]).toEqual([title, title]);
      expect(await page.evaluate("[document.documentElement.lang, document.documentElement.dir]")).toEqual([
        locale,
        dir,
      ]);
      expect(await findings(page)).toEqual([]);
      await context.close();
    }
  });

  it("shows that it is over to who came without an app, and leaves the focus where it is", async () => {
    const asked = await store.placement(1);
    const query = { placement: asked.placementId, publicKey: asked.publicKey, count: "1", "at.orderid": "1" };
    const visit = await open({ ...query, locale: "fr" });
    const { page } = visit;
    await page.getByRole("button", { name: "No, thanks" }).press("Enter");
    const note = page.getByText("Vous pouvez fermer cette page.");
    await note.waitFor();
    expect(await page.getByRole("status").evaluate((status) => status.matches(":focus"))).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBe(844);
    expect(await findings(page)).toEqual([]);
    await store.expectCounted(asked, visit, { impressions: 1, closes: 1 });
    await visit.context.close();
  });

  it("says why it is empty where JavaScript is off", async () => {
    const { page, context } = await open({}, "", { javaScriptEnabled: false });
    const note = page.locator("noscript p");
    expect([await note.isVisible(), await note.textContent()]).toEqual([true, expect.stringContaining("JavaScript")]);
    await context.close();
  });

  it("tells the app that there is nothing, or what is wrong", async () => {
    const asked = await store.placement(0, { publisher: { adsEnabled: false } });
    const empty = await open(
      { placement: asked.placementId, publicKey: asked.publicKey, sessionId: "1", "at.orderid": "1" },
      IOS,
    );
    await untilTold(empty, "empty");
    const wrong = await open({ sessionId: "1" }, ANDROID);
    await untilTold(wrong, "OPTIONS");
    expect((await messages(wrong))[0]).toMatchObject({ type: "error", name: "OPTIONS" });
    expect(await empty.page.locator("#lanyap p").count()).toBe(0);
    await store.expectCounted(asked, empty, {});
    await Promise.all([empty.context.close(), wrong.context.close()]);
  });
});
