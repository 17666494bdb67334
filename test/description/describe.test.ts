import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { beforeAll, describe as group, expect, it } from "vitest";
import { describe } from "../../functions/description/describe.ts";
import { describedRoutes } from "../../functions/description/described.ts";
import { CASES } from "../../functions/description/answers/errors.ts";
import { walk } from "../../functions/description/walk.ts";
import { factory } from "../../functions/http/factory.ts";
import { allow } from "../../functions/http/credentials/auth.ts";
import { query } from "../../functions/http/input/validate.ts";
import { integer, text, wholeParameter } from "../../functions/http/input/fields.ts";
import { parameterSchema, schemaOf, type Json } from "../../functions/description/json-schema.ts";
import { sharedHarness, type Harness } from "../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await sharedHarness();
});

/** Reads the description as a file has it. */
const plain = (): unknown => JSON.parse(JSON.stringify(describe()));

it("is what was accepted; `npm run describe` accepts a change", () => {
  const path = join(import.meta.dirname, "../../functions/description/openapi.json");
  expect(plain()).toEqual(JSON.parse(readFileSync(path, "utf8")));
});

it("is served to every origin, with a tag to ask again by", async () => {
  const answer = await h.fetch("/openapi.json");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("cache-control")).toContain("max-age=300");
  expect(await answer.json()).toEqual(plain());
  const tag = answer.headers.get("etag") ?? "";
  const again = await h.fetch("/openapi.json", { headers: { "if-none-match": tag } });
  expect([tag === "", again.status]).toEqual([false, 304]);
});

group("operations", () => {
  const all = describedRoutes();

  it("have names of their own", () => {
    const ids = all.map(({ operation }) => operation.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+[A-Za-z]+$/.test(id))).toEqual([]);
  });

  it("answer something and refuse something, of which tests see each", () => {
    const kinds = all.map(({ route, operation, errors }) => {
      const statuses = [...Object.keys(operation.answers).map(Number), ...errors.map((name) => CASES[name].status)];
      const has = (least: number, most: number) => statuses.some((status) => status >= least && status < most);
      return { name: route.name, does: has(200, 400), refuses: has(400, 500) };
    });
    expect(kinds.filter(({ does }) => !does)).toEqual([]);
    expect(kinds.flatMap(({ name, refuses }) => (refuses ? [] : [name]))).toEqual(["GET /health", "GET /"]);
  });

  const bodies = all.flatMap(({ route, operation }) => {
    const schema = operation.body?.() ?? route.body;
    return schema && operation.types === undefined ? [{ name: route.name, schema, example: operation.example }] : [];
  });
  it.each(bodies)("have examples that they accept: $name", ({ schema, example }) => {
    expect(schema.safeParse(example).error?.issues ?? []).toEqual([]);
  });
});

group("headers", () => {
  type Answered = { $ref?: string; headers?: Record<string, unknown> };
  const { paths, components } = describe();
  const headersOf = (path: string, method: string, status: number): string[] => {
    const answer: Answered | undefined = paths[path]?.[method]?.responses[status];
    const shared: Answered | undefined = components.responses[answer?.$ref?.replace(/^.*\//, "") ?? ""];
    return Object.keys((shared ?? answer)?.headers ?? {}).filter((name) => name !== "x-request-id");
  };
  const counted = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

  it.each([
    ["/api/odata", "get", 200, ["x-no-fill-reason"]],
    ["/api/odata", "get", 500, ["Retry-After"]],
    ["/api/v1/publishers/me", "get", 500, []],
    ["/api/v1/publishers/me", "get", 200, ["ETag"]],
    ["/click", "get", 302, ["Location"]],
    ["/", "get", 200, ["ETag"]],
    ["/", "get", 304, ["ETag"]],
    ["/api/report", "get", 200, ["Content-Disposition"]],
    ["/api/v1/hits", "get", 200, ["Content-Disposition"]],
    ["/api/v1/offers/export", "get", 200, ["Content-Disposition"]],
    ["/api/v1/offers/explain", "post", 500, [...counted, "Retry-After"]],
    ["/api/site/{id}", "delete", 200, [...counted, "Lanyap-Dry-Run"]],
    ["/api/v1/publishers/{id}/api-tokens/{tokenId}", "delete", 200, counted],
    ["/api/v1/offers/{id}", "delete", 200, [...counted, "Lanyap-Dry-Run", "ETag"]],
    ["/click", "get", 503, ["Retry-After"]],
    ["/api/v1/publishers/{id}/api-tokens/{tokenId}/rotate", "post", 201, [...counted, "ETag"]],
    ["/api/v1/advertisers/{id}/conversion-secret", "post", 201, [...counted, "ETag"]],
    ["/api/site", "post", 400, [...counted, "Lanyap-Dry-Run"]],
    ["/api/site/{id}/status", "patch", 404, [...counted, "Lanyap-Dry-Run"]],
    ["/api/site/{id}/status", "patch", 403, []],
    ["/api/v1/publishers/{id}/status", "patch", 403, [...counted, "Lanyap-Dry-Run"]],
    ["/api/site", "post", 401, []],
    ["/api/site", "post", 429, [...counted, "Retry-After"]],
  ])("of %s, %s %i are %j", (path, method, status, names) => {
    expect(headersOf(path, method, status)).toEqual(names);
  });
});

const membersOf = (json: Json | undefined): string[] => Object.keys(json?.properties ?? {});

group("lists", () => {
  type Parameter = { name: string; schema: Json };
  const lists = Object.entries(describe().paths).flatMap(([path, { get }]) => {
    const parameters: Parameter[] = get?.parameters ?? [];
    return parameters.some(({ name }) => name === "take") ? [{ path, parameters }] : [];
  });

  it.each(lists)("say which part comes where none is asked for: $path", ({ parameters }) => {
    const defaults = ["skip", "take"].map((wanted) => parameters.find(({ name }) => name === wanted)?.schema.default);
    expect(defaults).toEqual([0, expect.any(Number)]);
  });
});

group("bodies", () => {
  const { schemas } = describe().components;

  it("of an import have all that an export gives", () => {
    const { ImportRow: row, ExportedOffer: offer, Creative: creative } = schemas;
    expect(membersOf(row)).toEqual(expect.arrayContaining(membersOf(offer)));
    expect(membersOf(row?.properties?.["creatives"]?.items)).toEqual(expect.arrayContaining(membersOf(creative)));
  });

  it("of explain need what a request for offers needs", () => {
    expect(schemas["ExplainOffersBody"]?.required).toEqual(["placementId", "sessionId"]);
  });

  it("of an import say of a creative's members what they are of a creative", () => {
    const creative = schemas["ImportRow"]?.properties?.["creatives"]?.items?.properties;
    expect(creative?.["id"]?.description).toMatch(/^The creative/);
    expect(creative?.["status"]?.description).toContain("creative is shown");
  });
});

group("words", () => {
  type Member = { path: string; json: Json };
  const below = (path: string, json: Json): Member[] => {
    const own = Object.entries(json.properties ?? {}).map(([name, part]) => ({ path: `${path}.${name}`, json: part }));
    const parts = [json.items, ...(json.anyOf ?? []), ...(json.oneOf ?? [])].filter((part) => part !== undefined);
    return [
      ...own,
      ...own.flatMap((member) => below(member.path, member.json)),
      ...parts.flatMap((part) => below(path, part)),
    ];
  };
  const mayBeNull = ({ type, anyOf = [] }: Json): boolean => [type].flat().includes("null") || anyOf.some(mayBeNull);
  const { info, components } = describe();
  const members = Object.entries(components.schemas).flatMap(([name, json]) => below(name, json));
  const wordsOf = (wanted: string) => members.find(({ path }) => path === wanted)?.json.description;

  it("say what null means only of what may be null", () => {
    const wrong = members.filter(({ json }) => /\bnull\b/.test(json.description ?? "") && !mayBeNull(json));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("do not say of a change that what it leaves out becomes something", () => {
    const wrong = members.filter(
      ({ path, json }) => /^Update\w+Body\b/.test(path) && /^(?:.* )?Left out/.test(json.description ?? ""),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it.each([
    "UpdateTokenBody.grossAccess",
    "UpdateTokenAccessBody.name",
    "UpdatePlacementBody.siteId",
    "UpdateOfferStatusBody.advertiserId",
    "UpdateCreativeBody.offerId",
    "UpdateAdvertiserBody.platformId",
  ])("say of %s that it cannot be changed there", (path) => {
    expect(wordsOf(path)).toBe("May be sent back as it was read. Any other value is refused.");
  });

  it("say where what is not known is ignored, and which currencies there are", () => {
    expect(info.description).toContain("It is ignored where publishers and sites are created");
    expect(wordsOf("ExplainOffersBody.at.currency")).toMatch(/: AED ARS .* ZAR\.$/);
  });
});

group("walking an app", () => {
  it("tells who may call, what is read and what is refused", () => {
    const app = factory.createApp().get(
      "/api/v1/things/:id",
      allow("manager"),
      query(() => z.object({ search: text().optional() })),
      (c) => c.json({}),
    );
    const [route] = walk(app);
    expect(route).toMatchObject({ name: "GET /api/v1/things/:id", access: "manager", ids: ["id"], isStrict: true });
    expect(route?.query instanceof z.ZodObject && Object.keys(route.query.shape)).toEqual(["search"]);
  });

  it("finds nobody who may call where no part says it", () => {
    const app = factory.createApp().get("/api/v1/things", (c) => c.json({}));
    expect(walk(app)).toMatchObject([{ access: null, query: null, body: null }]);
  });
});

group("schemas", () => {
  it.each([
    [z.object({ n: integer(3, 70) }), { type: "integer", minimum: 3, maximum: 70 }],
    [z.object({ n: integer() }), { type: "integer", minimum: 0 }],
    [z.object({ n: integer(-5, 10_000_000_000) }), { type: "integer", minimum: -5, maximum: 10_000_000_000 }],
    [z.object({ n: text() }), { type: "string", minLength: 1, maxLength: 255 }],
    [z.object({ n: z.iso.datetime().nullable() }), { type: ["string", "null"], format: "date-time" }],
  ])("tell ranges that only the checks know: %#", (schema, told) => {
    expect(schemaOf(schema).properties?.["n"]).toEqual(told);
  });

  it.each([
    [wholeParameter(1, 100).default(50), { type: "integer", minimum: 1, maximum: 100, default: 50 }],
    [z.enum(["true", "false"]).optional(), { type: "boolean" }],
    [text().optional(), { type: "string", minLength: 1, maxLength: 255 }],
  ])("tell parameters by what they stand for: %#", (schema, told) => {
    expect(parameterSchema(schema)).toEqual(told);
  });
});
