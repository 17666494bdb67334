import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, disallowed, idOf, invalid, missing, said, timestamp, type Method } from "../../../support/api.ts";
import { makeAdvertiser, makePlatform, makePublisher, makeSite, offerBody } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const PATH = "/api/v1/offers";
const ADMIN = SECRETS.ADMIN_TOKEN;

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;
let advertiserId: string;

beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
  advertiserId = (await makeAdvertiser(h.db, { platformId: platform.id })).id;
  const publisher = await makePublisher(h.db, { platformId: platform.id });
  const site = await makeSite(h.db, publisher.id);
  TARGETING.includePublishers = TARGETING.excludePublishers = [publisher.id];
  TARGETING.includeSites = TARGETING.excludeSites = [site.id];
});

const ask = (method: Method, path: string, body?: object, token: string = platform.token) =>
  api(h, method, `${PATH}${path}`, { token, body });

const ANYONE = {
  countries: [],
  languages: [],
  currencies: [],
  amountMin: null,
  amountMax: null,
  paymentTypes: [],
  categories: [],
  ageDemographics: [],
  genderDemographics: [],
  includePublishers: [],
  excludePublishers: [],
  includeSites: [],
  excludeSites: [],
};
const DEFAULTS = {
  termsUrl: null,
  icon: null,
  status: "active",
  startsAt: null,
  endsAt: null,
  priority: 5,
  publisherShareBps: 7000,
  dailyCap: null,
  lifetimeCap: null,
  pacing: "ASAP",
  usage: null,
  creativeSplit: "WEIGHTS",
  creativeWeight: 100,
  targeting: ANYONE,
};
const meta = { id: idOf("ofr"), createdAt: timestamp, updatedAt: timestamp };

const TARGETING = {
  countries: ["DE", "AT"],
  languages: ["de", "gsw"],
  currencies: ["EUR"],
  amountMin: 10.5,
  amountMax: 99.99,
  paymentTypes: ["paypal"],
  categories: ["Automotive > Dealerships", "B2B > CRM"],
  ageDemographics: ["AGE_25_34"],
  genderDemographics: ["MIXED"],
  includePublishers: [""],
  excludePublishers: [""],
  includeSites: [""],
  excludeSites: [""],
};
const FULL = {
  termsUrl: "https://advertiser.example/terms",
  icon: { url: "https://cdn.example/icon.png", width: 96, height: 48 },
  status: "paused",
  startsAt: "2026-01-01T00:00:00.000Z",
  endsAt: "2027-01-01T00:00:00.000Z",
  priority: 1,
  pricing: "CPM",
  bidMicros: 2_000_000,
  publisherShareBps: 0,
  dailyCap: 5,
  lifetimeCap: 50,
  pacing: "EVEN",
  creativeSplit: "LEARNED",
  creativeWeight: 0,
  targeting: TARGETING,
};

const create = async (given: object = {}) =>
  dataOf<{ id: string }>(await ask("POST", "", offerBody(advertiserId, given)));
const ecpm = async (id: string) =>
  (await h.rows<{ ecpm: number }>("select ecpm_micros::int as ecpm from offers where id = $1", [id]))[0]?.ecpm;

describe("a new offer", () => {
  it("has defaults for what was not said", async () => {
    const body = offerBody(advertiserId);
    const answer = await ask("POST", "", body);
    const data = { ...meta, ...DEFAULTS, ...body };
    expect(said(answer)).toEqual([201, { success: true, data, message: "Offer created successfully" }]);
    const { id } = dataOf<{ id: string }>(answer);
    expect(said(await ask("GET", `/${id}`))).toEqual([200, { success: true, data: { ...data, id } }]);
  });

  it("has all that was said, and nothing else", async () => {
    const more = offerBody(advertiserId, { ...FULL, id: newId("offer"), ecpmMicros: 7, targeting: { country: "DE" } });
    const names = ["targeting.country", "id", "ecpmMicros"];
    expect(said(await ask("POST", "", more))).toEqual(invalid(...names.map((name) => `${name}: is not known`)));
    const made = await create(FULL);
    expect(made).toEqual({
      ...meta,
      ...offerBody(advertiserId, FULL),
      usage: { today: 0, lifetime: 0, reached: null },
    });
    expect(await ecpm(made.id)).toBe(2_000_000);
  });

  it("is no one's without an advertiser that the caller manages", async () => {
    const foreign = await makeAdvertiser(h.db);
    for (const id of [foreign.id, newId("advertiser"), "adv_1"]) {
      expect(said(await ask("POST", "", offerBody(id)))).toEqual(missing("Advertiser", id));
    }
    expect(await h.rows("select from offers where advertiser_id = $1", [foreign.id])).toEqual([]);
    expect((await ask("POST", "", offerBody(foreign.id), ADMIN)).status).toBe(201);
  });

  it("and the deletion of its advertiser exclude each other", async () => {
    const pairs = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { id } = await makeAdvertiser(h.db, { platformId: platform.id });
        const [made, gone] = await Promise.all([
          ask("POST", "", offerBody(id), ADMIN),
          api(h, "DELETE", `/api/v1/advertisers/${id}`, { token: ADMIN }),
        ]);
        const { message } = gone.json as { message: string };
        return [made.status, gone.status, message.split(" ")[1]];
      }),
    );
    const possible = [
      [201, 200, "archived"],
      [404, 200, "deleted"],
    ];
    for (const outcome of pairs) expect(possible).toContainEqual(outcome);
  });
});

describe("a change", () => {
  it("is of what was sent, in targeting too", async () => {
    const made = await create(FULL);
    const put = async (body: object) => dataOf(await ask("PUT", `/${made.id}`, body));
    const expected = { ...made, updatedAt: timestamp };
    expect(await put({})).toEqual(expected);
    const changes: [object, object][] = [
      [{ title: " New " }, { title: "New" }],
      [{ targeting: { countries: ["us", "US", "fr"] } }, { targeting: { ...TARGETING, countries: ["US", "FR"] } }],
      [
        { icon: { url: "/icons/brand.svg", width: 1, height: 2000 } },
        { icon: { url: "/icons/brand.svg", width: 1, height: 2000 } },
      ],
      [{ endsAt: "2027-06-01T02:00:00.5+02:00" }, { endsAt: "2027-06-01T00:00:00.500Z" }],
      [
        { icon: null, termsUrl: null, startsAt: null, endsAt: null, pacing: "ASAP", dailyCap: null, lifetimeCap: null },
        {
          icon: null,
          termsUrl: null,
          startsAt: null,
          endsAt: null,
          pacing: "ASAP",
          dailyCap: null,
          lifetimeCap: null,
          usage: null,
        },
      ],
      [{ targeting: { ...ANYONE } }, { targeting: ANYONE }],
    ];
    for (const [sent, change] of changes) {
      Object.assign(expected, change);
      expect(await put(sent)).toEqual(expected);
    }
    expect(said(await ask("PUT", `/${made.id}`, { name: "N" }))).toEqual([
      200,
      { success: true, data: { ...expected, name: "N" }, message: "Offer updated successfully" },
    ]);
  });

  it("moves an offer to no other advertiser", async () => {
    const { id } = await create();
    const other = await makeAdvertiser(h.db, { platformId: platform.id });
    const before = await h.rows("select * from offers where id = $1", [id]);
    const refused = await ask("PUT", `/${id}`, { title: "Moved", advertiserId: other.id });
    expect(said(refused)).toEqual(invalid("advertiserId: cannot be changed"));
    expect(await h.rows("select * from offers where id = $1", [id])).toEqual(before);
    expect(dataOf(await ask("PUT", `/${id}`, { title: "Stays", advertiserId }))).toMatchObject({ title: "Stays" });
  });

  it("of pricing or bid changes what the offer is expected to earn", async () => {
    const { id } = await create({ pricing: "CPC", bidMicros: 500_000 });
    expect(await ecpm(id)).toBe(10_000_000);
    const steps: [object, number][] = [
      [{ bidMicros: 400_000 }, 8_000_000],
      [{ pricing: "CPA" }, 400_000],
      [{ title: "Same price" }, 400_000],
      [{ pricing: "CPM" }, 400_000],
      [{ pricing: "CPC", bidMicros: 7 }, 140],
      [{ bidMicros: 0 }, 0],
    ];
    for (const [change, expected] of steps) {
      expect((await ask("PUT", `/${id}`, change)).status).toBe(200);
      expect([change, await ecpm(id)]).toEqual([change, expected]);
    }
  });

  it.each(["paused", "archived", "active"])("of the status to %s", async (status) => {
    const made = await create();
    const answer = await ask("PATCH", `/${made.id}/status`, { status });
    const data = { ...made, status, updatedAt: timestamp };
    expect(said(answer)).toEqual([200, { success: true, data, message: `Offer status updated to ${status}` }]);
  });

  it("of the status to nothing else", async () => {
    const { id } = await create();
    for (const status of ["ended", "Active", 1, null]) {
      const refused = await ask("PATCH", `/${id}/status`, { status });
      expect(said(refused)).toEqual(disallowed("status", status, "active | paused | archived"));
    }
    expect(said(await ask("PATCH", `/${id}/status`, {}))).toEqual(invalid("status: is required"));
  });
});
