import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiTokens } from "../../db/schema/accounts.ts";
import { readVars } from "../../db/local/environment.ts";
import { describedRoutes, templateOf, type Described } from "../../functions/description/described.ts";
import { CASES, type ErrorName } from "../../functions/description/answers/errors.ts";
import { makeApiToken } from "../../db/accounts/credentials/api-tokens.ts";
import { makeInventory } from "../support/factories.ts";
import { DESCRIBED, type Target } from "../support/fuzz/described.ts";
import { makeScene, type Scene } from "../support/fuzz/scene.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";

// Each refusal that follows from a part of a route is given by every route with that part. The harness checks every
// answer against the description, so these tests only have to cause the refusals.

let h: Harness;
let scene: Scene;
let readOnly: string;
let foreign: string;
beforeAll(async () => {
  h = await startHarness();
  const [made, other] = await Promise.all([makeScene(h), makeInventory(h.db)]);
  scene = made;
  foreign = other.publisher.id;
  const { row, bearer } = await makeApiToken(scene.world.publisher.id, "Reads", SECRETS.TOKEN_ENCRYPTION_KEY);
  await h.db.insert(apiTokens).values({ ...row, access: "READ" });
  readOnly = bearer;
});
afterAll(() => h.close());

const routes = describedRoutes();

type Sent = { path?: string; token?: string | null; body?: unknown; type?: string; headers?: Record<string, string> };

const targetOf = ({ route }: Described): Target => {
  const name = `${route.method} ${templateOf(route.path)}`;
  const target = DESCRIBED.find((one) => one.name === name);
  if (!target) throw new Error(`${name} has no target`);
  return target;
};

/** Sends a request of an operation, the example of its description unless something else is said. */
const send = async (
  at: Harness,
  one: Described,
  { path, token, body, type = "application/json", headers }: Sent = {},
) => {
  const target = targetOf(one);
  const bearer = token === undefined ? target.bearer(scene) : token;
  const content = body ?? one.operation.example;
  const answer = await at.fetch(path ?? `${target.address(scene)}?${target.query(scene, 1)}`, {
    method: target.method,
    headers: {
      ...headers,
      ...(bearer === null ? {} : { authorization: bearer.startsWith("Bearer") ? bearer : `Bearer ${bearer}` }),
      ...(content === undefined || target.method === "GET" ? {} : { "content-type": type }),
    },
    redirect: "manual",
    ...(content === undefined || target.method === "GET"
      ? {}
      : { body: typeof content === "string" ? content : JSON.stringify(content) }),
  });
  return `${one.route.name} ${answer.status}`;
};

/** Lists the operations that refuse something, and the answer of each. */
const refusing = (error: ErrorName, fits: (one: Described) => boolean = () => true) => {
  const found = routes.filter((one) => one.errors.includes(error) && fits(one));
  return { found, wanted: found.map(({ route }) => `${route.name} ${CASES[error].status}`) };
};

const all = (at: Harness, found: readonly Described[], sent: (one: Described) => Sent) =>
  Promise.all(found.map((one) => send(at, one, sent(one))));

/** Turns off the dry run of a change that may be tried, so that its other parameters are right. */
const dry = (one: Described) => (one.route.query && "dryRun" in one.route.query.shape ? "?dryRun=false" : "");

/** Makes a body that an operation finds too large. */
const large = (one: Described) => "x".repeat(one.operation.id === "importOffers" ? 4_200_000 : 70_000);

/** Breaks a rule of an operation: by a parameter, or else by a body that is no JSON. */
const broken = ({ route, operation }: Described): Sent =>
  route.isStrict || route.query !== null
    ? {
        path: `${targetOf({ route, operation, errors: [], isTagged: false }).address(scene)}?take=none&include=none&dryRun=none&none=1`,
      }
    : route.body === null
      ? {}
      : { body: "{" };

/** Returns the address of an operation at a publisher that the caller does not reach. */
const foreignPath = (one: Described) =>
  targetOf(one)
    .address({ ...scene, world: { ...scene.world, publisher: { ...scene.world.publisher, id: foreign } } })
    .concat("?", targetOf(one).query(scene, 1));

const sentWithTag = (one: Described) => ({
  path: `${targetOf(one).address(scene)}${dry(one)}`,
  headers: { "if-match": '"none"' },
});

it.each(["unauthorized", "invalidToken"] as const)("refuses whoever shows no credential: %s", async (error) => {
  const { found, wanted } = refusing(error);
  expect(await all(h, found, () => ({ token: null }))).toEqual(wanted);
});

it("refuses changes by a token that only reads", async () => {
  const { found, wanted } = refusing(
    "readOnly",
    ({ route }) => route.method !== "GET" && route.access !== null && ["publisher", "owner"].includes(route.access),
  );
  expect(found.length).toBeGreaterThan(10);
  expect(await all(h, found, () => ({ token: readOnly }))).toEqual(wanted);
});

it("refuses what is out of reach", async () => {
  const { found, wanted } = refusing("readOnly", ({ route }) => route.reachesPublisher && route.access !== "admin");
  expect(await all(h, found, (one) => ({ path: foreignPath(one) }))).toEqual(wanted);
});

it("refuses ids that nothing can have", async () => {
  const { found, wanted } = refusing("missing", ({ route }) => route.ids.length > 0);
  expect(await all(h, found, (one) => ({ path: targetOf(one).address(scene, "none") }))).toEqual(wanted);
});

it("refuses to change a version that is no more", async () => {
  const { found, wanted } = refusing("stale");
  expect(await all(h, found, sentWithTag)).toEqual(wanted);
  const malformed = (one: Described) => ({ ...sentWithTag(one), headers: { "if-match": "none" } });
  expect(await all(h, found, malformed)).toEqual(wanted.map((name) => name.replace("412", "400")));
});

it("refuses values that a switch does not have", async () => {
  const { found, wanted } = refusing("disallowed", ({ route }) => route.bodyOptions.enumerated !== undefined);
  expect(await all(h, found, () => ({ body: { status: "none", adsEnabled: "none" } }))).toEqual(wanted);
});

it.each(["unsupportedType", "otherType"] as const)("refuses bodies of another type: %s", async (error) => {
  const { found, wanted } = refusing(error);
  expect(await all(h, found, () => ({ type: "text/plain" }))).toEqual(wanted);
});

it("refuses bodies that are too large", async () => {
  const { found, wanted } = refusing("tooLarge");
  const got: string[] = [];
  for (const one of found) got.push(await send(h, one, { body: large(one) }));
  expect(got).toEqual(wanted);
});

it("refuses what breaks a rule", async () => {
  const { found, wanted } = refusing("invalid");
  const unbroken = found.filter(({ route }) => !route.isStrict && route.query === null && route.body === null);
  const tags = new Set(unbroken.map(({ route }) => route.name));
  const asked = found.filter(({ route }) => !tags.has(route.name));
  expect(await all(h, asked, broken)).toEqual(wanted.filter((name) => !tags.has(name.replace(/ 400$/, ""))));
});

it("refuses what is asked for too often", async () => {
  const limited = await startHarness({ vars: { WRITES_PER_MINUTE: "1" }, postgresUrl: h.postgresUrl });
  try {
    const { found, wanted } = refusing("tooMany", ({ route }) => !route.name.startsWith("PATCH /api/site"));
    const tokens = new Set(found.map((one) => targetOf(one).bearer(scene)));
    for (const token of tokens) {
      const one = found.find((other) => targetOf(other).bearer(scene) === token);
      if (one) await send(limited, one, { path: targetOf(one).address(scene, "none"), body: "{" });
    }
    expect(await all(limited, found, () => ({ body: "{" }))).toEqual(wanted);
  } finally {
    await limited.close();
  }
});

it("answers 503 while the database is away, and 500 with a wrong setting", async () => {
  const { found: managed, wanted } = refusing("unavailable", ({ route }) => route.access !== null);
  h.database.down = true;
  try {
    expect(await all(h, managed, () => ({}))).toEqual(wanted);
  } finally {
    h.database.down = false;
  }
  const wrong = await startHarness({ vars: { DOCUMENT_FRESH_MS: "abc" }, postgresUrl: h.postgresUrl });
  try {
    const { found, wanted: failures } = refusing("failure");
    expect(await all(wrong, found, () => ({}))).toEqual(failures);
  } finally {
    await wrong.close();
  }
});

it("answers 503 to everybody while its secrets are those that everybody knows", async () => {
  const { ADMIN_TOKEN = "" } = readVars(resolve(import.meta.dirname, "../../.dev.vars.example"));
  const unsafe = await startHarness({ secrets: { ADMIN_TOKEN }, postgresUrl: h.postgresUrl });
  try {
    const { found, wanted } = refusing("unavailable", ({ route }) => route.access === null);
    const far = (one: Described) => ({ path: `https://offers.example${targetOf(one).address(scene)}` });
    expect(await all(unsafe, found, far)).toEqual(wanted);
  } finally {
    await unsafe.close();
  }
});

it("refuses a tracking URL that is none, by each method", async () => {
  const { found, wanted } = refusing("invalidTrackingToken");
  expect(await all(h, found, (one) => ({ path: `${targetOf(one).address(scene)}?t=none` }))).toEqual(wanted);
});
