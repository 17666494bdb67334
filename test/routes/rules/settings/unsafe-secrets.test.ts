import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { readVars } from "../../../../db/local/environment.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";
import { hitsOf, makeHit, message } from "../../../support/tracking/hits.ts";

const EXAMPLE = readVars(resolve(import.meta.dirname, "../../../../.dev.vars.example"));
const { ADMIN_TOKEN = "", TRACKING_KEYS = "" } = EXAMPLE;
const SAFE_LENGTH = 32;
const SHORT = "hunter2";

const MESSAGE =
  "This service is not set up safely: ADMIN_TOKEN has the value of the example; TRACKING_KEYS has the value of the example; " +
  `SESSION_KEY has a secret of less than ${SAFE_LENGTH} characters. Set new values`;
const REFUSED = { success: false, error: { code: "SERVICE_UNAVAILABLE", message: MESSAGE } };
const UNSAFE = ["ADMIN_TOKEN", "TRACKING_KEYS", "SESSION_KEY"];

let h: Harness;
let safe: Harness;
beforeAll(async () => {
  h = await startHarness({ secrets: { ADMIN_TOKEN, TRACKING_KEYS, SESSION_KEY: SHORT } });
  safe = await startHarness();
});
afterAll(async () => {
  await h.close();
  await safe.close();
});

const offers = `/api/odata?placementId=${demo.placements.live}&sessionId=s&at.orderid=1&publicKey=${demo.publicKey}`;
const FAR = ["https://offers.example", "http://192.168.0.7:8787", "http://127.evil.example", "http://[::2]"];
const NEAR = [
  "http://localhost:8787",
  "http://127.0.0.1",
  "http://127.9.9.9:8787",
  "http://[::1]:8787",
  "http://LOCALHOST",
];

describe("a Worker with secrets of the example, or short ones", () => {
  it.each([
    ["GET", offers],
    ["OPTIONS", offers],
    ["GET", "/api/odata/nothing"],
    ["GET", "/click?t=x"],
    ["POST", "/vdata?t=x"],
    ["POST", "/api/v1/publishers"],
    ["GET", "/api/site"],
    ["GET", "/conversion"],
    ["GET", "/embed.js"],
    ["GET", "/nowhere"],
  ])("answers 503 to %s %s where others reach it, and names the settings", async (method, path) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const response = await h.fetch(`https://offers.example${path}`, { method, headers });
    expect([response.status, await response.json()]).toEqual([503, REFUSED]);
    expect(response.headers.get("x-request-id")).toBeTruthy();
  });

  it.each(FAR)("says so in the health of %s", async (origin) => {
    const response = await h.fetch(`${origin}/health?deep=1`);
    expect([response.status, await response.json()]).toEqual([503, { status: "failed", settings: UNSAFE }]);
    expect((await h.fetch(origin + offers)).status).toBe(503);
  });

  it.each(NEAR)("serves %s, which nobody else reaches", async (origin) => {
    expect((await h.fetch(`${origin}/health`)).status).toBe(200);
    expect((await h.fetch(origin + offers)).status).toBe(200);
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    expect((await h.fetch(`${origin}/api/v1/platforms`, { headers })).status).toBe(200);
  });

  it("goes on to count hits and to do the cron's duties", async () => {
    const hit = makeHit();
    expect(await h.deliver([message(hit)])).toMatchObject({ outcome: "ok", ackAll: true });
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
    expect(await h.cron()).toMatchObject({ outcome: "ok" });
    expect(await h.count("leases where name = 'learning'")).toBe(1);
  });

  it("shows none of their values", async () => {
    const answers = await Promise.all(["/health", offers].map((path) => h.fetch(`https://offers.example${path}`)));
    const told = (await Promise.all(answers.map((answer) => answer.text()))).join("\n") + h.logs().join("\n");
    for (const value of [ADMIN_TOKEN, TRACKING_KEYS.slice(2), SHORT]) expect(told).not.toContain(value);
  });
});

it.each([...FAR, ...NEAR])("a Worker with secrets of its own serves %s", async (origin) => {
  expect((await safe.fetch(`${origin}/health`)).status).toBe(200);
  expect((await safe.fetch(origin + offers)).status).toBe(200);
  const headers = { authorization: `Bearer ${SECRETS.ADMIN_TOKEN}` };
  expect((await safe.fetch(`${origin}/api/v1/platforms`, { headers })).status).toBe(200);
});
