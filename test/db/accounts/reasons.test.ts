import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { api } from "../../support/api.ts";
import { makeInventory } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

it("reasons of switches from before the audit kept them stand with their changes", async () => {
  const { publisher, site } = await makeInventory(h.db);
  const change = async (path: string, body: object) =>
    expect((await api(h, "PATCH", path, { token: publisher.privateKey, body })).status).toBe(200);
  await change(`/api/site/${site.id}/status`, { status: "inactive", reason: "First" });
  await change(`/api/site/${site.id}/ads`, { adsEnabled: false });
  await change(`/api/site/${site.id}/status`, { status: "active", reason: "Second" });
  await change(`/api/site/${site.id}/status`, { status: "active", reason: "Changed nothing" });
  await change(`/api/v1/publishers/${publisher.id}/ads`, { adsEnabled: false, reason: "Third" });
  const reasons = () =>
    h.rows("select after, reason from audit_log where publisher_id = $1 order by created_at", [publisher.id]);
  const kept = await reasons();
  expect(kept.map(({ reason }) => reason)).toEqual(["First", null, "Second", "Third"]);
  await h.rows("update audit_log set reason = null");
  const migration = readFileSync("db/migrations/0034_lessons_and_reasons.sql", "utf8");
  await h.rows(migration.slice(migration.indexOf("UPDATE audit_log a SET reason")));
  expect(await reasons()).toEqual(kept);
});
