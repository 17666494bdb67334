import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import type { offers } from "../../../db/schema/demand.ts";
import { api, dataOf, said, wrapped } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { CUSTOMER, explaining, type Explained } from "../../support/explaining.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

type Columns = Partial<typeof offers.$inferInsert>;

const ADMIN = SECRETS.ADMIN_TOKEN;

let h: Harness;
let advertiserId: string;
const { explain, post } = explaining(() => h);

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

/** One offer of each owner in each state that somebody may not know of; all are for one site, unless they say so. */
const makeOffers = async () => {
  const platform = await makePlatform(h.db);
  const { publisher, site, placement } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const stranger = { platformId: (await makePlatform(h.db)).id };
  const owners = {
    network: advertiserId,
    own: (await makeAdvertiser(h.db, { platformId: platform.id })).id,
    opened: (await makeAdvertiser(h.db, { ...stranger, reach: "NETWORK" })).id,
    foreign: (await makeAdvertiser(h.db, stranger)).id,
  };
  const states: Record<string, Columns> = {
    served: {},
    abroad: { countries: ["DE"] },
    paused: { status: "paused" },
    archived: { status: "archived" },
    planned: { startsAt: new Date("2099-01-01") },
    ended: { endsAt: new Date("2020-01-01") },
    elsewhere: { countries: ["DE"], ageDemographics: ["AGE_18_24"] },
    excluded: { excludeSites: [site.id] },
  };
  const names = new Map<string, string>();
  for (const [owner, id] of Object.entries(owners)) {
    for (const [state, columns] of Object.entries(states)) {
      const includeSites = state === "excluded" ? [] : [site.id];
      names.set((await makeOffer(h.db, id, { includeSites, ...columns })).id, `${owner} ${state}`);
    }
  }
  const seenBy = async (token: string) => {
    const told = await explain(placement.id, { count: 20 }, token);
    return told.offers.flatMap(({ offerId }) => names.get(offerId) ?? []).toSorted();
  };
  const all = [...names.values()].toSorted();
  return { platform, publisher, placement, all, seenBy };
};

/** Returns a verdict as a token without gross access has it. */
const withoutMoney = (verdict: Explained["offers"][number]) => ({
  ...verdict,
  expectation: verdict.expectation && { ...verdict.expectation, valueMicros: null, score: null },
});

const ofThese = (all: string[], pattern: RegExp) => all.filter((name) => pattern.test(name));

describe("who asks", () => {
  it("the administrator sees all offers", async () => {
    const { all, seenBy } = await makeOffers();
    expect(await seenBy(ADMIN)).toEqual(all);
  });

  it("a publisher sees the offers that may serve at its site, for whomever, and names of no others", async () => {
    const { publisher, all, seenBy } = await makeOffers();
    const some = ofThese(all, /^(?:network|own|opened) (?:served|abroad)$/);
    expect(some).toHaveLength(6);
    expect(await seenBy(publisher.privateKey)).toEqual(some);
  });

  it("a platform sees all of its own and the network's, and of others' what may serve there", async () => {
    const { platform, all, seenBy } = await makeOffers();
    expect(await seenBy(platform.token)).toEqual(ofThese(all, /^(?:network|own)|^opened (?:served|abroad)$/));
  });

  it("sees the same verdicts, those that are left, at the same ranks", async () => {
    const { platform, publisher, placement } = await makeOffers();
    const all = await explain(placement.id);
    for (const token of [platform.token, publisher.privateKey]) {
      const told = await explain(placement.id, {}, token);
      const known = new Set(told.offers.map(({ offerId }) => offerId));
      const offers = all.offers.filter(({ offerId }) => known.has(offerId));
      expect(told).toEqual({ ...all, offers: token === platform.token ? offers : offers.map(withoutMoney) });
    }
  });

  it.each([
    [{ revenueAccess: true, grossAccess: false }, "GROSS"],
    [{ revenueAccess: true, grossAccess: false }, "REVENUE"],
    [{ revenueAccess: false, grossAccess: false }, "GROSS"],
    [{ revenueAccess: false, grossAccess: true }, "GROSS"],
  ] as const)(
    "a publisher with %j, ranked by %s, hears what is bid only where it may see gross",
    async (rights, rankBy) => {
      const { publisher, placement } = await makeOffers();
      const access = `/api/v1/publishers/${publisher.id}`;
      expect((await api(h, "PATCH", `${access}/order`, { token: ADMIN, body: { rankBy } })).status).toBe(200);
      const made = await api(h, "POST", `${access}/api-tokens`, { token: ADMIN, body: { name: "Asks", ...rights } });
      const { bearer } = dataOf<{ bearer: string }>(made);
      const all = await explain(placement.id, {}, publisher.privateKey);
      const believed = all.offers.flatMap(({ expectation }) => expectation ?? []);
      expect(believed.length).toBeGreaterThan(0);
      const told = await explain(placement.id, {}, bearer);
      const money = told.offers.flatMap(({ expectation }) =>
        expectation ? [expectation.valueMicros, expectation.score].filter((micros) => micros !== null) : [],
      );
      expect(money.length > 0).toBe(rights.grossAccess);
      expect(told.offers.map(withoutMoney)).toEqual(all.offers);
    },
  );

  it("a platform hears of no other platform's placement, whose site its own offers could ask out", async () => {
    const platform = await makePlatform(h.db);
    const { placement, site } = await makeInventory(h.db, { site: { ageDemographics: "AGE_25_34" } });
    const own = await makeAdvertiser(h.db, { platformId: platform.id, reach: "NETWORK" });
    await makeOffer(h.db, own.id, { ageDemographics: ["AGE_25_34"], includeSites: [site.id] });
    const refused = [404, wrapped("NOT_FOUND", { placementId: placement.id })];
    expect(said(await post({ placementId: placement.id, ...CUSTOMER }, platform.token))).toEqual(refused);
  });

  it("for another publisher's placement, or none, hears that there is none", async () => {
    const { publisher } = await makeInventory(h.db);
    const { placement } = await makeInventory(h.db);
    for (const [id, token] of [
      [placement.id, publisher.privateKey],
      [newId("placement"), publisher.privateKey],
      [newId("placement"), ADMIN],
      ["plc_1", ADMIN],
    ] as const) {
      const refused = [404, wrapped("NOT_FOUND", { placementId: id })];
      expect(said(await post({ placementId: id, ...CUSTOMER }, token))).toEqual(refused);
    }
  });
});
