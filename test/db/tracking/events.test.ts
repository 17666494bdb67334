import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { recordRejects } from "../../../db/tracking/rejects.ts";
import { recordRequests } from "../../../db/tracking/requests.ts";
import { newId } from "../../../db/core/ids.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { countsOf, DAY, expectExactCounts, hitsOf, idAt, makeHit } from "../../support/tracking/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

let h: Harness;
let advertiserId: string;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const outbox = async () =>
  (await h.rows<{ n: number }>("select count(*)::int as n from publish_outbox where document_key = 'network'"))[0]?.n;

const clicks = (offerId: string, count: number, occurredAt = Date.now()) =>
  Array.from({ length: count }, () =>
    makeHit({ offerId, occurredAt, decisionId: idAt("decision", occurredAt - 1_000) }),
  );

describe("recordHits", () => {
  it("stores a hit once, however often it is delivered", async () => {
    const hit = makeHit();
    await recordHits(h.db, [hit, hit]);
    await recordHits(h.db, [hit]);
    expect(await hitsOf(h, hit.offerId)).toEqual(["click counted 1"]);
  });

  it("counts the earliest hit of a kind on an offer of a decision; the others are duplicates", async () => {
    const first = makeHit();
    const again = (later: number) => ({ ...first, id: newId("event"), occurredAt: first.occurredAt + later });
    await recordHits(h.db, [again(2), first, again(1)]);
    await recordHits(h.db, [again(3), again(-1)]);
    expect(await hitsOf(h, first.offerId)).toEqual(["click counted 1", "click duplicate 4"]);
    expect(await h.rows("select id from events where offer_id = $1 and outcome = 'counted'", [first.offerId])).toEqual([
      { id: first.id },
    ]);
  });

  it("counts each kind, offer and decision by itself", async () => {
    const click = makeHit();
    const hits = [
      click,
      { ...click, id: newId("event"), kind: "close" as const },
      { ...click, id: newId("event"), offerId: newId("offer") },
      makeHit({ offerId: click.offerId }),
    ];
    await recordHits(h.db, hits);
    expect(await hitsOf(h, click.offerId)).toEqual(["click counted 2", "close counted 1"]);
  });

  it("keeps what must not count under its reason, and lets a real hit of the same decision count", async () => {
    const hit = makeHit();
    const { decisionId, offerId } = hit;
    const reasons = ["bot", "expired", "test", null] as const;
    await recordHits(
      h.db,
      reasons.map((reason, i) => makeHit({ decisionId, offerId, reason, occurredAt: hit.occurredAt + i })),
    );
    expect(await hitsOf(h, hit.offerId)).toEqual(["click bot 1", "click counted 1", "click expired 1", "click test 1"]);
  });

  it("dates a hit by the day it occurred, and files it under the day of its decision", async () => {
    const now = Date.now();
    const hit = makeHit({ decisionId: idAt("decision", now - DAY), occurredAt: now });
    await recordHits(h.db, [hit]);
    expect(await countsOf(h, hit.offerId)).toMatchObject([{ day: dayOf(now), clicks: 1 }]);
    expect(await h.rows("select issued_on::text from events where id = $1", [hit.id])).toEqual([
      { issued_on: dayOf(now - DAY) },
    ]);
  });

  it("stores, counts and bills a hit of a site, placement and offer that are gone", async () => {
    const { site, placement } = await makeInventory(h.db);
    const offer = await makeOffer(h.db, advertiserId);
    await h.rows("delete from sites where id = $1", [site.id]);
    await h.rows("delete from offers where id = $1", [offer.id]);
    await recordHits(h.db, [makeHit({ placementId: placement.id, offerId: offer.id })]);
    expect(await countsOf(h, offer.id)).toMatchObject([
      { placement: placement.id, advertiser: advertiserId, clicks: 1, gross: 500_000, revenue: 350_000 },
    ]);
  });

  it("writes nothing for no hits", async () => {
    expect(await recordHits(h.db, [])).toMatchObject({ outdated: [] });
  });

  it("finds earlier hits by index, however many events there are", async () => {
    await h.rows(
      `insert into events (issued_on, id, kind, outcome, occurred_at, decision_id, placement_id, offer_id, advertiser_id,
        country, gross_micros, revenue_micros)
      select current_date, 'old_' || n, 'click', 'counted', now(), 'dec_' || n, 'plc', 'ofr', 'adv', 'US', 0, 0
      from generate_series(1, 20000) n`,
    );
    await h.rows("analyze events");
    const conversion = { kind: "conversion" as const, transactionId: "t", amountMicros: null, currency: null };
    const some = Array.from({ length: 98 }, () => makeHit());
    const hits = [...some, makeHit({ reason: "bot" }), Object.assign(makeHit(), conversion)];
    await recordHits(h.db, hits);
    const statement = h.database.trips.flat().findLast((query) => query.includes("incoming")) ?? "";
    const plan = JSON.stringify(await h.rows(`explain (format json) ${statement}`, [JSON.stringify(hits)]));
    await h.rows("delete from events where offer_id = 'ofr'");
    for (const name of ["events_settled_once_idx", "events_uncounted_idx", "events_transaction_once_idx"]) {
      expect(plan).toContain(`"Index Name":"${name}","Relation Name":"events"`);
    }
    expect(plan).not.toMatch(/"Node Type":"Seq Scan","[^{}]*"Relation Name":"events"/);
  });
});

const isCapped = async (id: string) => (await h.count("offers where id = $1 and capped_through is not null", [id])) > 0;

describe("caps", () => {
  it("announces a daily cap when it is reached, and once", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 3 });
    await recordHits(h.db, clicks(id, 2));
    expect(await isCapped(id)).toBe(false);
    const before = (await outbox()) ?? 0;
    expect(await recordHits(h.db, clicks(id, 2))).toMatchObject({ outdated: [documentKey.network] });
    expect(await isCapped(id)).toBe(true);
    expect(await recordHits(h.db, clicks(id, 5))).toMatchObject({ outdated: [] });
    expect(await outbox()).toBe(before + 1);
    expect(await h.rows("select used::int from offer_usage where offer_id = $1", [id])).toEqual([{ used: 3 }]);
  });

  it("counts towards a cap what is paid for only", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 1 });
    const hit = makeHit({ offerId: id });
    const { decisionId } = hit;
    const unpaid = [
      makeHit({ offerId: id, decisionId, kind: "impression" }),
      makeHit({ offerId: id, decisionId, kind: "close" }),
      makeHit({ offerId: id, decisionId, reason: "bot" }),
    ];
    expect(await recordHits(h.db, unpaid)).toMatchObject({ outdated: [] });
    expect(await recordHits(h.db, [hit])).toMatchObject({ outdated: [documentKey.network] });
  });

  it("begins a day's cap again on the next", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 3 });
    await recordHits(h.db, clicks(id, 2, Date.now() - DAY));
    await recordHits(h.db, clicks(id, 2));
    expect(await isCapped(id)).toBe(false);
    expect(await recordHits(h.db, clicks(id, 1))).toMatchObject({ outdated: [documentKey.network] });
    expect(await isCapped(id)).toBe(true);
  });

  it("adds up the days for a lifetime cap, also of one batch, and announces it once", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 10 });
    expect(await recordHits(h.db, clicks(id, 8, Date.now() - DAY))).toMatchObject({ outdated: [] });
    const bothDays = [...clicks(id, 1, Date.now() - DAY), ...clicks(id, 1)];
    expect(await recordHits(h.db, bothDays)).toMatchObject({ outdated: [documentKey.network] });
    expect(await recordHits(h.db, clicks(id, 1))).toMatchObject({ outdated: [] });
  });

  it("announces a cap that many consumers reach together, and nothing of it afterwards", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 10, lifetimeCap: 1_000 });
    const results = await Promise.all(Array.from({ length: 20 }, () => recordHits(h.db, clicks(id, 1))));
    // Each step of its taper is announced as well.
    const announced = results.filter((result) => result.outdated.length > 0).length;
    expect(announced).toBeGreaterThanOrEqual(1);
    expect(announced).toBeLessThanOrEqual(10);
    expect(await isCapped(id)).toBe(true);
    expect(await recordHits(h.db, clicks(id, 1))).toMatchObject({ outdated: [] });
    await expectExactCounts(h);
  });
});

describe("recordRequests", () => {
  it("adds up a flush's rows, and counts a flush once", async () => {
    const placementId = newId("placement");
    const row = { hour: Date.now(), placementId, country: "US", arm: "0", requests: 2, fills: 1, reasons: {} };
    const flush = { id: newId("event"), rows: [row, row, { ...row, country: "DE" }], facts: [] };
    await recordRequests(h.db, [flush, flush]);
    await recordRequests(h.db, [flush]);
    expect(
      await h.rows(
        "select country, requests::int, fills::int from daily_counters where placement_id = $1 order by country",
        [placementId],
      ),
    ).toEqual([
      { country: "DE", requests: 2, fills: 1 },
      { country: "US", requests: 4, fills: 2 },
    ]);
  });
});

describe("recordRejects", () => {
  it("keeps a message once", async () => {
    const reject = { id: newId("event"), reason: "not an object", body: '"\\u0000 \\ud800"' };
    await recordRejects(h.db, [reject]);
    await recordRejects(h.db, [reject]);
    expect(await h.rows("select id, reason, body from tracking_rejects")).toEqual([reject]);
  });
});
