import { afterAll, beforeAll, expect, it } from "vitest";
import { askOffers } from "../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { hitsOf, makeHit, message } from "../../support/tracking/hits.ts";
import { keysOf, untilStored } from "../../support/documents/stored.ts";

/** Sets how many sessions come at each step, and how many steps pass until what they saw is known at the edge. */
const RATE = 10;
const DELAY = 4;
const CAP = 6 * DELAY * RATE;

/** Holds the seconds that a publication takes at most. */
const PUBLICATION_SECONDS = 120;

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

it("an offer is delivered to fewer and fewer as its cap comes near, and hardly past it", async () => {
  const { publisher, site, placement } = await makeInventory(h.db);
  const { id: advertiser } = await makeAdvertiser(h.db);
  // With these ids, every run draws the same sessions.
  const id = "ofr_00000000000000000000000cap";
  const cpm = { pricing: "CPM", bidMicros: 1_000_000 } as const;
  await makeOffer(h.db, advertiser, { id, ...cpm, dailyCap: CAP, includeSites: [site.id] });
  await makeOffer(h.db, advertiser, { priority: 2, includeSites: [site.id] });
  const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", count: "1" };
  await askOffers(h, asked);
  await untilStored(h, keysOf(publisher.publicKey, placement.id));

  const shown: number[] = [];
  const isReached = async () => (await h.count("offers where id = $1 and capped_through is not null", [id])) > 0;
  for (let step = 0; step < 200 && !(await isReached()); step++) {
    const sessions = Array.from({ length: RATE }, (_, i) => `session ${step * RATE + i}`);
    const answers = await Promise.all(sessions.map((sessionId) => askOffers(h, { ...asked, sessionId })));
    for (const { ids } of answers) expect(ids).toHaveLength(1);
    shown.push(answers.filter(({ ids }) => ids[0] === id).length);
    const known = shown.at(-1 - DELAY) ?? 0;
    const hits = Array.from({ length: known }, () => message(makeHit({ offerId: id, kind: "impression" })));
    if (known > 0) await h.deliver(hits);
    await h.rows("update offer_usage set recent_at = recent_at - make_interval(secs => $2) where offer_id = $1", [
      id,
      PUBLICATION_SECONDS / DELAY,
    ]);
  }

  const delivered = shown.reduce((sum, count) => sum + count, 0);
  expect(await isReached()).toBe(true);
  expect(delivered).toBeGreaterThanOrEqual(CAP);
  // Untapered, all sessions of the last steps would have seen it.
  expect(delivered - CAP).toBeLessThan((DELAY * RATE) / 2);
  const last = shown.slice(-DELAY).reduce((sum, count) => sum + count, 0);
  expect(last).toBeLessThan((DELAY * RATE) / 2);
  expect(await hitsOf(h, id)).toContain(`impression counted ${CAP}`);
  await h.cron();
  // An answer may come from memory if it would have to wait too long for what was published.
  await h.until(
    () => askOffers(h, asked),
    ({ ids }) => !ids.includes(id),
  );
});
