import { beforeAll, describe, expect, it } from "vitest";
import { openListening } from "../../support/browser/listening.ts";
import { placeTag, scriptTag } from "../../support/browser/markup.ts";
import { initScript } from "../../support/browser/shop.ts";
import { logOf, openStore, untilLogged, type Store } from "../../support/browser/store.ts";

const misspelt = (key: string, more = ""): string =>
  `<div data-lanyap data-public-key="${key}" data-sesion-id="1" data-at-orderid="7" ${more}></div>`;

describe("attributes and options that are wrong", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore();
  });
  const open = (body: string) => openListening(store, body);

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

  it("are told alike where an old library makes lists in its own way", async () => {
    const asked = await store.placement(1);
    const library = "<script>Array.from = (list) => [].slice.call(list)</script>";
    const { warnings } = await open(
      library + placeTag(asked, { "at-contry": "US", "at-xy": "1" }) + scriptTag(store.h.url),
    );
    expect(await warnings(2)).toEqual([
      "warning Lanyap: data-at-contry is not known: data-at-country may be meant",
      "warning Lanyap: data-at-xy is not known",
    ]);
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
