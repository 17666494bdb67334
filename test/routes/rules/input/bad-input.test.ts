import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flat, said, type Answer } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import {
  addressOf,
  expectRefusal,
  fingerprint,
  makeWorld,
  ofContract,
  ROUTES,
  takesRows,
  tokenOf,
  type Route,
  type World,
} from "../../../support/routes/every-route.ts";

const MAX_BODY_BYTES = 64 * 1024;
const WITH_BODY = ROUTES.filter((route) => route.body && !takesRows(route));

let h: Harness;
let world: World;

let before: Awaited<ReturnType<typeof fingerprint>>;

beforeAll(async () => {
  h = await startHarness();
  world = await makeWorld(h);
  before = await fingerprint(h);
});
afterAll(() => h.close());

/** Makes a new body for each attempt, since a stream can be sent only once. */
type Body = () => string | Uint8Array | ReadableStream | null;

/** Miniflare's proxy may break when a body is refused before its end; the answer is then not the Worker's, or none. */
const isBroken = (text: string) => text.startsWith("Error: Network connection lost") || text === "";

/** Sends a body as it is, with whatever headers. */
const send = async (route: Route, body: Body, headers: Record<string, string>): Promise<Answer> => {
  const { method, path } = addressOf(route, world);
  const authorization = `Bearer ${tokenOf(route, world)}`;
  const attempt = async () => {
    const init = { method, headers: { authorization, ...headers }, body: body(), duplex: "half" as const };
    const response = await h.fetch(path, init);
    return { response, text: await response.text().catch(() => "") };
  };
  const { response, text } = await h.until(attempt, (answer) => !isBroken(answer.text));
  return { status: response.status, headers: response.headers, json: JSON.parse(text) };
};

const JSON_TYPE = { "content-type": "application/json" };
const refusedAs = (status: number, code: string, details?: string[]) => [status, flat(code, details)] as const;
const invalid = (answer: Answer) => [400, flat("VALIDATION_FAILED", (answer.json as { details?: unknown }).details)];

const deep = (levels: number, open = "[", close = "]") => open.repeat(levels) + close.repeat(levels);
const chunked = (text: string) => () => new Response(text).body;

const OTHER_TYPES = ["text/plain", "multipart/form-data", "application/a+b+json", "application/jsonp"];
const MALFORMED = [null, " ", "{}}", "{'a':1}", "NaN", "\0", deep(20_000, "[", "")];
/** JSON that no member takes as its value. */
const HOSTILE = [
  '"a\\u0000b"',
  '"\\udc00x"',
  `"${"x".repeat(10_240)}"`,
  "1e400",
  deep(20_000),
  deep(10_000, '{"a":', "}").replace(":}", ":1}"),
  '{"__proto__":{"a":1}}',
];

describe.each(WITH_BODY)("$route", (route) => {
  it("refuses what is not JSON by name or by form", async () => {
    for (const type of OTHER_TYPES) {
      expect(said(await send(route, () => "{}", { "content-type": type }))).toEqual(
        refusedAs(415, "UNSUPPORTED_MEDIA_TYPE"),
      );
    }
    const bytes = new TextEncoder().encode("{}");
    expect(said(await send(route, () => bytes, {}))).toEqual(refusedAs(415, "UNSUPPORTED_MEDIA_TYPE"));
    for (const text of MALFORMED) {
      const answer = await send(route, () => text, JSON_TYPE);
      expect(said(answer)).toEqual(refusedAs(400, "VALIDATION_FAILED", ["body: is not valid JSON"]));
    }
  });

  it("refuses what is no UTF-8, whatever charset it names", async () => {
    const latin1 = Buffer.from('{"name":"Caf\xe9"}', "latin1");
    for (const type of ["application/json", "application/json; charset=iso-8859-1"]) {
      const answer = await send(route, () => latin1, { "content-type": type });
      expect(said(answer)).toEqual(refusedAs(400, "VALIDATION_FAILED", ["body: must be UTF-8"]));
    }
  });

  it("refuses what is compressed, and says so", async () => {
    const zipped = gzipSync('{"name":"Cafe"}');
    const answer = await send(route, () => zipped, { ...JSON_TYPE, "content-encoding": "gzip" });
    expect(said(answer)).toEqual(refusedAs(415, "UNSUPPORTED_MEDIA_TYPE"));
    expect(answer.json).toMatchObject({ error: expect.stringContaining("Content-Encoding") });
  });

  it("refuses what is no object", async () => {
    for (const text of ["[]", '"text"', "-0", "1e400", "null", deep(20_000)]) {
      const answer = await send(route, () => text, JSON_TYPE);
      expect(said(answer)).toEqual(invalid(answer));
    }
  });

  it("refuses a body over 64 KB, announced or not", async () => {
    for (const text of [" ".repeat(MAX_BODY_BYTES + 1), `{"a":"${"x".repeat(65 * 1024)}"}`]) {
      expect(said(await send(route, () => text, JSON_TYPE))).toEqual(refusedAs(413, "PAYLOAD_TOO_LARGE"));
      expect(said(await send(route, chunked(text), JSON_TYPE))).toEqual(refusedAs(413, "PAYLOAD_TOO_LARGE"));
    }
  });

  it("refuses hostile values of every member", async () => {
    const body = route.body?.(world) ?? {};
    const answers: Answer[] = [];
    for (const member of Object.keys(body)) {
      for (const value of HOSTILE) {
        const rest = JSON.stringify({ ...body, [member]: undefined }).slice(1, -1);
        const text = `{${rest}${rest && ","}${JSON.stringify(member)}:${value}}`;
        answers.push(await send(route, () => text, JSON_TYPE));
      }
    }
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    // What is asked of the offer endpoint may be any text.
    if (!route.route.endsWith("/explain")) for (const answer of answers) expectRefusal(answer);
  });
});

it("all of which changes nothing", async () => {
  expect(await fingerprint(h)).toEqual(before);
});

describe("a body that is unusual but right", () => {
  it.each(WITH_BODY)("is accepted by $route", async (route) => {
    const accepted = async (make: (text: string) => Body, type = "application/vnd.lanyap.v1+json") => {
      world = await makeWorld(h);
      const answer = await send(route, make(JSON.stringify(route.body?.(world))), { "content-type": type });
      expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]), json: { success: true } });
    };
    await accepted((text) => () => text.padEnd(MAX_BODY_BYTES), "application/json; charset=utf-8");
    await accepted((text) => chunked(text.padEnd(MAX_BODY_BYTES)), "Application/JSON ;charset=UTF-8");
    const ignored = `{"__proto__":{"name":1},"constructor":1,"unknown":${deep(20_000)},`;
    if (ofContract(route)) await accepted((text) => () => text.replace("{", ignored));
  });
});
