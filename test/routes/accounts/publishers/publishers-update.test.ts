import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../db/core/ids.ts";
import { api, dataOf, invalid, said, taken, timestamp, wrapped } from "../../../support/api.ts";
import { makePlatform, makePublisher, makeSite } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

type Publisher = Awaited<ReturnType<typeof makePublisher>>;

const update = ({ id, privateKey: token }: Publisher, body: unknown) =>
  api(h, "PUT", `/api/v1/publishers/${id}`, { token, body });
const rowOf = async ({ id }: Publisher) => {
  const [row] = await h.rows("select * from publishers where id = $1", [id]);
  return row;
};

describe("PUT /api/v1/publishers/:id", () => {
  it("changes what it is given, trimmed, and answers with four members", async () => {
    const publisher = await makePublisher(h.db, { createdAt: new Date("2026-01-02T03:04:05.678Z") });
    const before = await rowOf(publisher);
    const body = {
      name: `  Renamed ${publisher.id}\t`,
      contactName: " Kim ",
      contactEmail: ` Kim.${publisher.id}@Shop.example `,
      contactPhone: " 1 ",
    };
    expect(said(await update(publisher, body))).toEqual([
      200,
      {
        success: true,
        data: {
          id: publisher.id,
          name: `Renamed ${publisher.id}`,
          createdAt: "2026-01-02T03:04:05.678Z",
          updatedAt: timestamp,
        },
        message: "Publisher updated successfully",
      },
    ]);
    const after = await rowOf(publisher);
    expect(after).toEqual({
      ...before,
      name: `Renamed ${publisher.id}`,
      contact_name: "Kim",
      contact_email: `Kim.${publisher.id}@Shop.example`,
      contact_phone: "1",
      updated_at: expect.any(Date),
    });
    expect(after?.["updated_at"]).not.toEqual(before?.["updated_at"]);
  });

  it.each([{ contactName: "Kim" }, { contactPhone: "1" }, {}, { status: "inactive", id: "x", adsEnabled: false }])(
    "leaves all else as it was: %j",
    async (body) => {
      const publisher = await makePublisher(h.db, { contactPhone: "0" });
      const before = await rowOf(publisher);
      expect((await update(publisher, body)).status).toBe(200);
      expect(await rowOf(publisher)).toEqual({
        ...before,
        ...("contactName" in body ? { contact_name: "Kim" } : {}),
        ...("contactPhone" in body ? { contact_phone: "1" } : {}),
        updated_at: expect.any(Date),
      });
    },
  );

  it("takes the phone away by null, and nothing else", async () => {
    const publisher = await makePublisher(h.db, { contactPhone: "0" });
    const before = await rowOf(publisher);
    expect((await update(publisher, { contactPhone: null })).status).toBe(200);
    const after = await rowOf(publisher);
    expect(after).toEqual({ ...before, contact_phone: null, updated_at: expect.any(Date) });
    expect((await update(publisher, { contactPhone: null })).status).toBe(200);
    expect(await rowOf(publisher)).toEqual(after);
  });

  it.each([
    [{ name: "" }, "name: must not be empty"],
    [{ name: null }, "name: must be a string"],
    [{ name: "x".repeat(256) }, "name: must have at most 255 characters"],
    [{ contactName: " " }, "contactName: must not be empty"],
    [{ contactName: null }, "contactName: must be a string"],
    [{ contactEmail: "nobody" }, "contactEmail: must be a valid e-mail address"],
    [{ contactEmail: null }, "contactEmail: must be a string"],
    [{ contactPhone: " " }, "contactPhone: must not be empty"],
    [{ contactPhone: 1 }, "contactPhone: must be a string"],
  ])("refuses %j and changes nothing", async (body, detail) => {
    const publisher = await makePublisher(h.db);
    const before = await rowOf(publisher);
    expect(said(await update(publisher, { contactName: "Kim", ...body }))).toEqual(invalid(detail));
    expect(await rowOf(publisher)).toEqual(before);
  });

  it("refuses another publisher's e-mail, in any case and on any platform", async () => {
    const { id: platformId } = await makePlatform(h.db);
    const other = await makePublisher(h.db, { platformId });
    const publisher = await makePublisher(h.db);
    const before = await rowOf(publisher);
    for (const contactEmail of [other.contactEmail, other.contactEmail.toUpperCase(), ` ${other.contactEmail} `]) {
      expect(said(await update(publisher, { contactName: "Kim", contactEmail }))).toEqual([409, wrapped("CONFLICT")]);
    }
    expect(await rowOf(publisher)).toEqual(before);
  });

  it("takes its own e-mail, which another publisher may share", async () => {
    const contactEmail = `Shared.${newId("publisher")}@test.example`;
    const [one] = [await makePublisher(h.db, { contactEmail }), await makePublisher(h.db, { contactEmail })];
    expect((await update(one, { contactEmail })).status).toBe(200);
    expect((await update(one, { contactEmail: contactEmail.toLowerCase() })).status).toBe(200);
    expect((await update(one, { contactEmail: `own.${contactEmail}` })).status).toBe(200);
    expect(said(await update(one, { contactEmail }))).toEqual([409, wrapped("CONFLICT")]);
  });

  it("refuses a taken name, and takes its own", async () => {
    const other = await makePublisher(h.db);
    const publisher = await makePublisher(h.db);
    expect(said(await update(publisher, { name: ` ${other.name}` }))).toEqual(taken("Publisher", other.name));
    expect((await update(publisher, { name: publisher.name })).status).toBe(200);
    expect(await rowOf(publisher)).toMatchObject({ name: publisher.name });
  });
});

const list = (token: string, query = "") => api(h, "GET", `/api/v1/publishers${query}`, { token });

const makeFive = async () => {
  const platform = await makePlatform(h.db);
  const made: Publisher[] = [];
  for (const second of [3, 1, 2, 2, 4]) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    made.push(await makePublisher(h.db, { platformId: platform.id, createdAt }));
  }
  const order = made.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? -1 : 1));
  return { token: platform.token, order };
};

describe("GET /api/v1/publishers", () => {
  it("lists the platform's own, newest first, then by id", async () => {
    const { token, order } = await makeFive();
    expect(said(await list(token))).toEqual([
      200,
      {
        success: true,
        data: order.map(({ id, name, createdAt, updatedAt }) => ({
          id,
          name,
          createdAt: createdAt.toISOString(),
          updatedAt: updatedAt.toISOString(),
        })),
        pagination: { total: 5, skip: 0, take: 50, hasMore: false },
      },
    ]);
  });

  it("is empty for a platform without publishers", async () => {
    const { token } = await makePlatform(h.db);
    expect(said(await list(token))).toEqual([
      200,
      { success: true, data: [], pagination: { total: 0, skip: 0, take: 50, hasMore: false } },
    ]);
  });

  it.each([
    ["?take=1", [0, 1], { skip: 0, take: 1, hasMore: true }],
    ["?take=5", [0, 5], { skip: 0, take: 5, hasMore: false }],
    ["?take=100", [0, 5], { skip: 0, take: 100, hasMore: false }],
    ["?skip=1&take=3", [1, 4], { skip: 1, take: 3, hasMore: true }],
    ["?skip=3", [3, 5], { skip: 3, take: 50, hasMore: false }],
    ["?skip=5", [5, 5], { skip: 5, take: 50, hasMore: false }],
    ["?skip=9007199254740991", [5, 5], { skip: Number.MAX_SAFE_INTEGER, take: 50, hasMore: false }],
    ["?unknown=1", [0, 5], { skip: 0, take: 50, hasMore: false }],
  ] as const)("pages: %s", async (query, [from, to], pagination) => {
    const { token, order } = await makeFive();
    const { status, json } = await list(token, query);
    const { data, ...rest } = json as { data: { id: string }[] };
    expect([status, rest]).toEqual([200, { success: true, pagination: { total: 5, ...pagination } }]);
    expect(data.map(({ id }) => id)).toEqual(order.slice(from, to).map(({ id }) => id));
  });

  it.each([
    ["take=0", "take: must be between 1 and 100"],
    ["take=101", "take: must be between 1 and 100"],
    ["take=-1", "take: must be between 1 and 100"],
    ["take=1.5", "take: must be an integer"],
    ["take=abc", "take: must be an integer"],
    ["take=", "take: must be an integer"],
    ["take=1e1", "take: must be an integer"],
    ["take=1&take=2", "take: must be given once"],
    ["skip=-1", "skip: must be between 0 and 9007199254740991"],
    ["skip=9007199254740992", "skip: must be between 0 and 9007199254740991"],
    ["skip=0.5", "skip: must be an integer"],
    ["include=everything", "include: must be relations"],
    ["include=", "include: must be relations"],
  ])("refuses %s", async (query, detail) => {
    const { token } = await makePlatform(h.db);
    expect(said(await list(token, `?${query}`))).toEqual(invalid(detail));
  });

  it("include=relations adds each one's sites in one round trip", async () => {
    const { token, order } = await makeFive();
    const [first, second] = order;
    if (!first || !second) throw new Error("no publishers");
    const site = await makeSite(h.db, second.id);
    const before = h.endpoint.requests;
    const data = dataOf<{ id: string; sites: object[] }[]>(await list(token, "?include=relations&take=2"));
    expect(h.endpoint.requests - before).toBe(2);
    expect(data).toEqual([
      { id: first.id, name: first.name, createdAt: timestamp, updatedAt: timestamp, sites: [] },
      {
        id: second.id,
        name: second.name,
        createdAt: timestamp,
        updatedAt: timestamp,
        sites: [{ id: site.id, name: site.name, createdAt: site.createdAt.toISOString() }],
      },
    ]);
  });
});
