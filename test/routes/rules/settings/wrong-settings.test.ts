import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import { wrapped } from "../../../support/api.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

const PROBLEM = "DOCUMENT_FRESH_MS must be a whole number of milliseconds, such as 5000";

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ vars: { DOCUMENT_FRESH_MS: "hunter2" } });
});
afterAll(() => h.close());

const failures = () => h.logs().filter((line) => line.includes(PROBLEM)).length;

describe("a Worker with a setting that is wrong", () => {
  const offers = `/api/odata?placementId=${demo.placements.live}&sessionId=s&at.orderid=1&publicKey=${demo.publicKey}`;

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
  ])("answers 500 to %s %s, and only the log says why", async (method, path) => {
    const id = `trace-${method}-${path.replaceAll(/\W/g, "").slice(0, 20)}`;
    const headers = { "x-request-id": id, authorization: `Bearer ${SECRETS.ADMIN_TOKEN}` };
    const response = await h.fetch(path, { method, headers });
    expect([response.status, await response.json()]).toEqual([500, wrapped("INTERNAL_SERVER_ERROR")]);
    expect(response.headers.get("x-request-id")).toBe(id);
    const line = await h.until(
      async () => h.logs().find((logged) => logged.includes(id)) ?? "",
      (found) => found !== "",
    );
    expect(line).toContain(PROBLEM);
  });

  it("names it in GET /health, and nothing more", async () => {
    const response = await h.fetch("/health");
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: "failed", settings: ["DOCUMENT_FRESH_MS"] },
    ]);
    expect((await h.fetch("/health?deep=1")).status).toBe(503);
  });

  it("consumes no message and does no duty of the cron", async () => {
    for (const run of [() => h.deliver([{ id: "1", body: {} }]), () => h.cron()]) {
      const before = failures();
      expect(await run()).toMatchObject({ outcome: "exception" });
      await h.until(
        async () => failures(),
        (count) => count > before,
      );
    }
  });

  it("never shows its value", () => {
    expect(h.logs().join("\n")).not.toContain("hunter2");
  });
});
