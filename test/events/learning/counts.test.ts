import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findUnlearned } from "../../../db/learning/increases.ts";
import { addLearned } from "../../../db/learning/rates.ts";
import { learned } from "../../../functions/events/learning/learn.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import {
  cellOf,
  deliver,
  deliverSome,
  forget,
  learn,
  makeOne,
  networkOf,
  today,
} from "../../support/learning/learn.ts";
import { DAY } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

describe("learning", () => {
  it("adds each count once, however often the cron runs, and what comes later to it", async () => {
    const one = await makeOne(h);
    const before = await networkOf(h);
    await deliverSome(h, one, 40, 3);
    await learn(h);
    await learn(h);
    const first = await cellOf(h, one);
    expect(first).toMatchObject({ clicks: 3, exposure: 40, conversions: 0 });
    await deliverSome(h, one, 10, 1);
    await learn(h);
    expect(await cellOf(h, one)).toMatchObject({ clicks: 4, exposure: 50 });
    const after = await networkOf(h);
    expect(after.clicks - before.clicks).toBeCloseTo(4);
    expect(await h.rows("select day from daily_counters where not is_learned and offer_id <> ''")).toEqual([]);
  });

  it("adds what was found once, however many have found it", async () => {
    const one = await makeOne(h);
    await deliverSome(h, one, 20, 2);
    const found = await findUnlearned(h.db, 1_000);
    const added = await Promise.all([1, 2, 3].map(() => addLearned(h.db, found.rows, learned(found))));
    expect(added.filter(Boolean)).toEqual([true]);
    expect(await cellOf(h, one)).toMatchObject({ clicks: 2, exposure: 20 });
    expect((await networkOf(h)).clicks).toBeCloseTo(2);
  });

  it("leaves what was counted since it was found to the next time", async () => {
    const one = await makeOne(h);
    await deliverSome(h, one, 5, 0);
    const found = await findUnlearned(h.db, 1_000);
    await deliverSome(h, one, 4, 1);
    expect(await addLearned(h.db, found.rows, learned(found))).toBe(true);
    expect(await cellOf(h, one)).toMatchObject({ clicks: 0, exposure: 5 });
    await learn(h);
    expect(await cellOf(h, one)).toMatchObject({ clicks: 1, exposure: 9 });
  });

  it("looks at nothing again for hits that teach nothing", async () => {
    const one = await makeOne(h);
    await deliverSome(h, one, 2, 0);
    await learn(h);
    await deliver(h, [{ ...one, kind: "close" as const }]);
    expect((await findUnlearned(h.db, 1_000)).rows).toEqual([]);
  });

  it("weighs a day half as much as one that is a half-life later", async () => {
    const one = await makeOne(h);
    const { half_life: halfLife, origin } = await networkOf(h);
    const then = Date.now() - 3 * DAY;
    await deliverSome(h, one, 8, 0, { issuedAt: then, occurredAt: then });
    await learn(h);
    const weight = 2 ** ((today() - 3 - origin) / halfLife);
    expect((await cellOf(h, one))?.exposure).toBeCloseTo(8 * weight, 6);
  });

  it("goes on after more conversions were taken back than are still known", async () => {
    const one = await makeOne(h, { pricing: "CPA" });
    await deliverSome(h, one, 30, 30);
    await learn(h);
    await h.rows("update rate_offers set conversions = -12, clicked = -5 where offer_id = $1", [one.offerId]);
    await deliverSome(h, one, 3, 1);
    await learn(h);
    const cell = await cellOf(h, one);
    expect(cell?.exposure).toBe(33);
    expect(cell?.lift).toBeGreaterThan(0);
  });

  it("goes on after offers are gone", async () => {
    const one = await makeOne(h);
    await deliverSome(h, one, 3, 0);
    await h.rows("delete from offers where id = $1", [one.offerId]);
    await learn(h);
    expect(await h.rows("select day from daily_counters where not is_learned and offer_id <> ''")).toEqual([]);
    expect(await h.rows("select * from rate_offers where offer_id = $1", [one.offerId])).toEqual([]);
  });
});
