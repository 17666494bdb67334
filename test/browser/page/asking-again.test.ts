import { beforeAll, describe, expect, it } from "vitest";
import { openListening } from "../../support/browser/listening.ts";
import { scriptTag } from "../../support/browser/markup.ts";
import { initScript, thankYouPage } from "../../support/browser/shop.ts";
import { openStore, untilLogged, type Store } from "../../support/browser/store.ts";

describe("attributes and options that are wrong", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });
  const open = (body: string) => openListening(store, body);

  it("ask once more without what the service refuses, and tell what that is", async () => {
    const made = await store.placement(1);
    const keys = { "public-key": made.publicKey, "placement-id": made.placementId };
    const right = { "at-orderid": "7", "at-amount": "79.90", "at-zipcode": "1010" };
    const wrong = {
      "at-email": "nobody",
      "at-phone": "123",
      "at-country": "USA",
      "at-language": "german",
      "at-currency": "XXX",
      "at-payment_type": "cash",
    };
    const { warnings, asked, page, visit } = await open(
      `<div id="lanyap"></div>${scriptTag(store.h.url, { ...keys, count: "1", ...right, ...wrong })}`,
    );
    await page.locator("article").waitFor();
    expect(asked.length).toBe(2);
    expect(Object.fromEntries(asked[1]?.searchParams ?? [])).toEqual({
      ...made,
      sessionId: "7",
      count: "1",
      "at.orderid": "7",
      "at.amount": "79.90",
      "at.zipcode": "1010",
    });
    const told = await warnings(6);
    expect(told.map((text) => text.replace(/ must .*/, ""))).toEqual([
      "warning Lanyap: data-at-country",
      "warning Lanyap: data-at-currency",
      "warning Lanyap: data-at-email",
      "warning Lanyap: data-at-language",
      "warning Lanyap: data-at-payment_type",
      "warning Lanyap: data-at-phone",
    ]);
    await store.expectCounted(made, visit, { impressions: 1 });
  });

  it("ask once more without it also where the network failed before", async () => {
    const made = await store.placement(1);
    const keys = { "public-key": made.publicKey, "placement-id": made.placementId };
    const { visit, page } = await open("");
    const asked: [string | null, number][] = [];
    await page.route("**/api/odata?**", async (route) => {
      const { searchParams } = new URL(route.request().url());
      const country = searchParams.get("at.country");
      if (asked.length === 0) {
        asked.push([country, 0]);
        return route.abort("connectionreset");
      }
      const response = await route.fetch();
      asked.push([country, response.status()]);
      return route.fulfill({ response });
    });
    const lines = `<div id="lanyap"></div>${scriptTag(store.h.url, { ...keys, count: "1", "at-orderid": "7", "at-country": "USA" })}`;
    await page.goto(store.shop.open({ body: thankYouPage(lines) }));
    await page.locator("article").waitFor();
    expect(asked).toEqual([
      ["USA", 0],
      ["USA", 400],
      [null, 200],
    ]);
    await store.expectCounted(made, visit, { impressions: 1 });
  });

  it("tell why the service refused them where nothing is left to ask by", async () => {
    const made = await store.placement(1);
    const keys = { "public-key": made.publicKey, "placement-id": made.placementId };
    const { warnings, asked } = await open(scriptTag(store.h.url, { ...keys, "at-email": "nobody" }));
    expect(await warnings(2)).toEqual([
      "warning Lanyap: data-at-email must be an e-mail address or its SHA-256 in 64 hex digits",
      "warning Lanyap: data-at-orderid or an e-mail is missing",
    ]);
    expect(asked.length).toBe(2);
  });

  it.each(["1500000", "-1", "79,90"])("ask without an amount that the service refuses: %s", async (amount) => {
    const made = await store.placement(1);
    const keys = { "public-key": made.publicKey, "placement-id": made.placementId, "at-orderid": "7" };
    const { warnings, asked, page, visit } = await open(
      `<div id="lanyap"></div>${scriptTag(store.h.url, { ...keys, count: "1", "at-currency": "KRW", "at-amount": amount })}`,
    );
    await page.locator("article").waitFor();
    expect(asked.map(({ searchParams }) => [searchParams.get("at.amount"), searchParams.get("at.currency")])).toEqual([
      [amount, "KRW"],
      [null, "KRW"],
    ]);
    expect(await warnings(1)).toEqual([
      `warning Lanyap: data-at-amount must be a number from 0 to 1000000, with a point, not "${amount}"`,
    ]);
    await store.expectCounted(made, visit, { impressions: 1 });
  });

  it("ask without a count or an amount of code that the service refuses, and name the option", async () => {
    const made = await store.placement(1);
    const init = initScript({ ...made, container: "#here", count: 0, attributes: { orderid: 7, orderValue: 1e7 } });
    const { warnings, asked, page, visit } = await open(
      `<div id="here"></div><script src="${store.h.url}/embed.js"></script>${init}`,
    );
    await untilLogged(page, "onShow 0");
    expect(asked.map(({ searchParams }) => [searchParams.get("count"), searchParams.get("at.amount")])).toEqual([
      ["4", "10000000"],
      ["4", null],
    ]);
    expect(await warnings(2)).toEqual([
      `warning Lanyap: at.ordervalue must be a number from 0 to 1000000, with a point, not "10000000"`,
      `warning Lanyap: count is not sent: it must be an integer of at least 1, not "0"`,
    ]);
    await store.expectCounted(made, visit, { impressions: 1 });
  });
});
