import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { demo } from "../../db/demo/network.ts";
import { newId } from "../../db/core/ids.ts";
import type { RequestCount } from "../../db/tracking/events.ts";
import { countRequest } from "../../functions/events/request-counts.ts";
import { makeInventory, makePlacement } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { countNaively } from "../support/naive/answers.ts";

describe("ad requests", () => {
  let h: Harness;
  let inventory: Awaited<ReturnType<typeof makeInventory>>;
  const today = new Date().toISOString().slice(0, 10);

  beforeAll(async () => {
    h = await startHarness();
    inventory = await makeInventory(h.db);
  });
  afterAll(() => h.close());

  const ask = async (placementId: string, more: string, init = {}) => {
    const path = `/api/odata?placementId=${placementId}&sessionId=s&at.orderid=o&${more}`;
    const response = await h.fetch(path, {
      headers: { Authorization: `Bearer ${inventory.publisher.publicKey}` },
      ...init,
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  };
  const counted = (placementId: string) =>
    h.rows<{ requests: number }>(
      `select day::text, offer_id, advertiser_id, country, requests::int, fills::int from daily_counters
      where placement_id = $1 order by country`,
      [placementId],
    );

  it("are counted by day, placement and country, with those that got offers, to the last of a burst", async () => {
    const { site, placement } = inventory;
    const inactive = await makePlacement(h.db, site.id, { status: "inactive" });
    const test = await makePlacement(h.db, site.id, { isLiveMode: false });
    await Promise.all([
      ...Array.from({ length: 30 }, () => ask(placement.id, "at.country=US&at.language=en")),
      ...Array.from({ length: 12 }, () => ask(placement.id, "at.country=DE")),
      ...Array.from({ length: 7 }, () => ask(inactive.id, "at.country=US")),
      ...Array.from({ length: 5 }, () => ask(test.id, "at.country=US")),
      ...Array.from({ length: 3 }, () => ask(placement.id, "at.country=US", { method: "HEAD" })),
    ]);
    const row = { day: today, offer_id: "", advertiser_id: "" };
    await h.until(
      async () => [...(await counted(placement.id)), ...(await counted(inactive.id))],
      (rows) => rows.reduce((sum, { requests }) => sum + requests, 0) >= 49,
    );
    expect(await counted(placement.id)).toEqual([
      { ...row, country: "DE", requests: 12, fills: 12 },
      { ...row, country: "US", requests: 30, fills: 30 },
    ]);
    expect(await counted(inactive.id)).toEqual([{ ...row, country: "US", requests: 7, fills: 0 }]);
    expect(await counted(test.id)).toEqual([]);
    expect(await counted(demo.placements.live)).toEqual([]);
  });

  it("of one flush are counted once, however often it is delivered", async () => {
    const placementId = newId("placement");
    const flush = { id: newId("event"), rows: [{ day: today, placementId, country: "US", requests: 9, fills: 8 }] };
    const delivery = () => ({ id: newId("event"), body: { type: "requests", flush } });
    await h.deliver([delivery(), delivery()]);
    await Promise.all(Array.from({ length: 5 }, () => h.deliver([delivery()])));
    expect(await counted(placementId)).toMatchObject([{ requests: 9, fills: 8 }]);
  });
});

/** Adds up counts by day, placement and country: one flush may name them more than once. */
const sumsOf = (rows: readonly RequestCount[]): Map<string, [requests: number, fills: number]> => {
  const sums = new Map<string, [number, number]>();
  for (const { day, placementId, country, requests, fills } of rows) {
    const name = JSON.stringify([day, placementId, country]);
    const [knownRequests, knownFills] = sums.get(name) ?? [0, 0];
    sums.set(name, [knownRequests + requests, knownFills + fills]);
  }
  return sums;
};

describe("countRequest", () => {
  const sent: { flush: { id: string; rows: RequestCount[] } }[] = [];
  const pending: Promise<unknown>[] = [];
  const context = { waitUntil: (promise: Promise<unknown>) => pending.push(promise) };
  const send = vi.fn<(message: (typeof sent)[number]) => Promise<void>>();
  const env = { EVENTS: { send } } as unknown as Env;

  beforeEach(() => {
    vi.stubGlobal("scheduler", { wait: () => Promise.resolve() });
    sent.length = 0;
    pending.length = 0;
    send.mockReset().mockImplementation(async (message) => {
      sent.push(message);
    });
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("sends what a second gathered in messages that the queue accepts", async () => {
    for (let i = 0; i < 3_000; i++) countRequest(env, context, newId("placement"), "US", true);
    await Promise.all(pending);
    expect(pending).toHaveLength(1);
    expect(sent.flatMap((message) => message.flush.rows)).toHaveLength(3_000);
    expect(new Set(sent.map((message) => message.flush.id)).size).toBe(sent.length);
    for (const message of sent) expect(JSON.stringify(message).length).toBeLessThan(128_000);
  });

  it("counts each placement, country and day apart", async () => {
    const [one, other] = [newId("placement"), newId("placement")];
    const midnight = Date.UTC(2026, 10, 22);
    const clock = vi.spyOn(Date, "now");
    const requests: [now: number, placementId: string, country: string, filled: boolean][] = [
      [midnight - 1, one, "US", true],
      [midnight - 1, one, "DE", true],
      [midnight - 1, other, "US", false],
      [midnight - 1, one, "US", false],
      [midnight, one, "US", true],
    ];
    for (const [now, placementId, country, filled] of requests) {
      clock.mockReturnValue(now);
      countRequest(env, context, placementId, country, filled);
    }
    await Promise.all(pending);
    expect(sent.flatMap((message) => message.flush.rows)).toEqual([
      { day: "2026-11-21", placementId: one, country: "US", requests: 2, fills: 1 },
      { day: "2026-11-21", placementId: one, country: "DE", requests: 1, fills: 1 },
      { day: "2026-11-21", placementId: other, country: "US", requests: 1, fills: 0 },
      { day: "2026-11-22", placementId: one, country: "US", requests: 1, fills: 1 },
    ]);
  });

  it("counts as a plain way does, whatever comes", async () => {
    const midnight = Date.UTC(2026, 10, 22);
    const requests = fc.array(
      fc.record({
        now: fc.integer({ min: midnight - 2, max: midnight + 2 }),
        placementId: fc.constantFrom("plc_1", "plc_2", "plc_1 US"),
        country: fc.constantFrom("US", "DE"),
        filled: fc.boolean(),
      }),
      { minLength: 1 },
    );
    const clock = vi.spyOn(Date, "now");
    await fc.assert(
      fc.asyncProperty(requests, async (asked) => {
        const plain = countNaively();
        for (const { now, placementId, country, filled } of asked) {
          clock.mockReturnValue(now);
          countRequest(env, context, placementId, country, filled);
          plain.count(now, placementId, country, filled);
        }
        await Promise.all(pending);
        expect(sumsOf(sent.splice(0).flatMap(({ flush }) => flush.rows))).toEqual(sumsOf(plain.rows()));
      }),
    );
  });

  it("goes on counting after the queue has refused a message", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    send.mockRejectedValueOnce(new Error("full"));
    countRequest(env, context, newId("placement"), "US", true);
    await Promise.all(pending);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("are lost"));
    countRequest(env, context, newId("placement"), "US", false);
    await Promise.all(pending);
    expect(sent).toMatchObject([{ flush: { rows: [{ requests: 1, fills: 0 }] } }]);
  });
});
