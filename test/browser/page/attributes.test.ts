import { beforeAll, describe, expect, it } from "vitest";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";
import { initScript, thankYouPage } from "../../support/browser/shop.ts";
import { eventually, logOf, openStore, untilLogged, type Store } from "../../support/browser/store.ts";

const misspelt = (key: string, more = ""): string =>
  `<div data-lanyap data-public-key="${key}" data-sesion-id="1" data-at-orderid="7" ${more}></div>`;

describe("attributes and options that are wrong", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });

  /** Opens a page, and notes what it writes to the console and which offers it asks for. */
  const open = async (body: string) => {
    const visit = await store.visit("");
    const [heard, asked]: [string[], URL[]] = [[], []];
    visit.page.on("console", (message) => heard.push(`${message.type()} ${message.text()}`));
    visit.page.on("request", (request) => {
      if (request.url().includes("/api/odata?")) asked.push(new URL(request.url()));
    });
    await visit.page.goto(store.shop.open({ body: thankYouPage(body) }));
    const told = () => heard.filter((text) => text.includes("Lanyap"));
    /** Waits for this many of the script's lines in the console, and returns them in order of the alphabet. */
    const warnings = async (count: number) => {
      await eventually(async () => told().length).toBeGreaterThanOrEqual(count);
      await visit.page.waitForTimeout(200);
      return told().toSorted();
    };
    return { ...visit, visit, asked, warnings };
  };

  it("are told by name, each once, on the script and on places", async () => {
    const asked = await store.placement(1);
    const places =
      misspelt(asked.publicKey) +
      misspelt("pk_1", `data-placement-id="${asked.placementId}"`) +
      misspelt(asked.publicKey, 'data-locale="german"');
    const { warnings, errors } = await open(
      places + scriptTag(store.h.url, { "public-key": asked.publicKey, "at-contry": "US", cfasync: "false" }),
    );
    expect(await warnings(5)).toEqual(
      [
        "warning Lanyap: data-at-contry is not known: data-at-country may be meant",
        `warning Lanyap: data-locale must be a language tag such as en or de-AT, not "german"`,
        "warning Lanyap: data-placement-id is missing",
        "warning Lanyap: data-public-key is no public key: those begin with lan_pk_, and are to be copied whole",
        "warning Lanyap: data-sesion-id is not known: data-session-id may be meant",
      ].toSorted(),
    );
    expect(errors).toEqual([]);
  });

  it("are told by name on a script that has no other", async () => {
    const { publicKey, placementId } = await store.placement(1);
    const { warnings, asked } = await open(scriptTag(store.h.url, { publickey: publicKey, placementid: placementId }));
    expect(await warnings(4)).toEqual([
      "warning Lanyap: data-placement-id is missing",
      "warning Lanyap: data-placementid is not known: data-placement-id may be meant",
      "warning Lanyap: data-public-key is missing",
      "warning Lanyap: data-publickey is not known: data-public-key may be meant",
    ]);
    expect(asked).toEqual([]);
  });

  it("are told by name where only the service knows", async () => {
    const asked = await store.placement(1);
    const other = await store.placement(1);
    const keys = { "public-key": asked.publicKey, "placement-id": asked.placementId };
    const cases: [Record<string, string>, string[]][] = [
      [
        { ...keys, "at-orderid": "7", "at-country": "USA", "at-currency": "XXX" },
        [
          "warning Lanyap: data-at-country must be a two-letter ISO 3166-1 country code",
          "warning Lanyap: data-at-currency must be a supported currency code",
        ],
      ],
      [keys, ["warning Lanyap: data-at-orderid or an e-mail is missing"]],
      [
        { ...keys, "placement-id": other.placementId, "at-orderid": "7" },
        ["warning Lanyap: data-placement-id is not a placement of this public key's publisher"],
      ],
      [
        { ...keys, container: "#nowhere", "at-orderid": "7" },
        [`warning Lanyap: data-container finds nothing in the page: "#nowhere"`],
      ],
    ];
    for (const [attributes, told] of cases) {
      const { warnings, context } = await open(`<div id="lanyap"></div>${scriptTag(store.h.url, attributes)}`);
      expect(await warnings(told.length)).toEqual(told);
      await context.close();
    }
  });

  it("say nothing of what is right, of what other tools add, and of a script for pages with code", async () => {
    const asked = await store.placement(1);
    const { warnings, page, visit } = await open(
      `<div id="lanyap" data-lanyap data-public-key="${asked.publicKey}" data-placement-id="${asked.placementId}"
        data-count="1" data-at-orderid="7" data-at-zipcode="1010" data-at-payment_type="paypal" data-v-7ba5bd90="" data-testid="offers"></div>
      ${scriptTag(store.h.url, { cfasync: "false", "turbo-track": "reload" })}`,
    );
    await page.locator("article").waitFor();
    expect(await warnings(0)).toEqual([]);
    await store.expectCounted(asked, visit, { impressions: 1 });
  });

  it("warn of a private key in the page, which goes nowhere", async () => {
    const { warnings, asked } = await open(
      scriptTag(store.h.url, { "public-key": "lan_sk_1", "placement-id": "plc_1", "at-orderid": "7" }),
    );
    expect(await warnings(2)).toContain(
      "warning Lanyap: data-public-key is a private key: take it out of the page, and revoke it",
    );
    expect(asked).toEqual([]);
  });

  it.each(["lan_sk_1", "lan_plat_1", "token", "lan_pk_"])(
    "ask nobody by a key of code that is not public: %s",
    async (key) => {
      const { placementId } = await store.placement(1);
      const init = initScript({ publicKey: key, placementId, attributes: { orderid: 7 } });
      const { page, asked } = await open(`<script src="${store.h.url}/embed.js"></script>${init}`);
      await untilLogged(page, "onError");
      expect([await logOf(page), asked]).toEqual(["onError OPTIONS", []]);
    },
  );

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

  it.each([
    [{ "at-orderid": "1001", "at-order_id": "A-77", "at-phone": "4155550100", "at-mobile": "4155550199" }],
    [{ "at-order_id": "A-77", "at-orderid": "1001", "at-mobile": "4155550199", "at-phone": "4155550100" }],
  ])("send what stands under a proper name, whatever its other name says: %j", async (given) => {
    const made = await store.placement(1);
    const keys = { "public-key": made.publicKey, "placement-id": made.placementId };
    const { asked, page } = await open(`<div id="lanyap"></div>${scriptTag(store.h.url, { ...keys, ...given })}`);
    await page.locator("article").waitFor();
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
      sessionId: "1001",
      "at.orderid": "1001",
      "at.phone": "4155550100",
    });
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

  it.each(["0", "Infinity", "2147483648"])("tell of a time limit that ends at once: %s", async (timeout) => {
    const made = await store.placement(1);
    const init = `<script>Lanyap.init({ ...${JSON.stringify(made)}, attributes: { orderid: 7 }, timeout: ${timeout} })</script>`;
    const { warnings } = await open(`<div id="lanyap"></div><script src="${store.h.url}/embed.js"></script>${init}`);
    expect(await warnings(2)).toEqual([
      "warning Lanyap: the service did not answer in time",
      `warning Lanyap: timeout must be a number of milliseconds from 1 to 2147483647, not "${timeout}"`,
    ]);
  });

  it("send every amount that the service takes", async () => {
    const made = await store.placement(1);
    const amounts = ["0", "1000000", "79.90", "79.", ".5", " 12 "];
    const places = amounts.map((amount) => placeTag(made, { "at-amount": amount })).join("");
    const { warnings, asked, page, visit } = await open(places + scriptTag(store.h.url));
    await page
      .locator("article")
      .nth(amounts.length - 1)
      .waitFor();
    expect(asked.map(({ searchParams }) => searchParams.get("at.amount"))).toEqual(
      amounts.map((amount) => amount.trim()),
    );
    expect(await warnings(0)).toEqual([]);
    await store.expectCounted(made, visit, { impressions: amounts.length });
  });
});
