import { afterAll, beforeAll, describe, expect, it } from "vitest";
import app from "../../../../functions/app.ts";
import { flat, wrapped } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { fingerprint } from "../../../support/routes/every-route.ts";
import { MATRIX, PRINCIPALS, type Expected, type Principal } from "../../../support/routes/matrix.ts";
import { askedOf, makeCallers, makeScene, type Scene } from "../../../support/routes/principals.ts";

let h: Harness;
let shared: Scene;
let script: string;
let before: Awaited<ReturnType<typeof fingerprint>>;

beforeAll(async () => {
  h = await startHarness();
  shared = await makeScene(h);
  const { url } = (await (await h.fetch("/embed.json")).json()) as { url: string };
  script = new URL(url, h.url).pathname;
  // What a scene asked for is counted behind the answer.
  await h.until(
    () => h.count("request_flushes"),
    (n) => n > 0,
  );
  before = await fingerprint(h);
});
afterAll(() => h.close());

const NAMES = [...MATRIX.keys()];
const ROWS = NAMES.map((name) => [name, MATRIX.get(name)!] as const);
const isManagement = (name: string) => / \/api\/(?!odata)/.test(name);
const isReading = (name: string) => name.startsWith("GET ");
/** Tells whether what a route answers is a file. */
const isFile = (name: string) => name.endsWith("/export");
const isSuccess = ({ status }: Expected) => status < 400;
const anonymous = (name: string) => name.replaceAll(/\/:\w+(?=\/|$)/g, "/:id");

/** Calls a route as a principal, with its own body or another one. */
const call = async (name: string, scene: Scene, principal: Principal, text?: string) => {
  const { method, path, body } = askedOf(name, scene, script);
  const bearer = scene.bearers[principal];
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await h.fetch(path, {
    method,
    redirect: "manual",
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const answer = await response.text();
  const isJson = (response.headers.get("content-type") ?? "").includes("application/json");
  return { status: response.status, body: isJson ? (JSON.parse(answer) as unknown) : answer };
};

const CODES: Record<string, string> = {
  "401A": "INVALID_TOKEN",
  "401B": "UNAUTHORIZED",
  "403B": "FORBIDDEN",
  "404A": "RESOURCE_NOT_FOUND",
  "404B": "NOT_FOUND",
};

/** Describes what a cell says, in its shape, whatever details it has. */
const told = ({ status, shape }: Expected, name: string) => {
  const code = CODES[`${status}${shape}`] ?? "";
  if (shape === "A") return { status, body: expect.objectContaining(flat(code)) as unknown };
  if (shape === "B") return { status, body: { ...wrapped(code), error: expect.objectContaining(wrapped(code).error) } };
  return {
    status,
    body: isManagement(name) && !isFile(name) ? expect.objectContaining({ success: true }) : expect.anything(),
  };
};

const MANAGEMENT = ROWS.filter(([name]) => isManagement(name));

const of = (row: Record<Principal, Expected>, holds: (expected: Expected) => boolean) =>
  PRINCIPALS.filter((principal) => holds(row[principal]));

describe("the matrix of routes and principals", () => {
  it("has every route of the service, and no others", () => {
    const served = app.routes
      .filter(({ method }) => method !== "ALL" && method !== "OPTIONS")
      .map(({ method, path }) => anonymous(`${method} ${path.replace(/(?<=.)\/$/, "")}`));
    expect(NAMES.map(anonymous).toSorted()).toEqual([...new Set(served)].toSorted());
  });

  it.each(MANAGEMENT)("refuses: %s", async (name, row) => {
    for (const principal of of(row, (expected) => !isSuccess(expected))) {
      const answer = await call(name, shared, principal);
      expect([principal, answer]).toEqual([principal, told(row[principal], name)]);
    }
  });

  it.each(MANAGEMENT.filter(([name]) => isReading(name)))("lets read: %s", async (name, row) => {
    for (const principal of of(row, isSuccess)) {
      const answer = await call(name, shared, principal);
      expect([principal, answer]).toEqual([principal, told(row[principal], name)]);
    }
  });

  it("changes nothing by all of that", async () => {
    expect(await fingerprint(h)).toEqual(before);
  });

  it.each(MANAGEMENT.filter(([name]) => !isReading(name)))("lets write: %s", async (name, row) => {
    for (const principal of of(row, isSuccess)) {
      const answer = await call(name, { ...shared, ...(await makeCallers(h)) }, principal);
      expect([principal, answer]).toEqual([principal, told(row[principal], name)]);
    }
  });

  it.each(ROWS.filter(([name]) => !isManagement(name)))("admits and refuses: %s", async (name, row) => {
    for (const principal of PRINCIPALS) {
      const answer = await call(name, shared, principal);
      const expected = isSuccess(row[principal]) ? { status: row[principal].status } : told(row[principal], name);
      expect([principal, answer]).toMatchObject([principal, expected]);
    }
  });

  it.each(ROWS.filter(([name]) => !isReading(name)))(
    "reads no body of whom it does not know: %s",
    async (name, row) => {
      const unknown = of(row, ({ status }) => status === 401);
      for (const principal of row.readOnly.status === 403 ? [...unknown, "readOnly" as const] : unknown) {
        const answer = await call(name, shared, principal, "{");
        expect([principal, answer]).toEqual([principal, told(row[principal], name)]);
      }
    },
  );
});
