import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { curveKeySql } from "../../../db/demand/traffic.ts";
import type { offers } from "../../../db/schema/demand.ts";
import { curveOf, expectedBetween } from "../../../functions/decision/pacing/curve.ts";
import { api, dataOf, missing, said } from "../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlatform, makeUsage } from "../../support/factories.ts";
import { sharedHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 168;

type Point = { at: string; planned: number };
type Cap = {
  cap: string;
  limit: number;
  used: number;
  planned: number | null;
  from: string;
  until: string | null;
  points: Point[];
  days?: { day: string; used: number }[];
};
type Pacing = { pacing: string; basis: string | null; share: number | null; caps: Cap[] };

let h: Harness;
let platform: Awaited<ReturnType<typeof makePlatform>>;
let advertiserId: string;
beforeAll(async () => {
  h = await sharedHarness();
  platform = await makePlatform(h.db);
  advertiserId = (await makeAdvertiser(h.db, { platformId: platform.id })).id;
});

const ask = (id: string, token: string = platform.token) => api(h, "GET", `/api/v1/offers/${id}/pacing`, { token });
const pacingOf = async (id: string): Promise<Pacing> => dataOf<Pacing>(await ask(id));
const make = (columns: Partial<typeof offers.$inferInsert>) =>
  makeOffer(h.db, advertiserId, { createdAt: new Date(Date.now() - 30 * DAY), pacing: "EVEN", ...columns });
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const iso = (time: number): string => new Date(time).toISOString();
/** Expects a figure of the plan to be that of some time between two of this test. */
const expectBetween = (planned: number | null | undefined, low: number, high: number) => {
  expect(planned).toBeGreaterThanOrEqual(low - 0.01);
  expect(planned).toBeLessThanOrEqual(high + 0.01);
};

describe("GET /api/v1/offers/:id/pacing", () => {
  it("plans a daily cap by the clock while its traffic is not known", async () => {
    const offer = await make({ dailyCap: 240, countries: ["IS"] });
    const before = Date.now();
    await makeUsage(h.db, offer.id, dayOf(before), 7);
    const { caps, ...told } = await pacingOf(offer.id);
    const after = Date.now();
    expect(told).toEqual({ pacing: "EVEN", basis: "CLOCK", share: 1 / 16 });
    const [daily] = caps;
    const midnight = Date.parse(daily?.from ?? "");
    expect(dayOf(midnight)).toBeOneOf([dayOf(before), dayOf(after)]);
    expect(caps).toEqual([
      {
        cap: "DAILY",
        limit: 240,
        used: dayOf(midnight) === dayOf(before) ? 7 : 0,
        planned: expect.any(Number),
        from: iso(midnight),
        until: iso(midnight + DAY),
        points: Array.from({ length: 25 }, (_, i) => ({ at: iso(midnight + i * HOUR), planned: 10 * i })),
      },
    ]);
    expect(midnight % DAY).toBe(0);
    expectBetween(daily?.planned, (10 * (before - midnight)) / HOUR, (10 * (after - midnight)) / HOUR);
  });

  it("plans along the traffic that is known, as pacing does", async () => {
    const offer = await make({ dailyCap: 1_000, countries: ["IS", "FO"] });
    const [named] = (
      await h.db.execute<{ key: string }>(
        sql`select ${curveKeySql} as key from offers o join advertisers a on a.id = o.advertiser_id where o.id = ${offer.id}`,
      )
    ).rows;
    // From noon to six there is nine times as much traffic as else.
    const requests = Array.from({ length: WEEK }, (_, i) => (i % 24 >= 12 && i % 24 < 18 ? 3_600 : 400));
    const [since, until] = [Date.now() - 28 * DAY, Date.now()].map((time) => Math.floor(time / HOUR) * HOUR);
    await h.rows("insert into traffic_curves (key, requests, since, until) values ($1, $2, $3, $4)", [
      named?.key,
      `{${requests.join()}}`,
      iso(since ?? 0),
      iso(until ?? 0),
    ]);
    const { basis, caps } = await pacingOf(offer.id);
    await h.rows("delete from traffic_curves where key = $1", [named?.key]);
    expect(basis).toBe("TRAFFIC");
    const [daily] = caps;
    const midnight = Date.parse(daily?.from ?? "");
    const curve = curveOf({ requests, since: since ?? 0, until: until ?? 0 });
    const all = expectedBetween(curve, midnight, midnight + DAY);
    for (const { at, planned } of daily?.points ?? []) {
      expect(planned).toBeCloseTo((1_000 * expectedBetween(curve, midnight, Date.parse(at))) / all, 1);
    }
    const [noon, six] = [daily?.points[12]?.planned ?? 0, daily?.points[18]?.planned ?? 0];
    expect(six - noon).toBeCloseTo(750, -1);
    expect(daily?.points.at(-1)?.planned).toBe(1_000);
  });

  it("plans a lifetime cap from its start to its end, with what each day used", async () => {
    const startsAt = new Date(Date.now() - 10 * DAY);
    const endsAt = new Date(startsAt.getTime() + 20 * DAY);
    const offer = await make({ lifetimeCap: 600, startsAt, endsAt, countries: ["IS"] });
    const days = [3, 2, 0].map((ago, i) => ({ day: dayOf(Date.now() - ago * DAY), used: 10 * (i + 1) }));
    for (const { day, used } of days) await makeUsage(h.db, offer.id, day, used);
    const { caps } = await pacingOf(offer.id);
    const points = Array.from({ length: 61 }, (_, i) => ({
      at: iso(startsAt.getTime() + i * 8 * HOUR),
      planned: 10 * i,
    }));
    expect(caps).toEqual([
      {
        cap: "LIFETIME",
        limit: 600,
        used: 60,
        planned: expect.any(Number),
        from: startsAt.toISOString(),
        until: endsAt.toISOString(),
        points,
        days,
      },
    ]);
    expectBetween(caps[0]?.planned, 300, (600 * (Date.now() - startsAt.getTime())) / (20 * DAY));
  });

  it("begins when the offer was made, and ends a day with its end", async () => {
    const createdAt = new Date(Date.now() - 3 * DAY - 6 * HOUR);
    const endsAt = new Date(Date.now() - 3 * DAY);
    const offer = await make({ dailyCap: 100, lifetimeCap: 300, createdAt, startsAt: null, endsAt });
    const { caps, share } = await pacingOf(offer.id);
    expect(share).toBeNull();
    const [daily, lifetime] = caps;
    expect(daily).toMatchObject({ cap: "DAILY", until: endsAt.toISOString(), planned: 100, used: 0 });
    expect(lifetime).toMatchObject({ from: createdAt.toISOString(), until: endsAt.toISOString(), planned: 300 });
    expect(daily?.points.at(-1)?.planned).toBe(100);
    expect(lifetime?.days).toEqual([]);
  });

  it("plans the first day of an offer that has not begun, and nothing of it is used", async () => {
    const startsAt = new Date(Math.ceil(Date.now() / DAY) * DAY + 2 * DAY + 12 * HOUR);
    const offer = await make({ dailyCap: 120, startsAt, countries: ["IS"] });
    await makeUsage(h.db, offer.id, dayOf(Date.now()), 5);
    const { caps, share } = await pacingOf(offer.id);
    expect(share).toBeNull();
    expect(caps).toMatchObject([
      { used: 0, planned: 0, from: startsAt.toISOString(), until: iso(startsAt.getTime() + DAY / 2) },
    ]);
    expect(caps[0]?.points.map(({ planned }) => planned)).toEqual([
      ...Array<number>(13).fill(0),
      ...Array.from({ length: 12 }, (_, i) => 10 * (i + 1)),
    ]);
  });

  it("tells no share of sessions while the advertiser is paused", async () => {
    const paused = await makeAdvertiser(h.db, { platformId: platform.id, status: "paused" });
    const offer = await makeOffer(h.db, paused.id, { pacing: "EVEN", dailyCap: 10 });
    expect((await pacingOf(offer.id)).share).toBeNull();
  });

  it("has no plan for pacing ASAP, for a cap without an end, and none of an offer without caps", async () => {
    const asap = await make({ pacing: "ASAP", dailyCap: 10, lifetimeCap: 100 });
    await makeUsage(h.db, asap.id, dayOf(Date.now() - DAY), 4);
    expect(await pacingOf(asap.id)).toMatchObject({
      pacing: "ASAP",
      basis: null,
      share: null,
      caps: [
        { cap: "DAILY", limit: 10, planned: null, points: [] },
        { cap: "LIFETIME", limit: 100, used: 4, planned: null, until: null, points: [], days: [{ used: 4 }] },
      ],
    });
    const endless = await make({ dailyCap: 10, lifetimeCap: 100 });
    expect((await pacingOf(endless.id)).caps).toMatchObject([
      { cap: "DAILY", planned: expect.any(Number) },
      { cap: "LIFETIME", planned: null, until: null, points: [] },
    ]);
    const open = await make({ pacing: "ASAP" });
    expect(await pacingOf(open.id)).toEqual({ pacing: "ASAP", basis: null, share: null, caps: [] });
  });

  it("is for the administrator and the offer's platform alone", async () => {
    const offer = await make({ dailyCap: 10 });
    expect((await ask(offer.id, SECRETS.ADMIN_TOKEN)).status).toBe(200);
    const other = await makePlatform(h.db);
    const [refused, unknown] = [await ask(offer.id, other.token), await ask(offer.id.replace(/.$/, "z"), other.token)];
    expect(said(refused)).toEqual(missing("Offer", offer.id));
    expect(unknown.status).toBe(404);
    expect(said(await ask("offer"))).toEqual(missing("Offer", "offer"));
  });
});
