import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { api, dataOf, type Method } from "../../../support/api.ts";
import { askOffers } from "../../../support/ask-offers.ts";
import { makeHit } from "../../../support/tracking/hits.ts";
import { makeInventory, makePlatform, offerBody } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;

beforeAll(async () => {
  h = await startHarness();
  platform = await makePlatform(h.db);
});
afterAll(() => h.close());

type Offer = { id: string };

/** A placement, an offer that is shown there, its advertiser, and ways to change and to ask. */
const makeCase = async (given: object = {}) => {
  const { publisher, site, placement } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const call = async (method: Method, path: string, body?: object) => {
    const answer = await api(h, method, `/api/v1${path}`, { token: platform.token, body });
    expect(answer.status).toBeLessThan(300);
    return dataOf<Offer>(answer);
  };
  const advertiser = await call("POST", "/advertisers", { name: `Advertiser ${site.id}` });
  const served = async (params: Record<string, string> = {}) => {
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "20", "at.country": "US" };
    const { offers } = await askOffers(h, { ...asked, ...params });
    return offers;
  };
  expect(await served()).not.toContainEqual(expect.objectContaining({ bannerId: advertiser.id }));
  const targeting = { includeSites: [site.id] };
  const offer = await call("POST", "/offers", offerBody(advertiser.id, { targeting, ...given }));
  const isServed = async (params?: Record<string, string>) =>
    (await served(params)).some(({ bannerId }) => bannerId === offer.id);
  /** Waits until the offer is served: its list is renewed behind an answer. */
  const becomesServed = (params?: Record<string, string>) => h.until(() => isServed(params), Boolean);
  /** Tells whether the offer is served, at once if it should not be. */
  const isServedAs = (expected: boolean, params?: Record<string, string>) =>
    expected ? becomesServed(params) : isServed(params);
  const untilShown = (holds: (offers: Awaited<ReturnType<typeof served>>) => boolean) => h.until(() => served(), holds);
  return {
    call,
    served,
    becomesServed,
    isServedAs,
    untilShown,
    site,
    offer: `/offers/${offer.id}`,
    advertiser: `/advertisers/${advertiser.id}`,
    offerId: offer.id,
  };
};

describe.concurrent("after", () => {
  it("the creation of an offer, it is served", async () => {
    const { becomesServed } = await makeCase();
    expect(await becomesServed()).toBe(true);
  });

  it.each(["paused", "archived"])("its being %s does not, and after its being resumed does", async (status) => {
    const { call, isServedAs, offer } = await makeCase();
    for (const [next, expected] of [
      [status, false],
      ["active", true],
      [status, false],
      ["active", true],
    ] as const) {
      await call("PATCH", `${offer}/status`, { status: next });
      expect(await isServedAs(expected)).toBe(expected);
    }
  });

  it.each(["paused", "archived"])("its advertiser's being %s does not, and after its return does", async (status) => {
    const { call, isServedAs, advertiser } = await makeCase();
    for (const next of [status, "active", status]) {
      expect(await isServedAs(next !== "active")).toBe(next !== "active");
      await call("PATCH", `${advertiser}/status`, { status: next });
      expect(await isServedAs(next === "active")).toBe(next === "active");
    }
  });

  it("its deletion does not", async () => {
    const { call, isServedAs, becomesServed, offer } = await makeCase();
    expect(await becomesServed()).toBe(true);
    await call("DELETE", offer);
    expect(await isServedAs(false)).toBe(false);
  });

  it("its deletion to the archive does not", async () => {
    const { call, isServedAs, becomesServed, offer, offerId } = await makeCase();
    expect(await becomesServed()).toBe(true);
    await recordHits(h.db, [makeHit({ offerId })]);
    await call("DELETE", offer);
    expect(await isServedAs(false)).toBe(false);
  });

  it("the deletion of its advertiser does not", async () => {
    const { call, isServedAs, becomesServed, advertiser } = await makeCase();
    expect(await becomesServed()).toBe(true);
    await call("DELETE", advertiser);
    expect(await isServedAs(false)).toBe(false);
  });

  it("its advertiser's being opened to the network it is served at other platforms' publishers, until it is closed", async () => {
    const { advertiser, offerId } = await makeCase({ targeting: { countries: ["IS"] } });
    const { publisher, placement } = await makeInventory(h.db);
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "20", "at.country": "IS" };
    const isServed = async () => (await askOffers(h, asked)).ids.includes(offerId);
    const reach = async (to: string) => {
      const body = { reach: to };
      expect((await api(h, "PUT", `/api/v1${advertiser}`, { token: SECRETS.ADMIN_TOKEN, body })).status).toBe(200);
    };
    expect(await isServed()).toBe(false);
    await reach("NETWORK");
    expect(await h.until(isServed, Boolean)).toBe(true);
    await reach("PLATFORM");
    expect(await isServed()).toBe(false);
  });

  it("a change of its dates", async () => {
    const { call, isServedAs, offer } = await makeCase();
    const past = new Date(Date.now() - 60_000).toISOString();
    const soon = new Date(Date.now() + 60_000).toISOString();
    const dates: [object, boolean][] = [
      [{ endsAt: past }, false],
      [{ endsAt: soon }, true],
      [{ startsAt: soon, endsAt: null }, false],
      [{ startsAt: past }, true],
    ];
    for (const [change, expected] of dates) {
      await call("PUT", offer, change);
      expect(await isServedAs(expected)).toBe(expected);
    }
  });

  it("a change of its targeting", async () => {
    const { call, isServedAs, offer, site } = await makeCase();
    const language = { "at.language": "de" };
    const money = { "at.amount": "20", "at.currency": "EUR" };
    const targets: [object, Record<string, string>, boolean][] = [
      [{ countries: ["DE"] }, {}, false],
      [{}, { "at.country": "DE" }, true],
      [{ countries: [], languages: ["de"] }, {}, false],
      [{}, language, true],
      [{ languages: [], currencies: ["EUR"], amountMin: 20.01 }, money, false],
      [{ amountMin: 20 }, money, true],
      [{ excludeSites: [site.id] }, money, false],
      [{ excludeSites: [], categories: ["B2B > CRM"] }, money, false],
      [{ categories: [], genderDemographics: ["MIXED"] }, money, false],
      [{ genderDemographics: [] }, money, true],
    ];
    for (const [targeting, params, expected] of targets) {
      await call("PUT", offer, { targeting });
      expect(await isServedAs(expected, params)).toBe(expected);
    }
  });

  it("a change of its creative shows it", async () => {
    const { call, becomesServed, untilShown, offer, offerId } = await makeCase();
    expect(await becomesServed()).toBe(true);
    const change = { title: "New title", termsUrl: "https://advertiser.example/new", ctaText: "Now" };
    await call("PUT", offer, { ...change, icon: { url: "/icons/brand.svg", width: 5, height: 6 } });
    const isNew = ({ title }: { title: string }) => title === change.title;
    const shown = (await untilShown((offers) => offers.some(isNew))).find(isNew);
    expect(shown).toMatchObject({ ...change, icon: { width: 5, height: 6 }, bannerId: offerId });
    await call("PUT", offer, { termsUrl: null, icon: null });
    const isBare = ({ bannerId, icon }: { bannerId: string; icon?: object }) => bannerId === offerId && !icon;
    const bare = (await untilShown((offers) => offers.some(isBare))).find(isBare);
    expect(bare).not.toHaveProperty("termsUrl");
    expect(bare).not.toHaveProperty("icon");
  });

  it("a change of its destination leads there", async () => {
    const { call, untilShown, offer, offerId } = await makeCase();
    await call("PUT", offer, { destinationUrl: "https://advertiser.example/new?o={offer_id}" });
    const isIt = ({ bannerId }: { bannerId: string }) => bannerId === offerId;
    const shown = (await untilShown((offers) => offers.some(isIt))).find(isIt);
    const { pathname, search } = new URL(shown?.clickUrl ?? "");
    const response = await h.fetch(`${pathname}${search}`, { redirect: "manual" });
    expect(response.headers.get("location")).toBe(`https://advertiser.example/new?o=${offerId}`);
  });

  it("a change of its priority puts it in its place", async () => {
    const { call, served, untilShown, offer, offerId } = await makeCase({ priority: 10, bidMicros: 0 });
    expect((await served())[0]?.bannerId).not.toBe(offerId);
    await call("PUT", offer, { priority: 1, bidMicros: 1_000_000_000 });
    await untilShown(([first]) => first?.bannerId === offerId);
  });

  it("a raised cap serves it again, and the offer shows how much of its caps is used", async () => {
    const { call, isServedAs, becomesServed, offer, offerId } = await makeCase({ lifetimeCap: 1 });
    const usage = async () =>
      dataOf<{ usage: object | null }>(await api(h, "GET", `/api/v1/offers/${offerId}`, { token: SECRETS.ADMIN_TOKEN }))
        .usage;
    expect(await usage()).toEqual({ today: 0, lifetime: 0, reached: null });
    await h.deliver([{ id: offerId, body: { type: "hit", hit: makeHit({ offerId }) } }]);
    await call("PUT", offer, { title: "Same cap" });
    expect(await isServedAs(false)).toBe(false);
    expect(await usage()).toEqual({ today: 1, lifetime: 1, reached: "LIFETIME" });
    await call("PUT", offer, { lifetimeCap: 2 });
    expect(await becomesServed()).toBe(true);
    expect(await usage()).toEqual({ today: 1, lifetime: 1, reached: null });
    await call("PUT", offer, { lifetimeCap: null, dailyCap: 1 });
    expect(await isServedAs(false)).toBe(false);
    expect(await usage()).toEqual({ today: 1, lifetime: 1, reached: "DAILY" });
    await call("PUT", offer, { dailyCap: null });
    expect(await becomesServed()).toBe(true);
    expect(await usage()).toBeNull();
  });
});
