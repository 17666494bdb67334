import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { countRequest } from "../../functions/events/request-counts.ts";
import type { RequestFlush } from "../../db/tracking/requests.ts";
import type { DecisionRequest } from "../../functions/decision/eligibility.ts";
import type { Arm } from "../../functions/decision/arms.ts";
import type { NoFillReason } from "../../functions/decision/decide.ts";

const REASONS = ["no_eligible_offer", "site_not_active"] as const;

const ASKED: DecisionRequest = { count: 4, session: "a session", arm: "0", now: Date.UTC(2026, 10, 21) };

describe("countRequest", () => {
  const sent: { flush: RequestFlush }[] = [];
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
    const rare = Array.from({ length: 3_000 }, () => newId("placement"));
    for (const placementId of rare) countRequest(env, context, ASKED, placementId, "US", 63, null);
    const busy = Array.from({ length: 500 }, () => newId("placement"));
    for (const placementId of busy) {
      for (let part = 0; part < 64; part++) countRequest(env, context, ASKED, placementId, "DE", part, null);
    }
    await Promise.all(pending);
    expect(pending).toHaveLength(1);
    expect(sent.flatMap((message) => message.flush.rows)).toHaveLength(3_500);
    expect(new Set(sent.map((message) => message.flush.id)).size).toBe(sent.length);
    for (const message of sent) expect(JSON.stringify(message).length).toBeLessThan(128_000);
  });

  it("counts each placement, country, arm and hour apart, and empty answers by their reason", async () => {
    const [one, other] = [newId("placement"), newId("placement")];
    const hour = Date.UTC(2026, 10, 22, 7);
    const before = hour - 3_600_000;
    const requests: [
      now: number,
      placementId: string,
      country: string,
      arm: Arm,
      part: number,
      reason: NoFillReason | null,
    ][] = [
      [hour - 1, one, "US", "0", 7, null],
      [hour - 1, one, "DE", "0", 7, null],
      [hour - 1, one, "US", "2", 63, null],
      [hour - 1, other, "US", "0", 1, "no_eligible_offer"],
      [hour - 1, one, "US", "0", 9, "no_eligible_offer"],
      [hour - 1, other, "US", "0", 1, "site_not_active"],
      [hour - 1, other, "US", "0", 2, "no_eligible_offer"],
      [hour, one, "US", "0", 0, null],
    ];
    for (const [now, placementId, country, arm, part, reason] of requests) {
      countRequest(env, context, { ...ASKED, now, arm }, placementId, country, part, reason);
    }
    await Promise.all(pending);
    const row = { hour: before, country: "US", arm: "0", reasons: {} };
    expect(sent.flatMap((message) => message.flush.rows)).toEqual([
      { ...row, placementId: one, requests: 2, fills: 1, parts: { 7: 1, 9: 1 }, reasons: { no_eligible_offer: 1 } },
      { ...row, placementId: one, country: "DE", requests: 1, fills: 1, parts: { 7: 1 } },
      { ...row, placementId: one, arm: "2", requests: 1, fills: 1, parts: { 63: 1 } },
      { ...row, placementId: one, hour, requests: 1, fills: 1, parts: { 0: 1 } },
      {
        ...row,
        placementId: other,
        requests: 3,
        fills: 0,
        parts: { 1: 2, 2: 1 },
        reasons: { no_eligible_offer: 2, site_not_active: 1 },
      },
    ]);
  });

  it("counts every request once, whatever comes", async () => {
    const full = Date.UTC(2026, 10, 22, 7);
    const requests = fc.array(
      fc.record({
        now: fc.integer({ min: full - 2, max: full + 2 }),
        placementId: fc.constantFrom("plc_1", "plc_2", "plc_1 US"),
        country: fc.constantFrom("US", "DE"),
        arm: fc.constantFrom("0" as const, "2" as const),
        part: fc.constantFrom(0, 1, 63),
        reason: fc.constantFrom(null, null, ...REASONS),
      }),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(requests, async (asked) => {
        for (const { now, placementId, country, arm, part, reason } of asked) {
          countRequest(env, context, { ...ASKED, now, arm }, placementId, country, part, reason);
        }
        await Promise.all(pending);
        const rows = sent.splice(0).flatMap(({ flush }) => flush.rows);
        expect(rows.reduce((sum, row) => sum + row.requests, 0)).toBe(asked.length);
        for (const { hour, placementId, country, arm, ...counted } of rows) {
          const same = asked.filter(
            (one) =>
              one.now - (one.now % 3_600_000) === hour &&
              one.placementId === placementId &&
              one.country === country &&
              one.arm === arm,
          );
          const count = (reason: NoFillReason | null) => same.filter((one) => one.reason === reason).length;
          const reasons = REASONS.map((reason) => [reason, count(reason)] as const).filter(([, found]) => found > 0);
          const numbers = [0, 1, 63].map((part) => [part, same.filter((one) => one.part === part).length] as const);
          const parts = Object.fromEntries(numbers.filter(([, found]) => found > 0));
          expect(counted).toEqual({
            parts,
            requests: same.length,
            fills: count(null),
            reasons: Object.fromEntries(reasons),
          });
        }
      }),
    );
  });

  it("notes the facts of one request in a thousand, and nothing personal", async () => {
    const placementId = newId("placement");
    const now = Date.UTC(2026, 10, 22, 7, 30);
    const more = { language: "en", currency: "EUR", amount: 1_234.56, paymentType: "paypal" } as const;
    const asked = 100_000;
    for (let i = 0; i < asked; i++) countRequest(env, context, { ...ASKED, ...more, now }, placementId, "US", 0, null);
    await Promise.all(pending);
    const facts = sent.flatMap((message) => message.flush.facts);
    // Six standard deviations to either side of a hundred.
    expect(facts.length).toBeGreaterThan(40);
    expect(facts.length).toBeLessThan(160);
    const hour = Date.UTC(2026, 10, 22, 7);
    for (const fact of facts) {
      expect(fact).toEqual({ ...more, hour, placementId, country: "US", amount: 1_200, count: 4 });
    }
  });

  it("goes on counting after the queue has refused a message", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    send.mockRejectedValueOnce(new Error("full"));
    countRequest(env, context, ASKED, newId("placement"), "US", 0, null);
    await Promise.all(pending);
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("are lost"));
    countRequest(env, context, ASKED, newId("placement"), "US", 0, "no_eligible_offer");
    await Promise.all(pending);
    expect(sent).toMatchObject([{ flush: { rows: [{ requests: 1, fills: 0, reasons: { no_eligible_offer: 1 } }] } }]);
  });
});
