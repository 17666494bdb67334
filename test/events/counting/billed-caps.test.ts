import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteOffer } from "../../../db/demand/delete-offer.ts";
import { updateOffer } from "../../../db/demand/offers.ts";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import type { Conversion } from "../../../db/tracking/hits.ts";
import { newId } from "../../../db/core/ids.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { DAY, expectExactCounts, hitsOf, idAt, makeHit, message } from "../../support/tracking/hits.ts";

const ADMIN = { kind: "admin" } as const;

let h: Harness;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const make = (columns: Parameters<typeof makeOffer>[2]) => makeOffer(h.db, advertiserId, columns);
const clicks = (offerId: string, count: number, occurredAt = Date.now()) =>
  Array.from({ length: count }, () =>
    makeHit({ offerId, occurredAt, decisionId: idAt("decision", occurredAt - 1_000) }),
  );
const conversions = (offerId: string, count: number, occurredAt?: number): Conversion[] =>
  clicks(offerId, count, occurredAt).map((hit) =>
    Object.assign(hit, {
      kind: "conversion" as const,
      transactionId: newId("event"),
      amountMicros: 5_000_000,
      currency: "USD",
    }),
  );
/** Adds up what the counters of an offer hold, of all placements and days. */
const total = async (offerId: string) => {
  const sums = "sum(clicks)::int as clicks, sum(conversions)::int as conversions, sum(gross_micros)::int as gross";
  return (await h.rows(`select ${sums} from daily_counters where offer_id = $1`, [offerId]))[0];
};
const used = async (offerId: string) =>
  (await h.rows<{ used: number }>("select used::int from offer_usage where offer_id = $1 order by day", [offerId])).map(
    (row) => row.used,
  );

describe("what is billed", () => {
  it("never exceeds a lifetime cap of 1 by thirty clicks that thirty consumers count at once", async () => {
    const { id } = await make({ bidMicros: 1_000, lifetimeCap: 1 });
    await Promise.all(clicks(id, 30).map((hit) => recordHits(h.db, [hit])));
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "click over_cap 29"]);
    expect(await total(id)).toMatchObject({ clicks: 1, gross: 1_000 });
  });

  it("never exceeds a cap of 3 by nine conversions, at once or in one batch", async () => {
    for (const size of [1, 9]) {
      const { id } = await make({ pricing: "CPA", bidMicros: 1_000, lifetimeCap: 3 });
      const all = conversions(id, 9);
      const batches = Array.from({ length: 9 / size }, (_, i) => all.slice(i * size, (i + 1) * size));
      await Promise.all(batches.map((batch) => recordHits(h.db, batch)));
      expect(await hitsOf(h, id)).toEqual(["conversion counted 3", "conversion over_cap 6"]);
      expect(await total(id)).toMatchObject({ conversions: 3, gross: 3_000 });
    }
  });

  it.each([
    ["CPC", 1, clicks],
    ["CPA", 3, conversions],
  ] as const)(
    "of %s never exceeds %i by what comes at once, again and late",
    async (pricing, lifetimeCap, makeHits) => {
      const { id } = await make({ pricing, bidMicros: 1_000, lifetimeCap });
      const today = makeHits(id, 12);
      const late = makeHits(id, 12, Date.now() - DAY);
      const all = [...today, ...late];
      const rounds = [...all, ...all.toReversed(), ...today].map((hit) => recordHits(h.db, [hit]));
      await Promise.all([...rounds, recordHits(h.db, all), h.deliver(late.map(message))]);
      const kind = pricing === "CPC" ? "click" : "conversion";
      expect(await hitsOf(h, id)).toEqual([`${kind} counted ${lifetimeCap}`, `${kind} over_cap ${24 - lifetimeCap}`]);
      expect(await total(id)).toMatchObject({ [`${kind}s`]: lifetimeCap, gross: 1_000 * lifetimeCap });
    },
  );

  it("gives the slots of a batch to those who came first, however often it is delivered", async () => {
    const { id } = await make({ lifetimeCap: 2 });
    const now = Date.now();
    const hits = [5, 3, 4, 1, 2].map((at) => makeHit({ offerId: id, occurredAt: now + at }));
    for (let i = 0; i < 3; i++) await h.deliver(hits.map(message));
    const rows = await h.rows(
      "select id from events where offer_id = $1 and outcome = 'counted' order by occurred_at",
      [id],
    );
    expect(rows).toEqual([{ id: hits[3]?.id }, { id: hits[4]?.id }]);
    expect(await hitsOf(h, id)).toEqual(["click counted 2", "click over_cap 3"]);
  });

  it("counts a late click towards the cap of the day on which it was made, and towards the lifetime cap", async () => {
    const { id } = await make({ dailyCap: 2, lifetimeCap: 3 });
    await recordHits(h.db, clicks(id, 5));
    await recordHits(h.db, clicks(id, 5, Date.now() - DAY));
    expect(await hitsOf(h, id)).toEqual(["click counted 3", "click over_cap 7"]);
    expect(await used(id)).toEqual([1, 2]);
  });

  it("stays what it was when a cap is raised, and has room again", async () => {
    const { id } = await make({ lifetimeCap: 1 });
    const first = clicks(id, 3);
    await recordHits(h.db, first);
    await updateOffer(h.db, ADMIN, id, { lifetimeCap: 2 });
    await recordHits(h.db, first);
    await recordHits(
      h.db,
      first.map(({ decisionId, occurredAt }) => makeHit({ offerId: id, decisionId, occurredAt })),
    );
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "click duplicate 3", "click over_cap 2"]);
    await recordHits(h.db, clicks(id, 2));
    expect(await hitsOf(h, id)).toEqual(["click counted 2", "click duplicate 3", "click over_cap 3"]);
  });

  it("counts what was billed before a cap was set, and what is being counted while it is", async () => {
    const { id } = await make({});
    await recordHits(h.db, clicks(id, 4));
    const counting = Promise.all(clicks(id, 40).map((hit) => recordHits(h.db, [hit])));
    await updateOffer(h.db, ADMIN, id, { lifetimeCap: 10 });
    await counting;
    await recordHits(h.db, clicks(id, 10));
    // Up to the moment in which the cap was set there was none.
    const [usage] = await used(id);
    expect(await total(id)).toMatchObject({ clicks: usage });
    expect(await hitsOf(h, id)).toEqual([`click counted ${usage}`, `click over_cap ${54 - Number(usage)}`]);
    expect(await h.rows("select capped_through::text as day from offers where id = $1", [id])).toEqual([
      { day: "infinity" },
    ]);
    await updateOffer(h.db, ADMIN, id, { lifetimeCap: 100 });
  });

  it("is nothing past a cap for a customer who was not billed before, and counts once there is room", async () => {
    const { id } = await make({ dailyCap: 1 });
    const sessionHash = "a session";
    const yesterday = Date.now() - DAY;
    await recordHits(h.db, [
      ...clicks(id, 1, yesterday),
      { ...makeHit({ offerId: id, sessionHash }), occurredAt: yesterday + 1 },
    ]);
    await recordHits(h.db, [makeHit({ offerId: id, sessionHash })]);
    expect(await hitsOf(h, id)).toEqual(["click counted 2", "click over_cap 1"]);
  });

  it.each([
    ["a lifetime cap", "click", { lifetimeCap: 1 }],
    ["a daily cap", "click", { dailyCap: 1 }],
    ["a daily cap of impressions", "impression", { dailyCap: 1, pricing: "CPM", bidMicros: 1_000_000 }],
    ["a lifetime cap that was paused", "click", { lifetimeCap: 1, pausing: true }],
  ] as const)(
    "never exceeds %s by what comes at once after its offer's deletion, again and late",
    async (_, kind, { pausing = false, ...columns }: Parameters<typeof make>[0] & { pausing?: boolean }) => {
      const { id } = await make({ bidMicros: 1_000, ...columns });
      const seen = clicks(id, 30).map((hit) => Object.assign(hit, { kind }));
      if (pausing) await updateOffer(h.db, ADMIN, id, { status: "paused" });
      await deleteOffer(h.db, ADMIN, id);
      await Promise.all([...seen, ...seen].map((hit) => recordHits(h.db, [hit])));
      expect(await hitsOf(h, id)).toEqual([`${kind} counted 1`, `${kind} over_cap 29`]);
      expect(await total(id)).toMatchObject({ gross: 1_000 });
    },
  );

  it("is what a recount gives", async () => {
    await expectExactCounts(h);
    expect(await h.rows("select from events where outcome = 'over_cap' and gross_micros > 0")).toEqual([]);
  });
});
