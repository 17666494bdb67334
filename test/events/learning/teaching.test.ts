import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { makeCreative, makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { cellOf, deliver, deliverSome, forget, learn, makeOne, networkOf } from "../../support/learning/learn.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

const slots = () =>
  h.rows<{ place: number; exposure: number }>("select place, exposure from rate_slots order by place");

describe("learning", () => {
  it("learns how often clicks convert from offers that are paid for by the conversion alone", async () => {
    const [clicked, converted] = [await makeOne(h, { pricing: "CPC" }), await makeOne(h, { pricing: "CPA" })];
    await deliverSome(h, clicked, 40, 30);
    await deliverSome(h, converted, 40, 3);
    await learn(h);
    expect(await cellOf(h, clicked)).toMatchObject({ clicks: 30, clicked: 0 });
    expect(await cellOf(h, converted)).toMatchObject({ clicks: 3, clicked: 3 });
    const { clicks, clicked: told } = await networkOf(h);
    expect([clicks, told]).toEqual([expect.closeTo(33), expect.closeTo(3)]);
  });

  it("learns nothing from a customer who loads the page again", async () => {
    const one = await makeOne(h);
    const sessionHash = newId("event");
    await deliverSome(h, one, 1, 1, { sessionHash });
    await learn(h);
    const known = await cellOf(h, one);
    expect(known).toMatchObject({ clicks: 1, exposure: 1 });
    await deliverSome(h, one, 60, 0, { sessionHash });
    await learn(h);
    expect(await cellOf(h, one)).toEqual(known);
    const shown = await h.rows("select sum(impressions)::int as n from daily_counters where offer_id = $1", [
      one.offerId,
    ]);
    expect(shown).toEqual([{ n: 61 }]);
    expect(await h.rows("select day from daily_counters where not is_learned and offer_id <> ''")).toEqual([]);
  });

  it("expects of a page what its own customers do, though all of them come from another", async () => {
    const first = await makeOne(h, { pricing: "CPA" });
    const second = { ...first, placementId: (await makePlacement(h.db, first.site.id)).id };
    for (let i = 0; i < 60; i++) {
      const look = (at: typeof first, kind: "impression" | "click", decisionId: string) => ({
        ...at,
        decisionId,
        kind,
        sessionHash: `customer ${i}`,
      });
      const [here, there] = [newId("decision"), newId("decision")];
      await deliver(h, [
        look(first, "impression", here),
        look(second, "impression", there),
        ...(i % 10 === 0 ? [look(first, "click", here), look(second, "click", there)] : []),
      ]);
    }
    await learn(h);
    for (const at of [first, second]) {
      expect(await cellOf(h, at)).toMatchObject({ clicks: 6, exposure: 60 });
    }
  });

  it("learns of a creative from the look of a customer that teaches, and of none of their others", async () => {
    const one = await makeOne(h);
    const sessionHash = newId("event");
    await makeCreative(h.db, one.offerId);
    const decisionId = newId("decision");
    const look = { ...one, sessionHash, decisionId, creative: 2 };
    await deliver(h, [
      { ...look, kind: "impression" as const },
      { ...look, kind: "click" as const },
    ]);
    await deliverSome(h, one, 20, 1, { sessionHash, creative: 2 });
    await deliverSome(h, one, 20, 1, { sessionHash, creative: 1 });
    await learn(h);
    const known = await h.rows(
      "select number, clicks::int, exposure::int from rate_creatives where offer_id = $1 and exposure + clicks > 0",
      [one.offerId],
    );
    expect(known).toEqual([{ number: 2, clicks: 1, exposure: 1 }]);
    expect(await h.rows("select day from creative_counters where not is_learned")).toEqual([]);
  });

  it("learns nothing from bots, test traffic, repeats and what is past a cap", async () => {
    const one = await makeOne(h, { lifetimeCap: 1 });
    await deliverSome(h, one, 1, 1);
    await learn(h);
    const known = await cellOf(h, one);
    expect(known).toMatchObject({ clicks: 1, exposure: 1 });
    for (const reason of ["bot", "test", "expired"] as const) await deliverSome(h, one, 2, 2, { reason });
    // Past its cap a click counts no more; neither does one that comes again.
    const decisionId = newId("decision");
    const click = { ...one, decisionId, kind: "click" as const };
    await deliver(h, [{ ...click, kind: "impression" as const }, click, click, click]);
    await learn(h);
    expect(await cellOf(h, one)).toEqual(known);
    const outcomes = await h.rows<{ outcome: string }>(
      "select distinct outcome from daily_hits where offer_id = $1 order by 1",
      [one.offerId],
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(
      expect.arrayContaining(["bot", "test", "expired", "over_cap", "duplicate"]),
    );
  });

  it("learns what a place in an answer is worth from sessions that are served at random alone", async () => {
    const one = await makeOne(h);
    await deliverSome(h, one, 5, 0, { place: 2 });
    await learn(h);
    expect(await slots()).toEqual([]);
    await deliverSome(h, one, 5, 0, { place: 2, arm: "1" });
    await learn(h);
    // Of five impressions 0.1 clicks were expected.
    expect(await slots()).toEqual([{ place: 2, exposure: expect.closeTo(0.1, 2) as number }]);
  });
});
