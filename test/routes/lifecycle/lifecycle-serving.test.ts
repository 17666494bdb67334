import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, said, wrapped, type Method } from "../../support/api.ts";
import { askOffers, requestOffers } from "../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let asked: { publicKey: string; placementId: string };

beforeAll(async () => {
  h = await startHarness();
  platform = await makePlatform(h.db);
  const { id } = await makeAdvertiser(h.db);
  await makeOffer(h.db, id);
});
beforeEach(async () => {
  inventory = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  asked = { publicKey: inventory.publisher.publicKey, placementId: inventory.placement.id };
});
afterAll(() => h.close());

const call = async (method: Method, path: string, body?: object, token = inventory.publisher.privateKey) => {
  const ids = { publisher: inventory.publisher.id, site: inventory.site.id, placement: inventory.placement.id };
  const to = path.replace(/:(\w+)/, (_, name: keyof typeof ids) => ids[name]);
  expect((await api(h, method, to, { token, body })).status).toBe(200);
};

/** Whether offers come, why not, and the site's status. */
const seen = async () => {
  const { offers, noFillReason, siteStatus } = await askOffers(h, asked);
  return [offers.length > 0, noFillReason, siteStatus];
};

type Switch = [path: string, off: object, on: object, reason: string, siteStatus: string];
const SWITCHES: Switch[] = [
  [
    "/api/v1/publishers/:publisher/status",
    { status: "inactive" },
    { status: "active" },
    "publisher_inactive",
    "active",
  ],
  [
    "/api/v1/publishers/:publisher/ads",
    { adsEnabled: false },
    { adsEnabled: true },
    "publisher_ads_disabled",
    "active",
  ],
  ["/api/site/:site/status", { status: "inactive" }, { status: "active" }, "site_not_active", "inactive"],
  ["/api/site/:site/ads", { adsEnabled: false }, { adsEnabled: true }, "site_ads_disabled", "active"],
  ["/api/placements/:placement/status", { status: "inactive" }, { status: "active" }, "placement_inactive", "active"],
];

describe("the very next request for offers", () => {
  it.each(SWITCHES)("sees %s as %j, and again as %j", async (path, off, on, reason, siteStatus) => {
    for (let round = 0; round < 3; round++) {
      expect(await seen()).toEqual([true, null, "active"]);
      await call("PATCH", path, off);
      expect(await seen()).toEqual([false, reason, siteStatus]);
      await call("PATCH", path, on);
    }
    expect(await seen()).toEqual([true, null, "active"]);
  });

  it.each(SWITCHES.slice(0, 2))("sees %s by its platform and the administrator", async (path, off, on, reason) => {
    expect(await seen()).toEqual([true, null, "active"]);
    await call("PATCH", path, off, platform.token);
    expect(await seen()).toEqual([false, reason, "active"]);
    await call("PATCH", path, on, SECRETS.ADMIN_TOKEN);
    expect(await seen()).toEqual([true, null, "active"]);
  });

  it("sees a site's status that was set by PUT", async () => {
    expect(await seen()).toEqual([true, null, "active"]);
    await call("PUT", "/api/site/:site", { status: "inactive" });
    expect(await seen()).toEqual([false, "site_not_active", "inactive"]);
    await call("PUT", "/api/site/:site", { status: "active" });
    expect(await seen()).toEqual([true, null, "active"]);
  });

  it("needs each switch on, whatever the others are", async () => {
    for (const [path, off] of SWITCHES) await call("PATCH", path, off);
    for (const [path, , on, reason, siteStatus] of SWITCHES) {
      expect(await seen()).toEqual([
        false,
        reason,
        siteStatus === "active" && reason.startsWith("publisher") ? "inactive" : siteStatus,
      ]);
      await call("PATCH", path, on);
    }
    expect(await seen()).toEqual([true, null, "active"]);
  });

  it("sees a site's new name as the brand's", async () => {
    expect((await askOffers(h, asked)).templateData.brandName).toBe(inventory.site.name);
    await call("PUT", "/api/site/:site", { name: "Renamed" });
    expect((await askOffers(h, asked)).templateData.brandName).toBe("Renamed");
  });

  it.each([
    ["placement", []],
    ["site", ["placement"]],
  ])("finds nothing under a deleted %s", async (name, first) => {
    expect(await seen()).toEqual([true, null, "active"]);
    for (const one of first) await call("PATCH", `/api/placements/:${one}/status`, { status: "inactive" });
    await call("DELETE", name === "site" ? "/api/site/:site" : "/api/placements/:placement");
    const response = await requestOffers(h, asked);
    expect([response.status, await response.json()]).toEqual([
      404,
      wrapped("NOT_FOUND", { placementId: asked.placementId }),
    ]);
  });

  it("is not let in with the key of a deleted publisher", async () => {
    expect(await seen()).toEqual([true, null, "active"]);
    await call("PATCH", "/api/placements/:placement/status", { status: "inactive" });
    await call("DELETE", "/api/v1/publishers/:publisher");
    const response = await requestOffers(h, asked);
    expect([response.status, await response.json()]).toEqual([401, wrapped("UNAUTHORIZED")]);
  });

  it("sees nothing of a switch that was refused", async () => {
    const { privateKey: token } = (await makeInventory(h.db)).publisher;
    const path = `/api/site/${inventory.site.id}/status`;
    expect((await api(h, "PATCH", path, { token, body: { status: "inactive" } })).status).toBe(404);
    expect(await seen()).toEqual([true, null, "active"]);
  });
});

describe("a new site", () => {
  it("shows no offers while it is pending, and does when it is active", async () => {
    const token = inventory.publisher.privateKey;
    const store = { storeName: `Store ${newId("site")}`, storeUrl: "https://shop.example" };
    const body = { name: "Placed", pageType: "THANK_YOU_PAGE", isLiveMode: true, ...store };
    const { json } = await api(h, "POST", "/api/placements", { token, body });
    const { data } = json as { data: { id: string; siteId: string } };
    asked = { ...asked, placementId: data.id };
    expect(await seen()).toEqual([false, "site_not_active", "pending"]);
    const activated = await api(h, "PATCH", `/api/site/${data.siteId}/status`, { token, body: { status: "active" } });
    expect(said(activated)[0]).toBe(200);
    expect(await seen()).toEqual([true, null, "active"]);
  });
});
