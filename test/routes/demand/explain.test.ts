import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../db/demo/network.ts";
import type { offers } from "../../../db/schema/demand.ts";
import type { placements, sites } from "../../../db/schema/inventory.ts";
import { TARGETING } from "../../../db/schema/targeting.ts";
import type { publishers } from "../../../db/schema/accounts.ts";
import { dataOf, flat, invalid, said, wrapped } from "../../support/api.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform, makeUsage } from "../../support/factories.ts";
import { CUSTOMER, explaining, type Explained } from "../../support/explaining.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

type Columns = Partial<typeof offers.$inferInsert>;

let h: Harness;
let advertiserId: string;
const { explain, post } = explaining(() => h);

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const verdict = ({ offers: verdicts }: Explained, id: string) => verdicts.find(({ offerId }) => offerId === id);
const publishOffers = async () => {
  await h.rows("insert into publish_outbox (document_key) values ('network')");
  await h.cron();
};
const excluded = (id: string, reason: string) => ({
  offerId: id,
  name: `Offer ${id}`,
  served: false,
  rank: null,
  reason,
  pace: null,
  // There is no belief about an offer that is not a candidate.
  expectation: expect.toBeOneOf([null, expect.objectContaining({ exposure: 0 })]) as unknown,
  creatives: null,
});

describe("an offer that is not served", () => {
  const far = new Date("2099-01-01");
  const past = new Date("2020-01-01");
  const eur = ["EUR"];
  const cases: [reason: string, offer: Columns, params?: object][] = [
    ["offer_paused", { status: "paused" }],
    ["offer_archived", { status: "archived", countries: ["DE"] }],
    ["not_started", { startsAt: far }],
    ["not_started", { startsAt: new Date(Date.now() + 300_000) }],
    ["ended", { endsAt: past, countries: ["DE"] }],
    ["country", { countries: ["DE", "FR"] }],
    ["category", { categoryIds: ["cat_none"] }],
    ["age_demographics", { ageDemographics: ["AGE_18_24"] }],
    ["gender_demographics", { genderDemographics: ["MALE"] }],
    ["publisher", { includePublishers: [demo.publisherId] }],
    ["site", { includeSites: [demo.sites.home] }],
    ["language", { languages: ["fr"] }, { "at.language": "en" }],
    ["language", { languages: ["fr"] }],
    ["currency", { currencies: eur }, { "at.currency": "USD" }],
    ["amount", { currencies: eur, amountMin: 10 }, { "at.currency": "EUR", "at.amount": 9.99 }],
    ["amount", { currencies: eur, amountMax: 10 }, { "at.currency": "EUR", "at.amount": "10.01" }],
    ["payment_type", { paymentTypes: ["paypal"] }, { "at.paymenttype": "crypto" }],
    ["outranked", { priority: 10 }, { count: 1 }],
  ];

  it.each(cases)("says %s: %j", async (reason, columns, params) => {
    const { site, placement } = await makeInventory(h.db);
    const { id } = await makeOffer(h.db, advertiserId, { includeSites: [site.id], ...columns });
    expect(verdict(await explain(placement.id, params), id)).toEqual(excluded(id, reason));
  });

  it("has a case of each dimension here, and of reach below", () => {
    const reasons = new Set([...cases.map(([reason]) => reason), "reach"]);
    expect(Object.keys(TARGETING).filter((name) => !reasons.has(name))).toEqual([]);
  });

  it("says reach where the advertiser's platform is not the publisher's", async () => {
    const { site, placement } = await makeInventory(h.db);
    const stranger = await makeAdvertiser(h.db, { platformId: (await makePlatform(h.db)).id });
    const { id } = await makeOffer(h.db, stranger.id, { includeSites: [site.id] });
    expect(verdict(await explain(placement.id), id)).toEqual(excluded(id, "reach"));
  });

  it("says publisher or site where they are excluded", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const notHere = await makeOffer(h.db, advertiserId, { includeSites: [site.id], excludePublishers: [publisher.id] });
    const notThere = await makeOffer(h.db, advertiserId, {
      includePublishers: [publisher.id],
      excludeSites: [site.id],
    });
    const explained = await explain(placement.id);
    expect(verdict(explained, notHere.id)).toMatchObject({ reason: "publisher" });
    expect(verdict(explained, notThere.id)).toMatchObject({ reason: "site" });
  });

  it("says advertiser_not_active", async () => {
    const { site, placement } = await makeInventory(h.db);
    const paused = await makeAdvertiser(h.db, { status: "paused" });
    const { id } = await makeOffer(h.db, paused.id, { includeSites: [site.id] });
    expect(verdict(await explain(placement.id), id)).toEqual(excluded(id, "advertiser_not_active"));
  });

  it("says lifetime_cap, or daily_cap while only the day's cap is reached", async () => {
    const { site, placement } = await makeInventory(h.db);
    const day = new Date().toISOString().slice(0, 10);
    const capped = await makeOffer(h.db, advertiserId, { includeSites: [site.id], lifetimeCap: 2 });
    const today = await makeOffer(h.db, advertiserId, { includeSites: [site.id], dailyCap: 2 });
    for (const { id } of [capped, today]) await makeUsage(h.db, id, day, 2);
    await publishOffers();
    const explained = await explain(placement.id);
    expect(verdict(explained, capped.id)).toMatchObject({ reason: "lifetime_cap" });
    expect(verdict(explained, today.id)).toMatchObject({ reason: "daily_cap" });
  });

  it("says not_a_candidate when fifty better ones fill the list", async () => {
    const { site, placement } = await makeInventory(h.db);
    const better = Array.from({ length: 50 }, () => makeOffer(h.db, advertiserId, { includeSites: [site.id] }));
    await Promise.all(better);
    const { id } = await makeOffer(h.db, advertiserId, { includeSites: [site.id], priority: 2 });
    expect(verdict(await explain(placement.id), id)).toEqual(excluded(id, "not_a_candidate"));
  });
});

describe("a switch that is off, or test mode", () => {
  type Given = {
    publisher?: Partial<typeof publishers.$inferInsert>;
    site?: Partial<typeof sites.$inferInsert>;
    placement?: Partial<typeof placements.$inferInsert>;
  };
  it.each<[string, Given]>([
    ["publisher_inactive", { publisher: { status: "inactive" } }],
    ["publisher_ads_disabled", { publisher: { adsEnabled: false } }],
    ["site_not_active", { site: { status: "pending" } }],
    ["site_ads_disabled", { site: { adsEnabled: false } }],
    ["placement_inactive", { placement: { status: "inactive" } }],
    ["test_mode", { placement: { isLiveMode: false } }],
  ])("is every offer's reason: %s", async (reason, given) => {
    const { placement } = await makeInventory(h.db, given);
    const { isTestMode, noFillReason, offers: verdicts } = await explain(placement.id);
    const isTest = reason === "test_mode";
    expect({ isTestMode, noFillReason }).toEqual({ isTestMode: isTest, noFillReason: isTest ? null : reason });
    expect(verdicts.filter(({ served }) => served).map(({ rank }) => rank)).toEqual(isTest ? [1, 2, 3, 4] : []);
    expect(new Set(verdicts.filter(({ served }) => !served).map((one) => one.reason))).toEqual(new Set([reason]));
  });
});

describe("a long list", () => {
  it("tells of offers that are served before thousands that could not be", async () => {
    const { site, placement } = await makeInventory(h.db);
    const { id } = await makeOffer(h.db, advertiserId, { includeSites: [site.id], priority: 10 });
    const { id: better } = await makeOffer(h.db, advertiserId, { status: "archived" });
    await h.rows(
      `insert into offers overriding user value select (jsonb_populate_record(o, jsonb_build_object('id', 'ofr_' || n))).*
       from offers o, generate_series(1, 1000) n where o.id = $1`,
      [better],
    );
    const explained = await explain(placement.id, { count: 20 });
    expect(explained.offers).toHaveLength(1000);
    expect(verdict(explained, id)).toMatchObject({ served: true });
    await h.rows("delete from offers where id = any (select 'ofr_' || n from generate_series(1, 1000) n)");
  });
});

describe("what is asked", () => {
  it.each<[object, object, { country?: string; language: string | null }]>([
    [{ "at.country": "de", "at.language": "en-US" }, { "accept-language": "fr" }, { country: "DE", language: "en" }],
    [{ "at.country": "us" }, { "accept-language": "de-AT, en;q=0.5" }, { country: "US", language: "de" }],
    [{ "at.country": "US" }, { "accept-language": "*" }, { country: "US", language: null }],
    [{}, { "accept-language": "*" }, { language: null }],
  ])("%j, asked with %j, is decided on as of %j", async (facts, headers, expected) => {
    const { site, placement } = await makeInventory(h.db);
    const { id } = await makeOffer(h.db, advertiserId, { includeSites: [site.id], languages: ["de"] });
    const body = { placementId: placement.id, sessionId: "s-1", "at.orderid": "1001", ...facts };
    const explained = dataOf<Explained>(await post(body, undefined, headers));
    expect(explained).toMatchObject(expected);
    expect(explained.country === null || /^[A-Z]{2}$/.test(explained.country)).toBe(true);
    expect(verdict(explained, id)?.reason).toBe(expected.language === "de" ? null : "language");
  });

  it("may be named by aliases, numbers being numbers, and is checked as the offer endpoint does", async () => {
    const { placement } = await makeInventory(h.db);
    const aliased = { "at.order_id": 7, "at.ordervalue": 5, count: 2, publicKey: "lan_pk_x" };
    const ok = await post({ placementId: placement.id, sessionId: 42, "at.country": "US", ...aliased });
    expect(ok.status).toBe(200);
    expect(dataOf<Explained>(ok).offers.filter(({ served }) => served)).toHaveLength(2);
    for (const amount of [1e-7, 5e-324]) {
      const asked = { placementId: placement.id, ...CUSTOMER, "at.currency": "USD", "at.amount": amount };
      expect((await post(asked)).status).toBe(200);
    }
    expect(said(await post({ placementId: placement.id, ...CUSTOMER, "at.amount": 1e300 }))).toEqual([
      400,
      wrapped("VALIDATION_FAILED", {
        missingFields: [],
        invalidFields: [{ field: "at.amount", message: "must be between 0 and 1000000" }],
      }),
    ]);
    expect(said(await post({}))).toEqual([
      400,
      wrapped("VALIDATION_FAILED", { missingFields: ["placementId", "sessionId", "at.email", "at.orderid"] }),
    ]);
    expect(said(await post({ placementId: placement.id, ...CUSTOMER, count: 0 }))).toEqual([
      400,
      wrapped("VALIDATION_FAILED", {
        missingFields: [],
        invalidFields: [{ field: "count", message: "must be an integer of at least 1" }],
      }),
    ]);
    for (const seen of ["ofr_01h2xcejqtf2nbrexx3vqjhp41", "nonsense,,\0", 7]) {
      expect((await post({ placementId: placement.id, ...CUSTOMER, seen })).status).toBe(200);
    }
    expect(said(await post({ sessionId: true }))).toEqual(invalid("sessionId: must be a string"));
    expect(said(await post({ sessionId: 2 ** 53 }))).toEqual(invalid("sessionId: must be a string"));
    expect(said(await post({ "at.contry": "US" }))).toEqual(invalid("at.contry: is not known"));
    expect(said(await post([]))).toEqual([400, flat("VALIDATION_FAILED", ["body: must be a JSON object"])]);
  });

  it("is not counted", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    for (let i = 0; i < 3; i++) await explain(placement.id, { sessionId: `s-${i}` });
    await askOffers(h, { publicKey: publisher.publicKey, placementId: placement.id });
    const counted = () =>
      h.rows("select requests::int from daily_counters where placement_id = $1 and requests > 0", [placement.id]);
    expect(await h.until(counted, (rows) => rows.length > 0)).toEqual([{ requests: 1 }]);
    expect(await h.rows("select from events where placement_id = $1", [placement.id])).toEqual([]);
  });
});

it("tells the pace of an offer that is paced, and of a session that it is not to see it", async () => {
  const { site, placement } = await makeInventory(h.db);
  const { id, serial } = await makeOffer(h.db, advertiserId, {
    includeSites: [site.id],
    pacing: "EVEN",
    dailyCap: 100,
  });
  await publishOffers();
  const [row] = await h.rows<{ step: number }>("select step from offer_paces where serial = $1", [serial]);
  expect(row?.step).toBeGreaterThan(0);
  const pace = Number((2 ** (-(row?.step ?? 0) / 8)).toPrecision(4));
  const verdicts = [];
  for (let i = 0; i < 60; i++) verdicts.push(verdict(await explain(placement.id, { sessionId: `s ${i}` }), id));
  const throttled = verdicts.filter((one) => one?.reason === "paced");
  expect(throttled.length).toBeGreaterThan(30);
  expect(throttled[0]).toEqual({ ...excluded(id, "paced"), pace });
  const others = verdicts.filter((one) => one?.reason !== "paced");
  expect(others.every((one) => one?.served === true && one.pace === pace)).toBe(true);
});
