import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askOffers } from "../../support/ask-offers.ts";
import { explaining } from "../../support/explaining.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { cellOf, deliverSome, estimate, forget, learn, makeOne } from "../../support/learning/learn.ts";
import { DAY } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

describe("learning", () => {
  it("brings what customers like to the front, and explain says why", { timeout: 300_000 }, async () => {
    await h.rows("update offers set status = 'paused'");
    const inventory = await makeInventory(h.db);
    const placementId = inventory.placement.id;
    const offerIds: string[] = [];
    for (let i = 0; i < 3; i++) {
      const advertiser = await makeAdvertiser(h.db);
      // Made long ago, so that none has a newcomer's privilege.
      const made = { includeSites: [inventory.site.id], createdAt: new Date(Date.now() - 30 * DAY) };
      offerIds.push((await makeOffer(h.db, advertiser.id, made)).id);
    }
    const [, liked = ""] = offerIds;
    const asked = { publicKey: inventory.publisher.publicKey, placementId, "at.country": "US" };
    const firstOf = async (on: Harness, session: string) =>
      (await askOffers(on, { ...asked, sessionId: session })).ids[0];
    const before = await Promise.all(Array.from({ length: 100 }, (_, i) => firstOf(h, `before-${i}`)));
    for (const id of offerIds) expect(before.filter((first) => first === id).length).toBeGreaterThan(10);

    // Customers look at all three. One in four clicks the offer that is liked, and one in fifty the others.
    for (let i = 0; i < 200; i++) {
      const { offers } = await askOffers(h, { ...asked, sessionId: `customer-${i}` });
      await Promise.all(
        offers.map(async ({ bannerId, beaconUrl, clickUrl }, place) => {
          await h.fetch(beaconUrl, { method: "POST" });
          if (bannerId === liked ? i % 4 === 0 : i % 50 === place) await h.fetch(clickUrl, { redirect: "manual" });
        }),
      );
    }
    await h.until(
      () =>
        h.rows<{ n: number }>(
          "select coalesce(sum(impressions), 0)::int as n from daily_counters where placement_id = $1",
          [placementId],
        ),
      ([row]) => row?.n === 600,
    );
    await learn(h);
    expect((await cellOf(h, { placementId, offerId: liked }))?.clicks).toBeCloseTo(50);

    // Another location builds its documents now; this one would do so within minutes.
    const later = await startHarness({ postgresUrl: h.postgresUrl });
    try {
      const after = await Promise.all(Array.from({ length: 100 }, (_, i) => firstOf(later, `after-${i}`)));
      expect(after.filter((first) => first === liked).length).toBeGreaterThan(90);
      const { explain } = explaining(() => later);
      const { offers } = await explain(placementId, { sessionId: "after-0" });
      const served = offers.filter(({ rank }) => rank !== null);
      expect(served.map(({ rank }) => rank)).toEqual([1, 2, 3]);
      expect(served[0]?.offerId).toBe(after[0]);
      const scores = served.map((offer) => offer.expectation?.score ?? 0);
      expect(scores.toSorted((a, b) => b - a)).toEqual(scores);
      expect(scores[2]).toBeGreaterThan(0);
      const expected = (id: string) => offers.find(({ offerId }) => offerId === id)?.expectation;
      expect(expected(liked)?.rate?.low).toBeGreaterThan(expected(offerIds[0] ?? "")?.rate?.high ?? 1);
      expect(expected(liked)?.exposure).toBeCloseTo(200, 0);
    } finally {
      await later.close();
    }
  });

  it("moves an offer among those that candidates are chosen from, and outdates nothing", async () => {
    const one = await makeOne(h);
    const rank = () =>
      h.rows<{ rank: string }>(
        "select r.rank from offer_ranks r join offers o on o.serial = r.serial where o.id = $1",
        [one.offerId],
      );
    const [before] = await rank();
    const changed = () => h.rows("select changed_at, updated_at from offers where id = $1", [one.offerId]);
    const untouched = await changed();
    await deliverSome(h, one, 300, 0);
    await learn(h);
    const [after] = await rank();
    expect(Number(after?.rank)).toBeGreaterThan(Number(before?.rank));
    expect(await changed()).toEqual(untouched);
    expect(await h.rows("select id from publish_outbox where document_key = 'network'")).toEqual([]);
    expect(await h.rows("select id from audit_log where resource_id = $1", [one.offerId])).toEqual([]);
  });

  it("lets an offer that nobody has seen, or has for long, hope for what others like it get", async () => {
    const known = await makeOne(h);
    const at = { includeSites: [known.site.id] };
    const [unseen, forgotten, dear] = await Promise.all(
      [{}, {}, { bidMicros: 2_000_000 }].map((more) => makeOffer(h.db, known.advertiserId, { ...at, ...more })),
    );
    await deliverSome(h, known, 300, 60);
    await deliverSome(h, { ...known, offerId: forgotten?.id ?? "" }, 300, 3);
    await learn(h);
    const of = async (id = "") => {
      const [row] = await h.rows<{ rank: number; bound: number | null }>(
        `select k.rank::float8 as rank, r.bound_rate as bound from offers o join offer_ranks k on k.serial = o.serial
        left join rate_offers r on r.offer_id = o.id where o.id = $1`,
        [id],
      );
      return { rank: 0, bound: 0, ...row };
    };
    const before = await of(unseen?.id);
    expect(before.bound).toBeNull();
    const disliked = await of(forgotten?.id);
    await estimate(h);
    const after = await of(unseen?.id);
    const best = await of(known.offerId);
    expect(after.bound).toBeGreaterThan(Math.max(0.04, Number(disliked.bound)));
    expect(after.rank).toBeLessThan(before.rank);
    expect(before.rank).toBeGreaterThan(best.rank);
    // Its bound by the click is that of the other offer that nobody has seen, which bids at least twice as much.
    expect((await of(dear?.id)).bound).toBeCloseTo(Number(after.bound), 6);
    expect((await of(dear?.id)).rank).toBeLessThan(after.rank);
    // As if years had gone by.
    await h.rows("update rate_offers set clicks = clicks / 1000, exposure = exposure / 1000 where offer_id = $1", [
      forgotten?.id,
    ]);
    await estimate(h);
    const again = await of(forgotten?.id);
    expect(again.bound).toBeGreaterThan(2 * Number(disliked.bound));
    expect(again.rank).toBeLessThan(disliked.rank);
    expect(await h.rows("select id from publish_outbox where document_key = 'network'")).toEqual([]);
  });
});
