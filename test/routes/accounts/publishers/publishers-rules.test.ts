import { beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, said } from "../../../support/api.ts";
import { sharedHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const token = demo.platformToken;
const bodyWith = (fields: object) => ({
  name: `Publisher ${newId("publisher")}`,
  contactName: "Toni Test",
  contactEmail: "toni@test.example",
  ...fields,
});
const create = (fields: object) => api(h, "POST", "/api/v1/publishers", { token, body: bodyWith(fields) });

/** Of exactly `length` characters, and never the same. */
const nameOf = (length: number) => newId("publisher").padEnd(length, "x");
const emailOf = (length: number) => `a@${"b".repeat(60)}.`.padEnd(length - 8, "c.d") + ".example";

const REQUIRED = ["name", "contactName", "contactEmail"];
const FIELDS = [...REQUIRED, "contactPhone"];

describe("the fields of a new publisher", () => {
  it.each(REQUIRED)("%s is required", async (field) => {
    expect(said(await create({ [field]: undefined }))).toEqual(invalid(`${field}: is required`));
  });

  it("are all complained of at once", async () => {
    const answer = await api(h, "POST", "/api/v1/publishers", { token, body: { contactPhone: " " } });
    expect(said(answer)).toEqual(
      invalid(...REQUIRED.map((field) => `${field}: is required`), "contactPhone: must not be empty"),
    );
  });

  describe.each(FIELDS)("%s", (field) => {
    it.each([null, 5, true, ["x"], { x: 1 }])("is refused as %j", async (value) => {
      expect(said(await create({ [field]: value }))).toEqual(invalid(`${field}: must be a string`));
    });

    it.each(["", " ", "\t\n\u00a0\u3000"])("is refused as %j, which is nothing", async (value) => {
      expect(said(await create({ [field]: value }))).toEqual(invalid(`${field}: must not be empty`));
    });
  });

  it.each(["name", "contactName", "contactPhone"])("%s has at most 255 characters after trimming", async (field) => {
    expect((await create({ [field]: `  ${nameOf(255)}  ` })).status).toBe(201);
    const detail = `${field}: must have at most 255 characters`;
    expect(said(await create({ [field]: nameOf(256) }))).toEqual(invalid(detail));
  });

  it.each(["name", "contactName", "contactPhone"])("%s may be one character", async (field) => {
    expect((await create({ [field]: "名" })).status).toBe(201);
  });

  it("count characters, not the code units that JavaScript needs for them", async () => {
    const name = `${newId("publisher")}${"💐".repeat(225)}`;
    expect(Array.from(name)).toHaveLength(255);
    expect(dataOf(await create({ name }))).toHaveProperty("name", name);
    expect(said(await create({ name: `${name}💐` }))).toEqual(invalid("name: must have at most 255 characters"));
  });

  it.each([
    "toni",
    "toni@",
    "@test.example",
    "toni@test",
    "to ni@test.example",
    "a@b@test.example",
    "Toni <t@test.example>",
    "toni@test..example",
    "toni@.test.example",
    "toni@test.example.",
    "<toni@test.example>",
    "mailto:toni@test.example",
    "toni@test.example,",
    "toni..t@test.example",
    "toni@test.example/x?y#z",
    "toni\u200b@test.example",
  ])("contactEmail is refused as %s", async (contactEmail) => {
    expect(said(await create({ contactEmail }))).toEqual(invalid("contactEmail: must be a valid e-mail address"));
  });

  it.each([
    "t@test.example",
    "First.Last+tag@sub.test.example",
    " padded@test.example\n",
    "toni@test.xn--p1ai",
    "toni@bücher.example",
    "jürgen@тест.рф",
    "r&d@test.example",
    "o'neil/sales!#1@test.example",
  ])("contactEmail is accepted as %j and stored trimmed", async (contactEmail) => {
    const { id } = dataOf<{ id: string }>(await create({ contactEmail }));
    const rows = await h.rows("select contact_email from publishers where id = $1", [id]);
    expect(rows).toEqual([{ contact_email: contactEmail.trim() }]);
  });

  it("contactEmail has at most 255 characters", async () => {
    expect(emailOf(256)).toHaveLength(256);
    expect(said(await create({ contactEmail: emailOf(256) }))).toEqual(
      invalid("contactEmail: must have at most 255 characters"),
    );
  });

  it("are stored trimmed", async () => {
    const name = nameOf(40);
    const fields = { name: `\n${name} `, contactName: "\tToni  Test ", contactPhone: " +1 555\r\n" };
    const { id } = dataOf<{ id: string }>(await create(fields));
    const rows = await h.rows("select name, contact_name, contact_phone from publishers where id = $1", [id]);
    expect(rows).toEqual([{ name, contact_name: "Toni  Test", contact_phone: "+1 555" }]);
  });

  it("unknown ones are ignored", async () => {
    const { id } = dataOf<{ id: string }>(
      await create({ id: "pub_1", platformId: "plat_1", status: "inactive", adsEnabled: false, elevatedLimits: true }),
    );
    const rows = await h.rows(
      "select platform_id, status, ads_enabled, elevated_limits from publishers where id = $1",
      [id],
    );
    expect(rows).toEqual([
      { platform_id: demo.platformId, status: "active", ads_enabled: true, elevated_limits: false },
    ]);
  });
});
