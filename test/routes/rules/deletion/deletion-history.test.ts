import { afterAll, beforeAll, expect, it } from "vitest";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { removeDeleted } from "../../../../functions/events/removing.ts";
import { api } from "../../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlacement } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { expectExactCounts, makeHit } from "../../../support/tracking/hits.ts";
import { deletePublisher, makeLarge, rowsBelow, steps } from "../../../support/large.ts";

let h: Harness;
let env: Env;

beforeAll(async () => {
  h = await startHarness();
  env = await h.env();
});
afterAll(() => h.close());

const CUSTOMERS = 700;

/** Makes a publisher with more sites, and more customers at its placement, than a step removes. */
const makeEarner = async () => {
  const large = await makeLarge(h, { sites: 700 });
  const { publisher, placement } = large;
  const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id);
  await recordHits(
    h.db,
    Array.from({ length: CUSTOMERS }, (_, i) =>
      makeHit({ offerId, placementId: placement.id, sessionHash: `${publisher.id} ${i}`, emailHash: `e-mail ${i}` }),
    ),
  );
  const links = () =>
    h.count("events where placement_id = $1 and coalesce(session_hash, email_hash) is not null", [placement.id]);
  const money = () =>
    h.rows(
      `select clicks::int, gross_micros::int, revenue_micros, publisher_id from daily_counters
      where offer_id = $1 order by placement_id`,
      [offerId],
    );
  return { ...large, offerId, links, money };
};

it("counters of money outlive a publisher, links to its customers do not", async () => {
  const earner = await makeEarner();
  const before = await earner.money();
  expect(before).toMatchObject([{ clicks: CUSTOMERS, publisher_id: earner.publisher.id }]);
  expect(await earner.links()).toBe(CUSTOMERS);
  await deletePublisher(h, earner);
  await removeDeleted(env, steps(10));
  expect(await rowsBelow(h, earner)).toBe(0);
  expect(await earner.links()).toBe(0);
  expect(await earner.money()).toEqual(before);
  await expectExactCounts(h);
});

it("links to customers go with their placement, and with no other", async () => {
  const { publisher, site, placement, offerId, links, money } = await makeEarner();
  const { id: placementId } = await makePlacement(h.db, site.id);
  await recordHits(h.db, [makeHit({ offerId, placementId, sessionHash: placementId })]);
  const before = await money();
  const path = `/api/placements/${placement.id}`;
  expect((await api(h, "DELETE", path, { token: publisher.privateKey })).status).toBe(200);
  await removeDeleted(env, steps(5));
  expect(await links()).toBe(0);
  expect(await money()).toEqual(before);
  expect(await h.count("events where session_hash = $1", [placementId])).toBe(1);
  expect(await h.count("deletions")).toBe(0);
  await expectExactCounts(h);
});
