import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { offers } from "../../db/schema/demand.ts";
import { hash32 } from "../../functions/core/hash.ts";
import { isThrottled, shareOf } from "../../functions/decision/pacing/steps.ts";
import { askOffers } from "../support/ask-offers.ts";
import { keysOf, untilStored } from "../support/documents/stored.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { DAY, hitsOf, makeHit, message } from "../support/tracking/hits.ts";

const HOUR = 3_600_000;

let h: Harness;
let advertiserId: string;
beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

type Columns = Partial<typeof offers.$inferInsert>;
type Inventory = Awaited<ReturnType<typeof makeInventory>>;

const CPM = { pricing: "CPM", bidMicros: 1_000_000, pacing: "EVEN" } as const;

/** Makes a place with four weeks of traffic, of the given number of requests in each hour. */
const makePlace = async (perHour: number): Promise<Inventory> => {
  const inventory = await makeInventory(h.db);
  await h.rows(
    `insert into hourly_requests (hour, placement_id, country, reason, arm, requests)
     select date_trunc('hour', now(), 'UTC') - make_interval(hours => n), $1, 'US', '', '0', $2 from generate_series(1, 680) n`,
    [inventory.placement.id, perHour],
  );
  return inventory;
};
/** Makes an offer for the place alone, which is listed by the time this returns; another offer fills its answers. */
const makePaced = async ({ publisher, site, placement }: Inventory, columns: Columns) => {
  const offer = await makeOffer(h.db, advertiserId, { ...CPM, includeSites: [site.id], ...columns });
  await makeOffer(h.db, advertiserId, { priority: 2, includeSites: [site.id] });
  await h.rows("insert into publish_outbox (document_key) values ('network')");
  await h.cron();
  const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", count: "1" };
  await askOffers(h, asked);
  await untilStored(h, keysOf(publisher.publicKey, placement.id));
  return { offer, asked };
};
const paceOf = async (serial: number) => {
  const [row] = await h.rows<{ step: number; exposure: number; paced_at: Date | null }>(
    "select * from offer_paces where serial = $1",
    [serial],
  );
  return row;
};
/** Asks for offers in many sessions, and lists those that saw an offer. */
const seenBy = async (
  asked: Parameters<typeof askOffers>[1],
  id: string,
  sessions: readonly string[],
): Promise<string[]> => {
  const seen: string[] = [];
  for (let i = 0; i < sessions.length; i += 50) {
    const some = sessions.slice(i, i + 50);
    const answers = await Promise.all(some.map((sessionId) => askOffers(h, { ...asked, sessionId })));
    seen.push(...some.filter((_, k) => answers[k]?.ids.includes(id)));
  }
  return seen;
};
const sessionsOf = (count: number) => Array.from({ length: count }, (_, i) => `session ${i}`);
const unthrottled = (sessions: readonly string[], id: string, step: number) =>
  sessions.filter((session) => !isThrottled(shareOf(step), hash32(session), hash32(id)));

const deliverAll = async (id: string, count: number) => {
  for (let i = 0; i < count; i += 100) {
    const some = Math.min(100, count - i);
    await h.deliver(Array.from({ length: some }, () => message(makeHit({ offerId: id, kind: "impression" }))));
  }
};

describe("an offer of pacing EVEN", () => {
  it("is shown to the share of sessions that uses up its cap along the curve of its traffic", async () => {
    const endsAt = new Date(Date.now() + 7 * DAY);
    const { offer, asked } = await makePaced(await makePlace(1_000), { lifetimeCap: 16_800, endsAt });
    // A week has 168,000 requests, and the offer is assumed to win each: a tenth of all sessions is the 27th step.
    const step = Math.round(8 * Math.log2(10));
    expect(await paceOf(offer.serial)).toMatchObject({ step });
    const sessions = sessionsOf(500);
    const seen = await seenBy(asked, offer.id, sessions);
    expect(seen).toEqual(unthrottled(sessions, offer.id, step));
    expect(seen.length).toBeGreaterThan(20);

    // In ten minutes, a tenth of all sessions brought 50 paid events: 3,000 in an average hour, if all saw the offer.
    await h.deliver(Array.from({ length: 50 }, () => message(makeHit({ offerId: offer.id, kind: "impression" }))));
    const [begun] = await h.rows<{ at: Date }>(
      "update offer_paces set paced_at = now() - interval '10 minutes' where serial = $1 returning paced_at as at",
      [offer.serial],
    );
    await h.cron();
    const [ended] = await h.rows<{ hours: number }>(
      "select (extract(epoch from now() - $1::timestamptz) / 3600)::float8 as hours",
      [begun?.at],
    );
    const after = await paceOf(offer.serial);
    // The ten minutes, and the time until the cron came to the offer.
    const exposure = after?.exposure ?? Number.NaN;
    expect(exposure).toBeGreaterThanOrEqual(shareOf(step) / 6);
    expect(exposure).toBeLessThanOrEqual(shareOf(step) * (ended?.hours ?? 0));
    // What is left is for the rest of the week, except what the next minute still brings by the previous share.
    const rate = 51 / (exposure + 1 / 1_000);
    const left = 16_750 - (rate * shareOf(step)) / 60;
    const hours = (endsAt.getTime() - (after?.paced_at?.getTime() ?? 0)) / HOUR - 1 / 60;
    expect(after?.step).toBe(Math.round(8 * Math.log2((hours * rate) / left)));
    expect(await h.rows("select * from publish_outbox where document_key = 'network'")).toEqual([]);
    const expected = unthrottled(sessions, offer.id, after?.step ?? 0);
    // An answer that would have to wait too long for the published step may still use the previous one.
    const fewer = await h.until(
      () => seenBy(asked, offer.id, sessions),
      ({ length }) => length === expected.length,
    );
    expect(fewer).toEqual(expected);
    expect(seen).toEqual(expect.arrayContaining(fewer));
  });

  it("follows the hours of its traffic, of its countries and sites alone", async () => {
    const inventory = await makeInventory(h.db);
    // Taken once, because the next hour may begin between any two statements.
    const [begun] = await h.rows<{ hour: Date }>("select date_trunc('hour', now(), 'UTC') as hour");
    const hour = begun?.hour ?? new Date(Number.NaN);
    // Half of the traffic comes in the hour of each day that begins then, elsewhere and in other countries it does not.
    await h.rows(
      `insert into hourly_requests (hour, placement_id, country, reason, arm, requests)
       select at, $1, country, '', '0', case when country = 'FR' then 5000 when n % 24 = 0 then 2300 else 100 end
       from generate_series(1, 680) n cross join (values ('US'), ('FR')) c (country)
         cross join lateral (select $2::timestamptz - make_interval(hours => n) as at) hours`,
      [inventory.placement.id, hour],
    );
    const endsAt = new Date(hour.getTime() + 25 * HOUR);
    const { offer } = await makePaced(inventory, { lifetimeCap: 2_400, endsAt, countries: ["US"] });
    const [curve] = await h.rows<{ requests: number[] }>(
      "select requests from traffic_curves where requests[1] = any (array[400, 9200]::float8[])",
    );
    expect(curve?.requests.toSorted((a, b) => b - a).slice(0, 8)).toEqual([...Array<number>(7).fill(9_200), 400]);
    // This hour's rest and the same hour of the next day have 2,300 to 4,600 requests, the hours between 2,300.
    const share = shareOf((await paceOf(offer.serial))?.step ?? 0);
    expect(share).toBeGreaterThan(0.9 * (2_400 / 6_900));
    expect(share).toBeLessThan(1.1 * (2_400 / 4_600));
  });

  it("begins with a sixteenth of all sessions where no traffic is known", async () => {
    const { offer } = await makePaced(await makeInventory(h.db), { dailyCap: 100 });
    expect(await paceOf(offer.serial)).toMatchObject({ step: 32, exposure: 0 });
  });

  it("keeps being paced by the curves that there are, where neither traffic nor new curves can be had", async () => {
    const { offer } = await makePaced(await makePlace(1_000), {
      lifetimeCap: 16_800,
      endsAt: new Date(Date.now() + 7 * DAY),
    });
    const { step } = (await paceOf(offer.serial)) ?? {};
    await deliverAll(offer.id, 50);
    await h.rows("update offer_paces set paced_at = now() - interval '10 minutes' where serial = $1", [offer.serial]);
    await h.rows("alter table hourly_traffic rename to renamed");
    try {
      await h.cron();
    } finally {
      await h.rows("alter table renamed rename to hourly_traffic");
    }
    expect((await paceOf(offer.serial))?.step).toBeGreaterThan(step ?? Infinity);
    const logged = h.logs().join("\n");
    expect(logged).toContain("adding up traffic failed");
    expect(logged).toContain("making curves failed");
  });

  it("has a pace only as long as it is EVEN and active", async () => {
    const { offer } = await makePaced(await makeInventory(h.db), { dailyCap: 100 });
    await h.rows("update offers set status = 'paused' where id = $1", [offer.id]);
    expect(await h.rows("select is_on from offer_paces where serial = $1", [offer.serial])).toEqual([{ is_on: false }]);
    await h.rows("update offers set status = 'active' where id = $1", [offer.id]);
    expect(await h.rows("select is_on, paced_at from offer_paces where serial = $1", [offer.serial])).toEqual([
      { is_on: true, paced_at: null },
    ]);
    await h.rows("update offers set pacing = 'ASAP' where id = $1", [offer.id]);
    expect(await paceOf(offer.serial)).toBeUndefined();
  });
});

describe("a burst of a thousand customers within ten seconds, which nobody has counted yet, and a cap of 100", () => {
  const sessions = sessionsOf(1_000);
  it("is all shown an offer of pacing ASAP; 100 are billed, and the next customer sees another", async () => {
    const { offer, asked } = await makePaced(await makeInventory(h.db), { pacing: "ASAP", dailyCap: 100 });
    const seen = await seenBy(asked, offer.id, sessions);
    expect(seen).toHaveLength(1_000);
    await deliverAll(offer.id, seen.length);
    expect(await hitsOf(h, offer.id)).toEqual(["impression counted 100", "impression over_cap 900"]);
    // The next answer may come from memory if it would have to wait too long for what was published.
    await h.until(
      () => askOffers(h, { ...asked, sessionId: "next" }),
      ({ ids }) => !ids.includes(offer.id),
    );
  });

  it("is shown an offer of pacing EVEN by the share of its pace, and all that saw it are billed", async () => {
    const { offer, asked } = await makePaced(await makeInventory(h.db), { dailyCap: 100 });
    const seen = await seenBy(asked, offer.id, sessions);
    expect(seen).toEqual(unthrottled(sessions, offer.id, 32));
    expect(seen.length).toBeLessThan(100);
    await deliverAll(offer.id, seen.length);
    expect(await hitsOf(h, offer.id)).toEqual([`impression counted ${seen.length}`]);
  });
});
