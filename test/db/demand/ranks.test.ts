import { afterAll, beforeAll, expect, it } from "vitest";
import { api } from "../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let token: string;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  const platform = await makePlatform(h.db);
  token = platform.token;
  advertiserId = (await makeAdvertiser(h.db, { platformId: platform.id })).id;
});
afterAll(() => h.close());

const ranksOf = async (id: string) =>
  h.rows("select r.* from offer_ranks r join offers o using (serial) where o.id = $1 order by r.lane", [id]);

// A click at 0.05 is expected to earn as much as an impression at a CPM of ten times that.
it.each([
  ["CPC", 500_000, "CPM", 10_000_000],
  ["CPM", 10_000_000, "CPC", 500_000],
  ["CPC", 500_000, "CPA", 10_000_000],
  ["CPC", 500_000, "CPC", 400_000],
] as const)("an offer ranks as its price says once %s %d becomes %s %d", async (pricing, bidMicros, next, nextBid) => {
  const { id } = await makeOffer(h.db, advertiserId, { pricing, bidMicros });
  await h.rows(
    `insert into rate_offers (offer_id, advertiser_click_rate, advertiser_conversion_rate, bound_rate)
    values ($1, 0.02, 0.05, 0.1)`,
    [id],
  );
  await h.rows("select refresh_offer_ranks(array(select serial from offers where id = $1))", [id]);
  const body = { pricing: next, bidMicros: nextBid };
  expect(await api(h, "PUT", `/api/v1/offers/${id}`, { token, body })).toMatchObject({ status: 200 });
  const ranks = await ranksOf(id);
  await h.rows("select refresh_offer_ranks(array(select serial from offers where id = $1))", [id]);
  expect(ranks).toHaveLength(1);
  expect(ranks).toEqual(await ranksOf(id));
});
