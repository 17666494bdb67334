import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { AGE_DEMOGRAPHICS, GENDER_DEMOGRAPHICS } from "../../../db/schema/values.ts";
import { api, dataOf, invalid, said } from "../../support/api.ts";
import { makePublisher, makeSite } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let token: string;
let publisherId: string;

beforeAll(async () => {
  h = await sharedHarness();
  const publisher = await makePublisher(h.db);
  token = publisher.privateKey;
  publisherId = publisher.id;
});

const nameOf = (length = 40) => newId("site").padEnd(length, "x");
const create = (fields: object) => api(h, "POST", "/api/site", { token, body: { name: nameOf(), ...fields } });

const ages = `must be one of ${AGE_DEMOGRAPHICS.join(", ")}`;
const genders = `must be one of ${GENDER_DEMOGRAPHICS.join(", ")}`;
const statuses = "must be one of active, inactive";

/** Field, value, and what it is stored as. */
const ACCEPTED: [string, unknown, unknown][] = [
  ["name", nameOf(255), undefined],
  ["name", `\t ${nameOf(255)}\u00a0`, undefined],
  ["description", "x", "x"],
  ["description", " a\nb ", "a\nb"],
  ["description", "y".repeat(2000), "y".repeat(2000)],
  ["domain", "shop.example", "shop.example"],
  ["domain", " shop.example\n", "shop.example"],
  ["domain", "d".repeat(253), "d".repeat(253)],
  ["domain", "", ""],
  ["orderVolume", 0, 0],
  ["orderVolume", 1, 1],
  ["orderVolume", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ["averageOrder", 0, 0],
  ["averageOrder", 0.01, 0.01],
  ["averageOrder", 12.5, 12.5],
  ["averageOrder", 0.1 + 0.2, 0.1 + 0.2],
  ["averageOrder", 1e300, 1e300],
  ...AGE_DEMOGRAPHICS.map((age): [string, unknown, unknown] => ["ageDemographics", age, age]),
  ...GENDER_DEMOGRAPHICS.map((gender): [string, unknown, unknown] => ["genderDemographics", gender, gender]),
  ["status", "active", "active"],
  ["status", "inactive", "inactive"],
];

/** Field, value, and the complaint. */
const REFUSED: [string, unknown, string][] = [
  ["name", null, "must be a string"],
  ["name", 5, "must be a string"],
  ["name", "", "must not be empty"],
  ["name", " \n", "must not be empty"],
  ["name", "x".repeat(256), "must have at most 255 characters"],
  ["description", null, "must be a string"],
  ["description", 5, "must be a string"],
  ["description", "", "must not be empty"],
  ["description", "  ", "must not be empty"],
  ["description", "x".repeat(2001), "must have at most 2000 characters"],
  ["domain", null, "must be a string"],
  ["domain", ["shop.example"], "must be a string"],
  ["domain", "d".repeat(254), "must have at most 253 characters"],
  ["orderVolume", -1, "must be at least 0"],
  ["orderVolume", 1.5, "must be an integer"],
  ["orderVolume", 2 ** 53, `must be at most ${Number.MAX_SAFE_INTEGER}`],
  ["orderVolume", "1", "must be a number"],
  ["orderVolume", null, "must be a number"],
  ["orderVolume", true, "must be a number"],
  ["averageOrder", -0.01, "must be at least 0"],
  ["averageOrder", "12", "must be a number"],
  ["averageOrder", null, "must be a number"],
  ["ageDemographics", "AGE_0_17", ages],
  ["ageDemographics", "age_18_24", ages],
  ["ageDemographics", "", ages],
  ["ageDemographics", null, ages],
  ["ageDemographics", ["AGE_18_24"], ages],
  ["genderDemographics", "OTHER", genders],
  ["genderDemographics", "male", genders],
  ["genderDemographics", null, genders],
  ["status", "pending", statuses],
  ["status", "Active", statuses],
  ["status", "", statuses],
  ["status", null, statuses],
  ["status", true, statuses],
];

/** Tells whether a change may take a field away so. */
const mayClear = ([field, value]: (typeof REFUSED)[number]) => value === null && field !== "name" && field !== "status";

const ZONES: [string, unknown, string][] = [null, 0, "true", "yes"].map((value) => [
  "createPartnerZone",
  value,
  "must be a boolean",
]);

describe("the fields of a site", () => {
  it.each(ACCEPTED)("%s is accepted as %j", async (field, value, stored) => {
    const expected = stored ?? String(value).trim();
    const made = dataOf<{ id: string }>(await create({ [field]: value }));
    expect(made).toHaveProperty(field, expected);
    expect(dataOf(await api(h, "GET", `/api/site/${made.id}`, { token }))).toHaveProperty(field, expected);
  });

  it.each(ACCEPTED.filter(([field]) => field !== "name"))(
    "%s is accepted as %j by PUT",
    async (field, value, stored) => {
      const { id } = await makeSite(h.db, publisherId);
      expect((await api(h, "PUT", `/api/site/${id}`, { token, body: { [field]: value } })).status).toBe(200);
      expect(dataOf(await api(h, "GET", `/api/site/${id}`, { token }))).toHaveProperty(field, stored);
    },
  );

  it.each([...REFUSED, ...ZONES])("%s is refused as %j", async (field, value, problem) => {
    expect(said(await create({ [field]: value }))).toEqual(invalid(`${field}: ${problem}`));
  });

  it.each(REFUSED.filter((given) => !mayClear(given)))("%s is refused as %j by PUT", async (field, value, problem) => {
    const { id } = await makeSite(h.db, publisherId);
    const body = { orderVolume: 7, [field]: value };
    expect(said(await api(h, "PUT", `/api/site/${id}`, { token, body }))).toEqual(invalid(`${field}: ${problem}`));
    const rows = await h.rows("select order_volume, status from sites where id = $1", [id]);
    expect(rows).toEqual([{ order_volume: null, status: "active" }]);
  });

  it("name is required", async () => {
    const answer = await api(h, "POST", "/api/site", { token, body: { description: "", orderVolume: 0.5 } });
    expect(said(answer)).toEqual(
      invalid("name: is required", "description: must not be empty", "orderVolume: must be an integer"),
    );
  });

  it.each(["1e400", "-1e400"])("averageOrder is refused as %s, which a number cannot hold", async (number) => {
    const body = `{"name": "Infinite", "averageOrder": ${number}}`;
    expect(said(await api(h, "POST", "/api/site", { token, body }))).toEqual(invalid("averageOrder: must be a number"));
  });

  it("nothing is made by a refused request", async () => {
    const before = await h.rows("select count(*) from sites");
    for (const [field, value] of REFUSED.slice(0, 10)) await create({ [field]: value });
    expect(await h.rows("select count(*) from sites")).toEqual(before);
  });
});
