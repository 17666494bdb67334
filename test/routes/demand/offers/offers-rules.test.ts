import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { makeAdvertiser, offerBody, targeted, withField } from "../../../support/factories.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

let h: Harness;
let advertiserId: string;
const token = SECRETS.ADMIN_TOKEN;

beforeAll(async () => {
  h = await sharedHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});

const create = (given: object) => api(h, "POST", "/api/v1/offers", { token, body: offerBody(advertiserId, given) });
const change = (id: string, body: object) => api(h, "PUT", `/api/v1/offers/${id}`, { token, body });
const make = async (given: object = {}) => dataOf<{ id: string }>(await create(given)).id;

const TEXTS: [string, number][] = [
  ["name", 255],
  ["title", 255],
  ["header", 255],
  ["description", 2000],
  ["ctaText", 60],
  ["declineButtonText", 60],
];
const REQUIRED = [...TEXTS.map(([field]) => field), "destinationUrl", "pricing", "bidMicros"];
const MAX = Number.MAX_SAFE_INTEGER;

/** The least and the most of each number. */
const NUMBERS: [field: string, least: number, most: number][] = [
  ["priority", 1, 100],
  ["bidMicros", 0, 100_000_000_000],
  ["publisherShareBps", 0, 10_000],
  ["dailyCap", 1, MAX],
  ["lifetimeCap", 1, MAX],
  ["icon.width", 1, 2000],
  ["icon.height", 1, 2000],
];

/** For each list what it takes, as it keeps it, and what it does not. */
const LISTS: [member: string, good: string[], kept: string[], bad: unknown, problem: string][] = [
  ["countries", ["de", "US", "DE"], ["DE", "US"], "ZZ", "must be two-letter ISO 3166-1 country codes"],
  ["countries", ["XK"], ["XK"], "UK", "must be two-letter ISO 3166-1 country codes"],
  ["countries", ["US"], ["US"], "USA", "must be two-letter ISO 3166-1 country codes"],
  ["languages", ["en"], ["en"], "en-US", "must be language codes such as en"],
  ["languages", ["EN", "en", "gsw"], ["en", "gsw"], "e1", "must be language codes such as en"],
  ["currencies", ["usd", "ZAR"], ["USD", "ZAR"], "XXX", "must be supported currency codes"],
  ["countries", ["IT"], ["IT"], "ıt", "must be two-letter ISO 3166-1 country codes"],
  ["countries", ["SS"], ["SS"], "ß", "must be two-letter ISO 3166-1 country codes"],
  ["languages", ["KK"], ["kk"], "\u212Ak", "must be language codes such as en"],
  ["currencies", ["USD"], ["USD"], "uſd", "must be supported currency codes"],
  [
    "paymentTypes",
    ["paypal", "crypto"],
    ["paypal", "crypto"],
    "cash",
    "must be one of creditCard, debitCard, paypal, applePay, googlePay, bankTransfer, crypto, other",
  ],
  ["categories", ["B2B > CRM"], ["B2B > CRM"], " ", "must not be empty"],
  [
    "ageDemographics",
    ["AGE_18_24"],
    ["AGE_18_24"],
    "AGE_17",
    "must be one of AGE_18_24, AGE_25_34, AGE_35_44, AGE_45_54, AGE_55_64, AGE_65_PLUS",
  ],
  ["genderDemographics", ["MIXED", "MALE"], ["MIXED", "MALE"], "male", "must be one of MALE, FEMALE, MIXED"],
  ["includePublishers", [], [], 5, "must be a string"],
  ["excludePublishers", [], [], "x".repeat(256), "must have at most 255 characters"],
  ["includeSites", [], [], null, "must be a string"],
  ["excludeSites", [], [], "a\0", "must not contain NUL or unpaired surrogates"],
];

describe("the fields of a new offer", () => {
  it("say all at once what is missing", async () => {
    const body = { advertiserId };
    const answer = await api(h, "POST", "/api/v1/offers", { token, body });
    expect(said(answer)).toEqual(invalid(...REQUIRED.map((field) => `${field}: is required`)));
    expect(said(await create({ advertiserId: undefined }))).toEqual(invalid("advertiserId: is required"));
  });

  it.each(TEXTS)("%s has up to %i characters", async (field, most) => {
    expect((await create({ [field]: ` ${"x".repeat(most)} ` })).status).toBe(201);
    const detail = `${field}: must have at most ${most} characters`;
    expect(said(await create({ [field]: "x".repeat(most + 1) }))).toEqual(invalid(detail));
    expect(said(await create({ [field]: " " }))).toEqual(invalid(`${field}: must not be empty`));
    expect(said(await create({ [field]: null }))).toEqual(invalid(`${field}: must be a string`));
  });

  it.each(NUMBERS)("%s is an integer from %i to %i", async (field, least, most) => {
    for (const value of [least, most]) expect((await create(withField(field, value))).status).toBe(201);
    const refused: [unknown, string][] = [
      [least - 1, `must be at least ${least}`],
      [most + 1, `must be at most ${most}`],
      [least + 0.5, "must be an integer"],
      [String(least), "must be a number"],
    ];
    for (const [value, problem] of refused) {
      const { status, json } = await create(withField(field, value));
      expect([status, json]).toMatchObject([400, { details: [`${field}: ${problem}`] }]);
    }
  });

  it("targeting: each of its lists is among those that follow", async () => {
    const { targeting } = dataOf<{ targeting: Record<string, unknown> }>(await create({}));
    const lists = Object.keys(targeting).filter((member) => Array.isArray(targeting[member]));
    expect(lists.filter((member) => !LISTS.some(([name]) => name === member))).toEqual([]);
  });

  it.each(LISTS)("targeting.%s: %j is kept as %j, and %j %s", async (member, good, kept, bad, problem) => {
    expect(dataOf(await create(targeted(member, good)))).toHaveProperty(`targeting.${member}`, kept);
    const refused = await create(targeted(member, [...good.slice(0, 1), bad]));
    const at = `targeting.${member}.${Math.min(good.length, 1)}`;
    expect(said(refused)).toEqual(invalid(`${at}: ${problem}`));
    expect(said(await create(targeted(member, "US")))).toEqual(invalid(`targeting.${member}: must be an array`));
    const many = await create(
      targeted(
        member,
        Array.from({ length: 501 }, () => good[0] ?? "a"),
      ),
    );
    expect(said(many)).toEqual(invalid(`targeting.${member}: must have at most 500 entries`));
  });

  it.each([
    ["status", "deleted", "must be one of active, paused, archived"],
    ["pricing", "cpc", "must be one of CPM, CPC, CPA"],
    ["pacing", "FAST", "must be one of ASAP, EVEN"],
    ["targeting.amountMin", -0.01, "must be at least 0"],
    ["targeting.amountMax", "5", "must be a number"],
    ["targeting", null, "must be an object"],
    ["icon", "/icons/a.svg", "must be an object"],
    ["title", [], "must be a string"],
    ["icon.url", undefined, "is required"],
    ["icon.width", undefined, "is required"],
  ])("%s is not %j", async (field, value, problem) => {
    expect(said(await create(withField(field, value)))).toEqual(invalid(`${field}: ${problem}`));
  });

  it.each(["startsAt", "endsAt"])("%s is a time with its zone", async (field) => {
    const good: [string, string][] = [
      ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000Z"],
      ["2026-11-21T10:00:00.123456+05:30", "2026-11-21T04:30:00.123Z"],
      ["2028-02-29T00:00:00-12:00", "2028-02-29T12:00:00.000Z"],
      ["1969-12-31T23:00:00-01:00", "1970-01-01T00:00:00.000Z"],
      ["3000-01-01T00:59:59.999+01:00", "2999-12-31T23:59:59.999Z"],
    ];
    for (const [sent, kept] of good) expect(dataOf(await create({ [field]: sent }))).toHaveProperty(field, kept);
    const bad = ["2026-11-21", "2026-11-21T10:00:00", "2027-02-29T00:00:00Z", "2026-11-21T25:00:00Z", "soon", 0, true];
    const extreme = [
      "0000-01-01T00:00:00Z",
      "0001-01-01T00:00:00+23:59",
      "1970-01-01T00:00:00+00:01",
      "2999-12-31T23:59:00-00:01",
      "9999-12-31T23:59:59-23:59",
    ];
    const refused = [
      ...bad.map((value) => [value, "must be an ISO 8601 time with its zone"] as const),
      ...extreme.map((value) => [value, "must be in the years 1970 to 2999 of UTC"] as const),
    ];
    for (const [value, problem] of refused) {
      expect([value, ...said(await create({ [field]: value }))]).toEqual([value, ...invalid(`${field}: ${problem}`)]);
    }
  });
});

const amounts = (amountMin: number | null, amountMax: number | null, currencies = ["USD"]) => ({
  targeting: { amountMin, amountMax, currencies },
});

describe("values that contradict each other", () => {
  const DAY1 = "2026-12-01T00:00:00Z";
  const DAY2 = "2026-12-02T00:00:00Z";
  const ENDS = "endsAt: must be after startsAt";
  const LESS = "targeting.amountMax: must not be less than amountMin";
  const CURRENCY = "targeting.currencies: must be given with amountMin or amountMax";
  const CPM = "bidMicros: must be a multiple of 1000 for CPM";
  const EVEN = "pacing: EVEN needs a dailyCap, or a lifetimeCap and an endsAt";

  it.each<[string, object, object]>([
    [ENDS, { startsAt: DAY2 }, { endsAt: DAY1 }],
    [ENDS, { startsAt: DAY1 }, { endsAt: DAY1 }],
    [ENDS, { endsAt: DAY1 }, { startsAt: DAY2 }],
    [LESS, amounts(5, null), { targeting: { amountMax: 4.99 } }],
    [LESS, amounts(null, 5), { targeting: { amountMin: 5.01 } }],
    [CURRENCY, amounts(1, null), { targeting: { currencies: [] } }],
    [CURRENCY, {}, { targeting: { amountMin: 1 } }],
    [CURRENCY, {}, { targeting: { amountMax: 1 } }],
    [CPM, { pricing: "CPM", bidMicros: 1000 }, { bidMicros: 1001 }],
    [CPM, { pricing: "CPC", bidMicros: 1001 }, { pricing: "CPM" }],
    [EVEN, {}, { pacing: "EVEN" }],
    [EVEN, { lifetimeCap: 5 }, { pacing: "EVEN" }],
    [EVEN, { endsAt: DAY1 }, { pacing: "EVEN" }],
    [EVEN, { pacing: "EVEN", dailyCap: 5 }, { dailyCap: null }],
    [EVEN, { pacing: "EVEN", lifetimeCap: 5, endsAt: DAY1 }, { endsAt: null }],
    [EVEN, { pacing: "EVEN", lifetimeCap: 5, endsAt: DAY1 }, { lifetimeCap: null }],
  ])("%s: first %j, then %j", async (problem, stored, sent) => {
    const id = await make(stored);
    const before = await h.rows("select * from offers where id = $1", [id]);
    expect(said(await change(id, sent))).toEqual(invalid(problem));
    expect(await h.rows("select * from offers where id = $1", [id])).toEqual(before);
    const targeting = {
      ...("targeting" in stored ? (stored.targeting as object) : {}),
      ...("targeting" in sent ? (sent.targeting as object) : {}),
    };
    expect(said(await create({ ...stored, ...sent, targeting }))).toEqual(invalid(problem));
  });

  it.each<[object]>([
    [{ startsAt: DAY1, endsAt: DAY2 }],
    [amounts(5, 5)],
    [amounts(0, null)],
    [{ pricing: "CPM", bidMicros: 0 }],
    [{ pacing: "EVEN", dailyCap: 1 }],
    [{ pacing: "EVEN", lifetimeCap: 1, endsAt: DAY1 }],
    [{ pacing: "ASAP" }],
  ])("are not %j", async (given) => {
    expect((await create(given)).status).toBe(201);
  });

  it("an unknown category is named", async () => {
    const problem = "targeting.categories: has no category named B2B > crm";
    const given = targeted("categories", ["B2B > CRM", "B2B > crm"]);
    expect(said(await create(given))).toEqual(invalid(problem));
    expect(said(await change(newId("offer"), given))).toEqual(invalid(problem));
  });
});
