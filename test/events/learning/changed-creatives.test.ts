import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api } from "../../support/api.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { cellOf, deliverSome, forget, learn, makeOne, toldOf } from "../../support/learning/learn.ts";
import { makeSplitOffer } from "../../support/learning/split-offer.ts";
import { SECRETS } from "../../support/secrets.ts";
import { makeHit, message } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => forget(h));
afterAll(() => h.close());

describe("learning", () => {
  it("keeps of a changed creative what was seen as no more than a guess", async () => {
    const one = await makeOne(h);
    await deliverSome(h, one, 100, 40);
    await learn(h);
    const offer = () =>
      h.rows<{ clicks: number; exposure: number; creative: number }>(
        "select r.clicks, r.exposure, o.creative from rate_offers r join offers o on o.id = r.offer_id where o.id = $1",
        [one.offerId],
      );
    expect(await offer()).toMatchObject([{ clicks: 40, creative: 1 }]);
    const change = async (body: object) =>
      (await api(h, "PUT", `/api/v1/offers/${one.offerId}`, { token: SECRETS.ADMIN_TOKEN, body })).status;
    expect(await change({ bidMicros: 600_000 })).toBe(200);
    expect(await offer()).toMatchObject([{ clicks: 40, creative: 1 }]);
    expect(await change({ title: "Another title" })).toBe(200);
    const [changed] = await offer();
    expect(changed?.creative).toBe(2);
    expect(changed?.clicks).toBeCloseTo(10);
    expect((changed?.exposure ?? 0) / (changed?.clicks ?? 1)).toBeCloseTo(2.5, 1);
    expect(await cellOf(h, one)).toBeUndefined();
    await deliverSome(h, one, 5, 0);
    await learn(h);
    expect(await cellOf(h, one)).toMatchObject({ clicks: 0, exposure: 5 });
  });

  it("gives a changed creative the place among candidates that it had before anything was seen of it there", async () => {
    const one = await makeOne(h);
    const { id: other } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, { includeSites: [one.site.id] });
    await deliverSome(h, one, 3, 0);
    await learn(h);
    await h.rows("update rate_cells set lift = 0.01");
    const isBehind = async () => {
      const [mine, others] = await Promise.all(
        [one.offerId, other].map((id) => toldOf(h, { ...one, offerId: id }, "US")),
      );
      return Number(mine?.index) > Number(others?.index);
    };
    expect(await isBehind()).toBe(true);
    const call = { token: SECRETS.ADMIN_TOKEN, body: { title: "Another title" } };
    expect((await api(h, "PUT", `/api/v1/offers/${one.offerId}`, call)).status).toBe(200);
    expect(await isBehind()).toBe(false);
  });

  it("keeps as little of a creative that nobody clicked", async () => {
    const one = await makeOne(h);
    await deliverSome(h, one, 2_000, 0);
    await learn(h);
    const offer = () =>
      h.rows<{ exposure: number; rate: number; bound_rate: number | null }>(
        "select exposure, advertiser_click_rate as rate, bound_rate from rate_offers where offer_id = $1",
        [one.offerId],
      );
    const [before] = await offer();
    expect(before?.exposure).toBeGreaterThan(1_500);
    const body = { header: "Another header" };
    const answer = await api(h, "PUT", `/api/v1/offers/${one.offerId}`, { token: SECRETS.ADMIN_TOKEN, body });
    expect(answer.status).toBe(200);
    const [after] = await offer();
    expect(after?.exposure).toBeCloseTo(10 / (after?.rate ?? 1), 3);
    expect(after?.bound_rate).toBeNull();
    const [advertiser] = await h.rows<{ exposure: number }>(
      "select exposure from rate_advertisers where advertiser_id = $1",
      [one.advertiserId],
    );
    expect(advertiser?.exposure).toBeCloseTo(after?.exposure ?? 0, 3);
  });
});

describe("an offer with two creatives", () => {
  it("begins again with a creative whose texts changed", async () => {
    const { id, placement, creative, call } = await makeSplitOffer(h, { creativeSplit: "LEARNED" });
    const at = { offerId: id, placementId: placement.id };
    const see = async (number: number) => {
      const hits = Array.from({ length: 10 }, () =>
        makeHit({ ...at, sessionHash: newId("event"), kind: "impression", creative: number }),
      );
      await h.deliver(hits.map(message));
      await learn(h);
    };
    const seen = () =>
      h.rows<{ number: number; version: number; exposure: number }>(
        `select number, version, 10 * round(exposure / 10)::int as exposure from rate_creatives where offer_id = $1 order by number`,
        [id],
      );
    await see(2);
    await see(1);
    expect(await seen()).toEqual([
      { number: 1, version: 1, exposure: 10 },
      { number: 2, version: 1, exposure: 10 },
    ]);
    await call("PUT", creative, { title: "New" });
    await see(2);
    expect(await seen()).toEqual([
      { number: 1, version: 1, exposure: 10 },
      { number: 2, version: 2, exposure: 10 },
    ]);
  });
});
