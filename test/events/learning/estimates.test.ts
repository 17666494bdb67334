import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findUnlearned } from "../../../db/learning/increases.ts";
import { addLearned } from "../../../db/learning/rates.ts";
import { learned } from "../../../functions/events/learning/learn.ts";
import { makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { deliverSome, estimate, forget, learn, makeOne, maturityOf } from "../../support/learning/learn.ts";
import { DAY } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const statements = (migration: string): string[] =>
  readFileSync(`db/migrations/${migration}.sql`, "utf8").split("--> statement-breakpoint");

describe("what is estimated each hour", () => {
  it("is which part of an offer's conversions has come, by the delays that were seen", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    // Of 400 conversions of clicks 40 days ago, half came on the same day, and the others after ten days.
    await h.rows(
      `insert into events (issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id, country,
        transaction_id, gross_micros, revenue_micros)
      select (now() at time zone 'UTC')::date - 40, kind || n, kind, 'counted',
        now() - interval '40 days' + case when kind = 'conversion' and n % 2 = 0 then interval '10 days' else interval '0' end
          + interval '1 minute' * (kind = 'conversion')::int,
        'd' || n, $1, $2, $3, 'US', case when kind = 'conversion' then 't' || n end, 0, 0
      from generate_series(1, 400) n, unnest(array['click', 'conversion']) kind`,
      [one.placementId, one.offerId, one.advertiserId],
    );
    await deliverSome(h, one, 20, 20);
    await learn(h);
    const delays = () => h.rows<{ delays: number[] }>("select delays from rate_network");
    const [assumed] = await delays();
    expect(assumed?.delays[0]).toBeLessThan(0.9);
    expect(await maturityOf(h, one.offerId)).toBe(assumed?.delays[0]);
    await estimate(h);
    const [row] = await delays();
    expect(row?.delays).toHaveLength(31);
    expect(row?.delays[5]).toBeGreaterThan(0.45);
    expect(row?.delays[5]).toBeLessThan(0.6);
    expect(row?.delays[30]).toBe(1);
    // All its clicks are of today, so that about half of their conversions are still to come.
    expect(await maturityOf(h, one.offerId)).toBeCloseTo(row?.delays[0] ?? 0, 5);
  });

  it("knows of each day the clicks that may still convert, and can be told those of a version that did not", async () => {
    const [one, clicked] = await Promise.all([makeOne(h, { pricing: "CPA" }), makeOne(h, { pricing: "CPC" })]);
    const then = Date.now() - 3 * DAY;
    await deliverSome(h, one, 20, 5);
    await deliverSome(h, clicked, 20, 5);
    await learn(h);
    await deliverSome(h, one, 6, 2, { issuedAt: then, occurredAt: then });
    // A customer without a session teaches nothing of clicks, and may convert.
    await deliverSome(h, one, 3, 3, { sessionHash: null });
    const found = await findUnlearned(h.db, 1_000);
    await Promise.all([1, 2].map(() => addLearned(h.db, found.rows, learned(found))));
    const kept = () =>
      h.rows<{ clicks: number }>(
        "select offer_id, day::text, clicks::int, creative from rate_clicks where clicks > 0 order by offer_id, day",
      );
    const known = await kept();
    expect(known.map(({ clicks }) => clicks)).toEqual([2, 8]);
    expect(known).toEqual(
      await h.rows(
        `select c.offer_id, c.day::text, sum(c.clicks)::int as clicks, o.creative
        from daily_counters c join offers o on o.id = c.offer_id
        where c.offer_id = $1 group by c.offer_id, c.day, o.creative order by c.day`,
        [one.offerId],
      ),
    );
    // What an operator runs once a newer version is back after a rollback.
    const repair = [...statements("0041_rate_clicks").slice(-1), ...statements("0045_changed_creatives").slice(-2)];
    await h.rows("truncate rate_clicks");
    for (const statement of repair) await h.rows(statement);
    expect(await kept()).toEqual(known);
  });

  it("is how much rates tell of each other, once enough happened to tell", async () => {
    const strengths = async () =>
      (await h.rows<{ click_strengths: number[] }>("select click_strengths from rate_network"))[0]?.click_strengths;
    await h.rows("update rate_network set click_strengths = '{10,20}'");
    await estimate(h);
    expect(await strengths()).toEqual([10, 20]);
    // Thirty offers of one advertiser, whose rates could not differ more: half are clicked always, half never.
    const { placementId, advertiserId } = await makeOne(h);
    for (let i = 0; i < 30; i++) {
      const offerId = (await makeOffer(h.db, advertiserId)).id;
      await deliverSome(h, { placementId, offerId }, 20, i % 2 === 0 ? 20 : 0);
    }
    await learn(h);
    await estimate(h);
    expect((await strengths())?.[0]).toBeLessThan(3);
  });

  it("does not move what is known when the half-life changes", async () => {
    const one = await makeOne(h);
    await h.rows(
      "update rate_network set half_life = 60, origin = (now() at time zone 'UTC')::date - date '1970-01-01' - 30",
    );
    await deliverSome(h, one, 10, 2);
    await learn(h);
    const weightNow = `power(2::float8, ((now() at time zone 'UTC')::date - date '1970-01-01' - n.origin) / n.half_life)`;
    const faded = () =>
      h.rows<{ clicks: number; half_life: number }>(
        `select r.clicks / ${weightNow} as clicks, n.half_life from rate_offers r, rate_network n where r.offer_id = $1`,
        [one.offerId],
      );
    expect(await faded()).toEqual([{ clicks: expect.closeTo(2) as number, half_life: 60 }]);
    const other = await startHarness({ postgresUrl: h.postgresUrl, vars: { HALF_LIFE_DAYS: "7" } });
    try {
      await learn(other);
      expect(await faded()).toEqual([{ clicks: expect.closeTo(2) as number, half_life: 7 }]);
    } finally {
      await other.close();
    }
    await learn(h);
  });
});
