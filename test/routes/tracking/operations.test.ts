import { afterAll, beforeAll, expect, it } from "vitest";
import project from "../../../package.json" with { type: "json" };
import { api, dataOf, timestamp } from "../../support/api.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { DAY, idAt, makeHit, message, MINUTE } from "../../support/tracking/hits.ts";

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ vars: { KEEP_REJECTS_DAYS: "12" } });
});
afterAll(() => h.close());

type Operating = {
  version: { service: string; deployment: { id: string; tag: string | null; createdAt: string | null } | null };
  hits: { lastFiveMinutes: number; lastAt: string | null };
  duties: { name: string; isRunning: boolean; endedAt: string | null }[];
  retention: { kind: string; days: number; oldestAt: string | null }[];
};

const token = SECRETS.ADMIN_TOKEN;
const ask = async () => dataOf<Operating>(await api(h, "GET", "/api/v1/operations", { token }));
const oldestOf = ({ retention }: Operating) =>
  Object.fromEntries(retention.map(({ kind, oldestAt }) => [kind, oldestAt]));

it("tells which hits are stored, of decisions of any day, and how old the oldest row of each kind is", async () => {
  await h.rows("truncate events, tracking_rejects, request_flushes, audit_log");
  expect((await ask()).hits).toEqual({ lastFiveMinutes: 0, lastAt: null });
  const now = Date.now();
  const hitAt = (kind: "impression" | "close" | "click", ago: number, decidedAgo: number) =>
    message(
      makeHit({
        kind,
        id: idAt("event", now - ago),
        occurredAt: now - ago,
        decisionId: idAt("decision", now - decidedAgo),
      }),
    );
  await h.deliver([
    hitAt("impression", 3 * DAY, 3 * DAY),
    hitAt("close", 20 * MINUTE, 30 * MINUTE),
    hitAt("impression", 2 * MINUTE, 2 * MINUTE),
    hitAt("click", MINUTE, 25 * DAY),
    { id: "nonsense", body: "nonsense" },
  ]);
  const found = await ask();
  expect(found.hits).toEqual({ lastFiveMinutes: 2, lastAt: new Date(now - MINUTE).toISOString() });
  expect(oldestOf(found)).toEqual({
    impressions: new Date(now - 3 * DAY).toISOString(),
    clicks: new Date(now - MINUTE).toISOString(),
    conversions: null,
    rejects: timestamp,
    flushes: null,
    audit: null,
  });
});

it("tells for how long rows are kept, as the settings say, and which version answers", async () => {
  const { retention, version } = await ask();
  expect(retention.map(({ kind, days }) => [kind, days])).toEqual([
    ["impressions", 7],
    ["clicks", 60],
    ["conversions", 400],
    ["rejects", 12],
    ["flushes", 2],
    ["audit", 400],
  ]);
  expect(version.service).toBe(project.version);
  expect(version.deployment).toMatchObject({ id: expect.stringMatching(/./) as string });
});

it("tells when each duty of the cron last ended, and which one is under way", async () => {
  await h.rows("truncate leases");
  expect((await ask()).duties).toEqual([]);
  await h.cron();
  const { duties } = await ask();
  expect(duties.map(({ name }) => name)).toContain("publishing the outbox");
  expect(duties).toEqual(duties.map(({ name }) => ({ name, isRunning: false, endedAt: timestamp })));
  await h.rows("update leases set held_until = now() + interval '1 minute' where name = 'learning'");
  expect((await ask()).duties.find(({ name }) => name === "learning")).toEqual({
    name: "learning",
    isRunning: true,
    endedAt: null,
  });
});

it("lists documents that wait to be published, the longest waiting first, each once", async () => {
  await h.rows("truncate publish_outbox");
  const list = (query = "") => api(h, "GET", `/api/v1/outbox${query}`, { token });
  expect((await list()).json).toMatchObject({ data: [], pagination: { total: 0 } });
  await h.rows(
    `insert into publish_outbox (document_key, created_at) values
       ('placement:plc_a', '2026-01-01T10:00:00Z'), ('placement:plc_b', '2026-01-01T10:00:05Z'),
       ('placement:plc_a', '2026-01-01T10:00:09Z')`,
  );
  const [a, b] = [
    { key: "placement:plc_a", since: "2026-01-01T10:00:00.000Z", changes: 2 },
    { key: "placement:plc_b", since: "2026-01-01T10:00:05.000Z", changes: 1 },
  ];
  expect(dataOf(await list())).toEqual([a, b]);
  expect((await list("?skip=1&take=1")).json).toMatchObject({
    data: [b],
    pagination: { total: 2, skip: 1, take: 1, hasMore: false },
  });
});
