import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../db/demo/network.ts";
import { ROUTINE_NAMES } from "../../../db/documents/routine-names.ts";
import { LAST_MIGRATION } from "../../../db/publishing/last-migration.ts";
import { ICON_NAMES } from "../../../functions/core/icon-names.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let broken: Harness;

beforeAll(async () => {
  h = await startHarness();
  broken = await startHarness({ databaseUrl: "postgres://someone:hunter2@127.0.0.1:9/secretdb" });
});
afterAll(async () => {
  await h.close();
  await broken.close();
});

describe("GET /health", () => {
  it("says that the Worker is up, without asking anything else", async () => {
    const before = h.endpoint.requests;
    for (const harness of [h, broken]) {
      const response = await harness.fetch("/health");
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toEqual({ status: "ok" });
    }
    expect(h.endpoint.requests).toBe(before);
  });

  it("asks Postgres and KV when it is to look deeper", async () => {
    const response = await h.fetch("/health?deep=1");
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const nothing = { outboxAgeSeconds: expect.any(Number) as number, deadLetters: 0, cronLastRunAt: null };
    expect(await response.json()).toEqual({ status: "ok", checks: { postgres: "ok", kv: "ok" }, ...nothing });
  });

  it("says which of them failed, and nothing of why", async () => {
    const response = await broken.fetch("/health?deep=1");
    expect(response.status).toBe(503);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      status: "failed",
      checks: { postgres: "failed", kv: "ok" },
      outboxAgeSeconds: null,
      deadLetters: 0,
      cronLastRunAt: null,
    });
    expect(broken.logs().join("\n")).not.toContain("hunter2");
  });

  it.each([
    [ROUTINE_NAMES.placement, `alter function ${ROUTINE_NAMES.placement} rename to document_placement_before`],
    [
      `migration ${LAST_MIGRATION.tag}`,
      `delete from drizzle.__drizzle_migrations where created_at = ${LAST_MIGRATION.when}`,
    ],
  ])("fails where the database lacks %s of this version, and the log says what to do", async (name, away) => {
    const other = await startHarness();
    await other.rows(away);
    const response = await other.fetch("/health?deep=1");
    const answer = [response.status, await response.json()];
    const logged = other.logs().join("\n");
    await other.close();
    expect(answer).toMatchObject([503, { status: "failed", checks: { postgres: "failed", kv: "ok" } }]);
    expect(logged).toContain(`the database lacks ${name}; run npm run db:migrate of this version on it`);
  });

  it("says so of KV too", async () => {
    const without = await startHarness({ unavailable: ["DOCUMENTS"] });
    const response = await without.fetch("/health?deep=1");
    const answer = [response.status, await response.json()];
    await without.close();
    const unknown = { outboxAgeSeconds: expect.any(Number) as number, deadLetters: null, cronLastRunAt: null };
    expect(answer).toEqual([503, { status: "failed", checks: { postgres: "ok", kv: "failed" }, ...unknown }]);
  });

  it("tells how long changes wait, how many letters are dead, and when the cron last ran", async () => {
    const other = await startHarness();
    await other.rows("delete from publish_outbox");
    await other.rows(
      "insert into publish_outbox (document_key, created_at) values ('site:x', now() - interval '1 hour')",
    );
    await other.deliver(
      [1, 2, 3].map((id) => ({ id: String(id), body: { id } })),
      "lanyap-events-dead",
    );
    await other.rows("insert into leases (name, holder, held_until) values ('a', 'b', '2026-01-02T03:04:05.678Z')");
    await other.rows("insert into leases (name, holder, held_until) values ('c', 'd', now() + interval '1 minute')");
    const body = (await (await other.fetch("/health?deep=1")).json()) as { outboxAgeSeconds: number };
    expect(body).toMatchObject({ status: "ok", deadLetters: 3, cronLastRunAt: "2026-01-02T03:04:05.678Z" });
    expect(Math.floor(body.outboxAgeSeconds / 600)).toBe(6);
    const begun = new Date().toISOString();
    await other.cron();
    const ask = async () => (await (await other.fetch("/health?deep=1")).json()) as { cronLastRunAt: string };
    const later = await other.until(ask, ({ cronLastRunAt }) => cronLastRunAt !== "2026-01-02T03:04:05.678Z");
    expect(later.cronLastRunAt >= begun.slice(0, 19)).toBe(true);
    await other.close();
  });

  it("asks once in five seconds, for all who ask at a time", async () => {
    const other = await startHarness();
    const begun = Date.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    other.database.hold = promise;
    const asked = Array.from({ length: 30 }, () => other.fetch("/health?deep=1"));
    await other.until(
      async () => other.database.held,
      (held) => held > 0,
    );
    resolve();
    other.database.hold = null;
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    expect(statuses.size).toBe(1);
    for (let i = 0; i < 10; i += 1) await other.fetch("/health?deep=1");
    const looked = other.database.trips.filter(([query]) => query?.includes("publish_outbox order by id"));
    expect(looked.length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - begun) / 5_000));
    await other.close();
  });

  it("answers the others when the one that asked has gone", async () => {
    const other = await startHarness();
    const { promise, resolve } = Promise.withResolvers<void>();
    other.database.hold = promise;
    const leader = new AbortController();
    const first = fetch(`${other.url}/health?deep=1`, { signal: leader.signal }).catch(() => "given up");
    await other.until(
      async () => other.database.held,
      (held) => held > 0,
    );
    const second = other.fetch("/health?deep=1");
    leader.abort();
    expect(await first).toBe("given up");
    resolve();
    other.database.hold = null;
    expect(await (await second).json()).toMatchObject({ checks: { kv: "ok" } });
    await other.close();
  });

  it("takes nothing but a 1 for deep", async () => {
    for (const deep of ["", "0", "true", "11"]) expect((await broken.fetch(`/health?deep=${deep}`)).status).toBe(200);
  });

  it("answers HEAD", async () => {
    const response = await h.fetch("/health", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});

describe("what a storefront shows", () => {
  it.each([...ICON_NAMES])("/icons/%s.svg may be shown by any page and kept for a day", async (name) => {
    const response = await h.fetch(`/icons/${name}.svg`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "x-content-type-options": "nosniff",
    });
    expect(await response.text()).toMatch(/^<svg .*<\/svg>$/s);
  });

  it.each(["/icons/nothing.svg", "/icons/constructor.svg", "/icons/-.svg"])("%s is unknown", async (path) => {
    const response = await h.fetch(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      success: false,
      error: { code: "NOT_FOUND", message: "There is nothing at this path" },
    });
  });

  it("/privacy is a page that loads nothing and cannot be framed", async () => {
    const response = await h.fetch("/privacy");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/html; charset=utf-8$/i);
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    );
    const page = await response.text();
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).not.toMatch(/<script|<img|<link|https?:/);
  });
});

describe("every response", () => {
  const paths: [string, string, number][] = [
    ["GET", "/health", 200],
    ["GET", "/icons/brand.svg", 200],
    ["GET", "/icons/nothing.svg", 404],
    ["GET", "/privacy", 200],
    ["GET", "/nowhere", 404],
    ["POST", "/health", 405],
    ["OPTIONS", "/health", 204],
    ["OPTIONS", "/nowhere", 404],
    ["GET", `/api/odata?publicKey=${demo.publicKey}`, 400],
    ["GET", "/api/odata", 401],
    ["OPTIONS", "/api/odata", 204],
    ["HEAD", "/api/odata", 401],
    ["GET", "/vdata", 400],
    ["GET", "/click?t=nonsense", 400],
  ];

  it.each(paths)("to %s %s has an id, the caller's where it sent one", async (method, path, status) => {
    const own = await h.fetch(path, { method });
    expect(own.status).toBe(status);
    expect(own.headers.get("x-request-id")).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
    const again = await h.fetch(path, { method });
    expect(again.headers.get("x-request-id")).not.toBe(own.headers.get("x-request-id"));
    const traced = await h.fetch(path, { method, headers: { "x-request-id": "trace_1-A=" } });
    expect(traced.headers.get("x-request-id")).toBe("trace_1-A=");
  });

  it.each(["two words", "<b>", "a".repeat(256), "a;b"])("has another id than %j", async (id) => {
    const response = await h.fetch("/health", { headers: { "x-request-id": id } });
    expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  });
});
