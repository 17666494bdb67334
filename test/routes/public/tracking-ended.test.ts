import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { documentKey } from "../../../db/documents/keys.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { untilStored } from "../../support/documents/stored.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { holdDatabase } from "../../support/faults/situation.ts";
import { SECRETS } from "../../support/secrets.ts";
import { DAY, hitsOf, mint, stored } from "../../support/tracking/hits.ts";
import { reporting } from "../../support/tracking/reporting.ts";

const DESTINATION = "https://advertiser.example/a?x={country}{unknown}";

let h: Harness;
const { count } = reporting(() => h);
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  inventory = await makeInventory(h.db);
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const click = (token: string, method = "GET") => h.fetch(`/click?t=${token}`, { method, redirect: "manual" });
/** A token for an offer at a placement whose site says no domain. */
const tokenFor = (offerId: string, more = {}) => mint(offerId, { placementId: inventory.placement.id, ...more });
const expectRedirect = (response: Awaited<ReturnType<typeof click>>, to: string) =>
  expect([response.status, response.headers.get("location")]).toEqual([302, to]);
const expectGone = async (response: Awaited<ReturnType<typeof click>>) => {
  expect([response.status, response.headers.get("location")]).toEqual([410, null]);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await response.text()).toContain("This offer has ended");
};

describe("a click", () => {
  it.each(["offer", "advertiser"])(
    "on an offer whose %s is archived leads to the shop, and does not count",
    async (what) => {
      const owner = await makeAdvertiser(h.db, what === "advertiser" ? { status: "archived" } : {});
      const status = what === "offer" ? "archived" : "active";
      const { id } = await makeOffer(h.db, owner.id, { destinationUrl: DESTINATION, status });
      const shop = await makeInventory(h.db, { site: { domain: "www.shop.example" } });
      expectRedirect(await click(mint(id, { placementId: shop.placement.id })), "https://www.shop.example/");
      await expectGone(await click(tokenFor(id)));
      await expectGone(await click(tokenFor(id), "POST"));
      await stored(h, id, 3);
      expect(await hitsOf(h, id)).toEqual(["click expired 3"]);
    },
  );

  it("leads to the shop of a placement that is gone, where counters tell it and the site is still there", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { destinationUrl: DESTINATION, status: "archived" });
    const shop = await makeInventory(h.db, { site: { domain: "shop.example" } });
    const uncounted = await makePlacement(h.db, shop.site.id);
    await count(shop.placement.id);
    await h.rows("delete from placements where site_id = $1", [shop.site.id]);
    expectRedirect(await click(mint(id, { placementId: shop.placement.id })), "https://shop.example/");
    await expectGone(await click(mint(id, { placementId: uncounted.id })));
    expect(await h.count("placements where site_id = $1", [shop.site.id])).toBe(0);
    await h.rows("delete from sites where id = $1", [shop.site.id]);
    await expectGone(await click(mint(id, { placementId: shop.placement.id })));
  });

  it("on an offer that is archived after it was shown leads to the shop from the next click on", async () => {
    const { publisher, site, placement } = await makeInventory(h.db, { site: { domain: "https://shop.example/cart" } });
    const { id } = await makeOffer(h.db, advertiserId, { destinationUrl: DESTINATION, includeSites: [site.id] });
    const ask = () => askOffers(h, { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US" });
    const { offers } = await ask();
    const { pathname, search } = new URL(offers.find(({ bannerId }) => bannerId === id)?.clickUrl ?? "");
    const again = () => h.fetch(pathname + search, { redirect: "manual" });
    await untilStored(h, [
      documentKey.candidates(placement.id, "US"),
      documentKey.placement(placement.id),
      documentKey.network,
    ]);
    expectRedirect(await again(), "https://advertiser.example/a?x=US{unknown}");
    const headers = { authorization: `Bearer ${SECRETS.ADMIN_TOKEN}`, "content-type": "application/json" };
    const body = JSON.stringify({ status: "archived" });
    expect((await h.fetch(`/api/v1/offers/${id}/status`, { method: "PATCH", headers, body })).status).toBe(200);
    expectRedirect(await again(), "https://shop.example/");
  });

  it("leads to the offer for 30 days, and then to the shop, not counted", async () => {
    const offerId = (await makeOffer(h.db, advertiserId, { destinationUrl: DESTINATION })).id;
    const young = { issuedAt: Date.now() - 30 * DAY + 60_000 };
    const old = { issuedAt: Date.now() - 30 * DAY - 60_000 };
    expectRedirect(await click(tokenFor(offerId, young)), "https://advertiser.example/a?x=US{unknown}");
    const shop = await makeInventory(h.db, { site: { domain: "shop.example" } });
    expectRedirect(await click(mint(offerId, { placementId: shop.placement.id, ...old })), "https://shop.example/");
    await expectGone(await click(tokenFor(offerId, old)));
    await stored(h, offerId, 3);
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1", "click expired 2"]);
  });

  it("with a token past its time answers 410 while nothing tells the shop", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { destinationUrl: DESTINATION });
    h.database.down = true;
    const response = await click(mint(id, { issuedAt: Date.now() - 31 * DAY }));
    h.database.down = false;
    expect(response.status).toBe(410);
    await expectGone(response);
  });
});

describe("a click while Postgres does not answer", () => {
  let release: (() => void) | undefined;
  afterEach(() => release?.());

  it("is recorded and answered all the same, and comes again", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { destinationUrl: DESTINATION });
    const token = tokenFor(id);
    release = holdDatabase(h);
    // It is recorded before it is answered, and answered while Postgres still is not.
    const { status, headers } = await click(token);
    await h.until(
      async () => h.database.held,
      (held) => held > 0,
    );
    release?.();
    await stored(h, id, 1);
    expect([status, headers.get("refresh")]).toEqual([503, "5"]);
    expectRedirect(await click(token), "https://advertiser.example/a?x=US{unknown}");
    await stored(h, id, 2);
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "click duplicate 1"]);
  });

  it("and whose time is over does not count", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { destinationUrl: DESTINATION });
    release = holdDatabase(h);
    const response = await click(tokenFor(id, { issuedAt: Date.now() - 31 * DAY }));
    release?.();
    await expectGone(response);
    await stored(h, id, 1);
    expect(await hitsOf(h, id)).toEqual(["click expired 1"]);
  });
});
