import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, invalid, said } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { day, reporting } from "../../support/tracking/reporting.ts";

let h: Harness;
const { count } = reporting(() => h);
// Offers that other tests open to the network would compete with those forecast here.
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

type Range = { expected: number; low: number; high: number } | null;
type Told = {
  since: string;
  requests: number;
  sampled: number;
  share: Range;
  admitted: Range;
  placements: number;
  shown: Range;
  cost: Range;
  summary: string;
};

const path = "/api/v1/offers/forecast";
const post = (body: object, token: string = SECRETS.ADMIN_TOKEN) => api(h, "POST", path, { token, body });

/** Makes a platform with an advertiser of its own, and a placement there; no one else's requests are in its reach. */
const makeWorld = async () => {
  const platform = await makePlatform(h.db);
  const advertiser = await makeAdvertiser(h.db, { platformId: platform.id });
  const inventory = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const ask = async (more: object = {}) =>
    dataOf<Told>(await post({ advertiserId: advertiser.id, pricing: "CPM", bidMicros: 9e9, ...more }, platform.token));
  return { platform, advertiser, ...inventory, ask };
};

/** Notes the facts of sampled requests, made some days ago. */
const sample = (
  placementId: string,
  number: number,
  facts: { country?: string; language?: string; amount?: number } = {},
  days = 1,
) =>
  h.rows(
    `insert into request_facts (hour, placement_id, country, language, currency, amount, count)
    select now() - make_interval(days => $6), $1, $2, $3, 'USD', $4::float8, 2 from generate_series(1, $5::int)`,
    [placementId, facts.country ?? "US", facts.language ?? "en", facts.amount ?? null, number, days],
  );

describe("POST /api/v1/offers/forecast", () => {
  it("tells the share of last week's requests it would have been for, how often it is shown, and what that costs", async () => {
    const { placement, ask } = await makeWorld();
    await sample(placement.id, 60);
    await sample(placement.id, 40, { country: "DE", language: "de" });
    await sample(placement.id, 500, {}, 9);
    await count(placement.id, { offerId: "", requests: 100_000, fills: 100_000, day: day(-1) });
    await count(placement.id, { place: 0, impressions: 80_000, day: day(-1) });
    // The demo network serves here, too, in later tiers.
    const all = await ask({ priority: 1 });
    expect(all).toMatchObject({ since: day(-6), requests: 100_000, sampled: 100, placements: 1 });
    expect(all.share).toMatchObject({ expected: 1, high: 1 });
    // Nobody bids as much: it is first in all answers, of which four in five are seen.
    expect(all.shown?.expected).toBeGreaterThan(75_000);
    expect(all.shown?.expected).toBeLessThan(81_000);
    expect(all.cost?.expected).toBeCloseTo((all.shown?.expected ?? 0) * 9, -2);
    expect(all.summary).toMatch(
      /^Of 100,000 requests of the last seven days it would have been for 100 % .* likely have been shown/,
    );
    const german = await ask({ targeting: { countries: ["DE"], languages: ["de"] } });
    expect(german.share?.expected).toBe(0.4);
    expect(german.admitted?.expected).toBe(40_000);
    expect((await ask({ targeting: { countries: ["DE"], languages: ["en"] } })).share?.expected).toBe(0);
    const cheap = await ask({ bidMicros: 0, priority: 100 });
    expect(cheap.cost).toEqual({ expected: 0, low: 0, high: 0 });
    const capped = await ask({ priority: 1, lifetimeCap: 10 });
    expect(capped.shown).toEqual({ expected: 10, low: 10, high: 10 });
    expect(capped.cost?.expected).toBe(90);
    // All requests came on one day, so a daily cap is used up once.
    expect((await ask({ priority: 1, dailyCap: 10 })).shown).toEqual({ expected: 10, low: 10, high: 10 });
  });

  it("judges places as candidates are, and their switches", async () => {
    const { publisher, site, placement, ask } = await makeWorld();
    const other = await makeInventory(h.db, {
      publisher: { platformId: publisher.platformId },
      site: { ageDemographics: "AGE_18_24" },
    });
    await sample(placement.id, 30);
    await sample(other.placement.id, 10);
    const shares = async (targeting: object) => (await ask({ targeting })).share?.expected;
    expect(await shares({})).toBe(1);
    expect(await shares({ includeSites: [site.id] })).toBe(0.75);
    expect(await shares({ excludePublishers: [publisher.id] })).toBe(0.25);
    expect(await shares({ ageDemographics: ["AGE_18_24"] })).toBe(0.25);
    await h.rows("update sites set ads_enabled = false where id = $1", [site.id]);
    expect(await shares({})).toBe(0.25);
  });

  it("meets who competes there", async () => {
    const { advertiser, site, placement, ask } = await makeWorld();
    await sample(placement.id, 50);
    await count(placement.id, { offerId: "", requests: 50_000, fills: 50_000 });
    await count(placement.id, { place: 0, impressions: 50_000 });
    const before = await ask({ bidMicros: 9e9, priority: 1 });
    expect(before.shown?.expected).toBeGreaterThan(45_000);
    const rivals = await Promise.all([1, 2].map(() => makeAdvertiser(h.db)));
    for (const rival of [advertiser, ...rivals]) {
      const more = { priority: 1, pricing: "CPM" as const, bidMicros: 90e9, includeSites: [site.id] };
      await makeOffer(h.db, rival.id, more);
    }
    const after = await ask({ bidMicros: 9e9, priority: 1 });
    expect(after.share).toEqual(before.share);
    expect(after.shown).toEqual({ expected: 0, low: 0, high: 0 });
  });

  it("tells the same each time it is asked, of more requests than it judges, too", async () => {
    const { placement, ask } = await makeWorld();
    await sample(placement.id, 1_500);
    await sample(placement.id, 1_500, { country: "DE", language: "de" });
    await count(placement.id, { offerId: "", requests: 3_000_000, fills: 3_000_000 });
    await count(placement.id, { place: 0, impressions: 2_000_000 });
    const asked = { pricing: "CPC", bidMicros: 2e6, priority: 1, targeting: { languages: ["de"] } };
    const told = await ask(asked);
    expect(told.shown?.expected).toBeGreaterThan(0);
    for (let i = 0; i < 3; i++) expect(await ask(asked)).toEqual(told);
  });

  it("meets the same candidates each time, where chance decides who is among them", async () => {
    const { site, placement, ask } = await makeWorld();
    await sample(placement.id, 100);
    await count(placement.id, { offerId: "", requests: 100_000, fills: 100_000 });
    await count(placement.id, { place: 0, impressions: 90_000 });
    const rivals = await Promise.all(Array.from({ length: 8 }, () => makeAdvertiser(h.db)));
    const more = { priority: 1, pricing: "CPC" as const, bidMicros: 1e6, includeSites: [site.id] };
    for (const { id } of rivals) for (let k = 0; k < 8; k++) await makeOffer(h.db, id, more);
    const asked = { pricing: "CPC", bidMicros: 1e6, priority: 1 };
    const told = await ask(asked);
    expect(told.shown?.expected).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) expect(await ask(asked)).toEqual(told);
  });

  it("leaves dates out, and says so where there are some", async () => {
    const { placement, ask } = await makeWorld();
    await sample(placement.id, 10);
    const { summary, ...told } = await ask();
    expect(summary).not.toContain("dates");
    for (const dates of [{ endsAt: "2020-01-01T00:00:00.000Z" }, { startsAt: "2099-01-01T00:00:00.000Z" }]) {
      expect(await ask(dates)).toEqual({ ...told, summary: `${summary} Its dates are left out.` });
    }
  });

  it("says that nothing was sampled, and that too little was", async () => {
    const { placement, ask } = await makeWorld();
    expect(await ask()).toMatchObject({
      sampled: 0,
      share: null,
      admitted: null,
      shown: null,
      cost: null,
      placements: 0,
    });
    expect((await ask()).summary).toMatch(/^No request of the last seven days was sampled/);
    await sample(placement.id, 4);
    const few = await ask();
    expect(few).toMatchObject({ sampled: 4, shown: null, cost: null });
    expect(few.share?.low).toBeLessThan(0.6);
    expect(few.summary).toMatch(/Too few of them were sampled/);
  });

  it("is for a manager's own advertisers, and tells nothing of requests out of their reach", async () => {
    const own = await makeWorld();
    const foreign = await makeWorld();
    await sample(foreign.placement.id, 20);
    expect((await own.ask()).sampled).toBe(0);
    const body = { advertiserId: own.advertiser.id, pricing: "CPC", bidMicros: 1 };
    expect((await post(body, foreign.platform.token)).status).toBe(404);
    expect((await post({ ...body, advertiserId: newId("advertiser") })).status).toBe(404);
    expect((await post(body, own.publisher.privateKey)).status).toBe(401);
    const named = await post({ ...body, targeting: { includeSites: [foreign.site.id] } }, own.platform.token);
    expect(named.status).toBe(400);
    expect(JSON.stringify(named.json)).toContain("targeting.includeSites");
  });

  it.each([
    [{ bidMicros: undefined }, "bidMicros: is required"],
    [{ pricing: "CPX" }, "pricing: must be one of CPM, CPC, CPA"],
    [{ targeting: { countries: ["Q1"] } }, "targeting.countries.0: must be two-letter ISO 3166-1 country codes"],
    [{ targeting: { categories: ["Nothing > Such"] } }, "targeting.categories: has no category named Nothing > Such"],
  ])("refuses %j", async (more, problem) => {
    const { advertiser } = await makeWorld();
    const answer = await post({ advertiserId: advertiser.id, pricing: "CPC", bidMicros: 1, ...more });
    expect(said(answer)).toEqual(invalid(problem));
  });
});
