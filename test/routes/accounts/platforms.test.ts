import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { hashSecret } from "../../../db/core/secrets/secrets.ts";
import { api, dataOf, flat, idOf, invalid, keyOf, said, taken, timestamp } from "../../support/api.ts";
import { makePlatform, makePublisher } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await sharedHarness();
});

const admin = { token: SECRETS.ADMIN_TOKEN };
const nameOf = () => `Platform ${newId("platform")}`;
const create = (body: object) => api(h, "POST", "/api/v1/platforms", { ...admin, body });
const update = (id: string, body: object) => api(h, "PUT", `/api/v1/platforms/${id}`, { ...admin, body });
const rotate = (id: string, body: object) => api(h, "POST", `/api/v1/platforms/${id}/token`, { ...admin, body });

/** The status of what a platform's token is for. */
const use = async (token: string) => (await api(h, "GET", "/api/v1/publishers", { token })).status;

type Created = { id: string; token: string };

describe("POST /api/v1/platforms", () => {
  it.each([
    [{}, false],
    [{ elevatedLimits: true }, true],
    [{ elevatedLimits: false }, false],
  ])("answers with the platform and its token: %j", async (input, elevatedLimits) => {
    const name = nameOf();
    expect(said(await create({ name: ` ${name} `, ...input }))).toEqual([
      201,
      {
        success: true,
        data: {
          id: idOf("plat"),
          name,
          elevatedLimits,
          createdAt: timestamp,
          updatedAt: timestamp,
          token: keyOf("lan_plat_"),
        },
        message: "Platform created successfully",
      },
    ]);
  });

  it("keeps of the token only its hash, and shows it never again", async () => {
    const { id, token } = dataOf<Created>(await create({ name: nameOf() }));
    expect(await h.rows("select * from platform_tokens where platform_id = $1", [id])).toEqual([
      {
        id: idOf("tok"),
        platform_id: id,
        hash: await hashSecret(token),
        created_at: expect.any(Date),
        expires_at: null,
      },
    ]);
    const list = await api(h, "GET", "/api/v1/platforms", admin);
    expect(JSON.stringify(list.json)).not.toContain("lan_plat_");
  });

  it("gives a token that creates publishers of this platform", async () => {
    const { id, token } = dataOf<Created>(await create({ name: nameOf() }));
    const body = { name: nameOf(), contactName: "Toni", contactEmail: "toni@test.example" };
    const publisher = dataOf<{ id: string }>(await api(h, "POST", "/api/v1/publishers", { token, body }));
    const rows = await h.rows("select platform_id from publishers where id = $1", [publisher.id]);
    expect(rows).toEqual([{ platform_id: id }]);
  });

  it("refuses a taken name and leaves no token", async () => {
    const { name } = await makePlatform(h.db);
    const before = await h.rows("select count(*) from platform_tokens");
    expect(said(await create({ name: `${name} ` }))).toEqual(taken("Platform", name));
    expect(await h.rows("select count(*) from platform_tokens")).toEqual(before);
  });
});

const REFUSED: [object, string][] = [
  [{ name: "" }, "name: must not be empty"],
  [{ name: null }, "name: must be a string"],
  [{ name: "x".repeat(256) }, "name: must have at most 255 characters"],
  [{ elevatedLimits: "true" }, "elevatedLimits: must be a boolean"],
  [{ elevatedLimits: null }, "elevatedLimits: must be a boolean"],
];

describe("the fields of a platform", () => {
  it.each(REFUSED)("are refused as %j", async (fields, detail) => {
    expect(said(await create({ name: nameOf(), ...fields }))).toEqual(invalid(detail));
    const { id, name } = await makePlatform(h.db);
    expect(said(await update(id, fields))).toEqual(invalid(detail));
    const rows = await h.rows("select name, elevated_limits from platforms where id = $1", [id]);
    expect(rows).toEqual([{ name, elevated_limits: false }]);
  });

  it("name is required", async () => {
    expect(said(await create({ elevatedLimits: true }))).toEqual(invalid("name: is required"));
  });
});

describe("PUT /api/v1/platforms/:id", () => {
  it.each([{ name: "Renamed" }, { elevatedLimits: true }, {}])("changes what it is given: %j", async (body) => {
    const { id, name } = await makePlatform(h.db);
    expect(said(await update(id, body))).toEqual([
      200,
      {
        success: true,
        data: { id, name, elevatedLimits: false, ...body, createdAt: timestamp, updatedAt: timestamp },
        message: "Platform updated successfully",
      },
    ]);
  });

  it("dates what it alters, and leaves the date where it alters nothing", async () => {
    const { id, name } = await makePlatform(h.db, { updatedAt: new Date(Date.UTC(2020, 0, 1)) });
    const dated = async (body: object) => dataOf<{ updatedAt: string }>(await update(id, body)).updatedAt;
    for (const body of [{}, { name }, { name, elevatedLimits: false }])
      expect(await dated(body)).toBe("2020-01-01T00:00:00.000Z");
    expect(Date.parse(await dated({ elevatedLimits: true }))).toBeGreaterThan(Date.UTC(2020, 0, 2));
  });

  it("refuses a taken name, and takes its own", async () => {
    const other = await makePlatform(h.db);
    const { id, name } = await makePlatform(h.db);
    expect(said(await update(id, { name: other.name }))).toEqual(taken("Platform", other.name));
    expect((await update(id, { name })).status).toBe(200);
  });
});

describe("GET /api/v1/platforms", () => {
  it("lists all, newest first, in pages", async () => {
    const made: string[] = [];
    for (const hour of [1, 2, 3])
      made.unshift((await makePlatform(h.db, { createdAt: new Date(Date.UTC(2099, 0, 1, hour)) })).id);
    const [row] = await h.rows<{ n: number }>("select count(*)::int as n from platforms");
    const { status, json } = await api(h, "GET", "/api/v1/platforms?take=3", admin);
    const shape = { name: expect.any(String), elevatedLimits: false, updatedAt: timestamp, createdAt: timestamp };
    expect([status, json]).toEqual([
      200,
      {
        success: true,
        data: made.map((id) => ({ id, ...shape })),
        pagination: { total: row?.n, skip: 0, take: 3, hasMore: true },
      },
    ]);
    const next = dataOf<{ id: string }[]>(await api(h, "GET", "/api/v1/platforms?skip=1&take=2", admin));
    expect(next.map(({ id }) => id)).toEqual(made.slice(1));
    expect(said(await api(h, "GET", "/api/v1/platforms?take=101", admin))).toEqual(
      invalid("take: must be between 1 and 100"),
    );
  });
});

describe("POST /api/v1/platforms/:id/token", () => {
  it("answers with the new token", async () => {
    const { id } = await makePlatform(h.db);
    expect(said(await rotate(id, {}))).toEqual([
      201,
      {
        success: true,
        data: { id, token: keyOf("lan_plat_"), createdAt: timestamp },
        message: "Platform token rotated successfully",
      },
    ]);
  });

  it.each([{}, { overlapSeconds: 0 }])("ends the old ones at once: %j", async (body) => {
    const { id, token } = await makePlatform(h.db);
    const renewed = dataOf<Created>(await rotate(id, body)).token;
    expect(said(await api(h, "GET", "/api/v1/publishers", { token }))).toEqual([401, flat("INVALID_TOKEN")]);
    expect(await use(renewed)).toBe(200);
  });

  it("lets the old ones overlap, and never lengthens what is left of them", async () => {
    const { id, token } = await makePlatform(h.db);
    const second = dataOf<Created>(await rotate(id, { overlapSeconds: 600 })).token;
    const third = dataOf<Created>(await rotate(id, { overlapSeconds: 2_592_000 })).token;
    expect(await Promise.all([token, second, third].map(use))).toEqual([200, 200, 200]);
    const rows = await h.rows(
      "select round(extract(epoch from expires_at - now()) / 600)::int as left from platform_tokens where platform_id = $1 order by id",
      [id],
    );
    expect(rows).toEqual([{ left: 1 }, { left: 4320 }, { left: null }]);
    const last = dataOf<Created>(await rotate(id, {})).token;
    expect(await Promise.all([token, second, third, last].map(use))).toEqual([401, 401, 401, 200]);
  });

  it.each([
    [-1, "must be at least 0"],
    [0.5, "must be an integer"],
    [2_592_001, "must be at most 2592000"],
    ["60", "must be a number"],
    [null, "must be a number"],
  ])("refuses overlapSeconds %j and ends nothing", async (overlapSeconds, problem) => {
    const { id, token } = await makePlatform(h.db);
    expect(said(await rotate(id, { overlapSeconds }))).toEqual(invalid(`overlapSeconds: ${problem}`));
    expect(await use(token)).toBe(200);
  });

  it("leaves other platforms' tokens as they are", async () => {
    const { id } = await makePlatform(h.db);
    const other = await makePlatform(h.db);
    await rotate(id, {});
    expect(await use(other.token)).toBe(200);
  });
});

describe("PATCH /api/v1/publishers/:id/limits", () => {
  it.each(["platform", "admin"])("is for its %s", async (kind) => {
    const platform = await makePlatform(h.db);
    const { id, name } = await makePublisher(h.db, { platformId: platform.id });
    const token = kind === "admin" ? SECRETS.ADMIN_TOKEN : platform.token;
    for (const elevatedLimits of [true, false]) {
      const answer = await api(h, "PATCH", `/api/v1/publishers/${id}/limits`, { token, body: { elevatedLimits } });
      const message = "Publisher limits updated successfully";
      expect(said(answer)).toEqual([200, { success: true, data: { id, name, elevatedLimits }, message }]);
      const rows = await h.rows("select elevated_limits from publishers where id = $1", [id]);
      expect(rows).toEqual([{ elevated_limits: elevatedLimits }]);
    }
  });

  it.each([
    [{}, "is required"],
    [{ elevatedLimits: "yes" }, "must be a boolean"],
    [{ elevatedLimits: null }, "must be a boolean"],
  ])("refuses %j", async (body, problem) => {
    const { id } = await makePublisher(h.db);
    const answer = await api(h, "PATCH", `/api/v1/publishers/${id}/limits`, { ...admin, body });
    expect(said(answer)).toEqual(invalid(`elevatedLimits: ${problem}`));
  });
});
