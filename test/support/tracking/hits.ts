import { expect } from "vitest";
import type { Hit } from "../../../db/tracking/hits.ts";
import { idSuffix, idTime, newId, withPrefix, type Entity } from "../../../db/core/ids.ts";
import { parseKeyRing } from "../../../db/core/secrets/secrets.ts";
import { partOf } from "../../../functions/decision/arms.ts";
import { sealDecision, tokenOf, type SealedDecision } from "../../../functions/answer/tracking-token.ts";
import type { Harness } from "../harness.ts";
import { SECRETS } from "../secrets.ts";

export const MINUTE = 60_000;
export const DAY = 86_400_000;

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns an id as it would have been made at a time, in milliseconds since 1970. */
export const idAt = (entity: Entity, time: number): string => {
  let digits = "";
  for (let rest = time; digits.length < 10; rest = Math.floor(rest / 32)) digits = BASE32.charAt(rest % 32) + digits;
  return withPrefix(entity, digits + idSuffix(newId(entity)).slice(10));
};

/** Returns a valid token for a revision of an offer, the only one in a decision made at `issuedAt`. */
export const mint = (
  offerId: string,
  {
    issuedAt = Date.now(),
    keys = SECRETS.TRACKING_KEYS,
    revision = 1,
    ...decision
  }: Partial<SealedDecision> & { issuedAt?: number; keys?: string; revision?: number } = {},
): string => {
  const sealed = {
    decisionId: idAt("decision", issuedAt),
    placementId: newId("placement"),
    country: "US",
    isTest: false,
    arm: "0",
    sessionHash: null,
    emailHash: null,
    ...decision,
  };
  const offer = { id: offerId, revision };
  return tokenOf(sealDecision(parseKeyRing(keys), sealed, [offer]), offer);
};

/** Returns a hit: by default a click, made now, on an unknown offer. `issuedAt` is the time of its decision. */
export const makeHit = (overrides: Partial<Hit> = {}): Hit => {
  const { decisionId = newId("decision"), sessionHash = null } = overrides;
  return {
    id: newId("event"),
    kind: "click",
    reason: null,
    issuedAt: idTime(decisionId),
    occurredAt: Date.now(),
    decisionId,
    placementId: newId("placement"),
    offerId: newId("offer"),
    revision: 1,
    place: 0,
    arm: "0",
    part: partOf(sessionHash, decisionId),
    country: "US",
    sessionHash,
    emailHash: null,
    addressHash: null,
    ...overrides,
  };
};

/** Returns a hit as the events queue carries it. */
export const message = (hit: Hit) => ({ id: newId("event"), body: { type: "hit", hit } });

const BILLED =
  "e.kind = case r.pricing when 'CPM' then 'impression' when 'CPC' then 'click' when 'CPA' then 'conversion' end";

const COUNTERS = {
  kept: `select day::text, placement_id, offer_id, advertiser_id, country, arm, place, impressions, viewables, clicks, closes,
      declines, endings, conversions, transactions, billed, gross_micros, revenue_micros
    from daily_counters where offer_id <> '' and impressions + viewables + clicks + closes + conversions > 0
    order by 1, 2, 3, 4, 5, 6, 7`,
  recounted: `select (occurred_at at time zone 'UTC')::date::text as day, placement_id, offer_id, advertiser_id, country,
      arm, place, count(*) filter (where kind = 'impression') as impressions, count(*) filter (where kind = 'viewable') as viewables,
      count(*) filter (where kind = 'click') as clicks, count(*) filter (where kind = 'close') as closes,
      count(*) filter (where closing = 'decline') as declines, count(*) filter (where closing = 'close') as endings,
      count(*) filter (where kind = 'conversion') as conversions, count(amount_micros) as transactions,
      count(*) filter (where ${BILLED}) as billed, sum(gross_micros)::bigint as gross_micros,
      sum(revenue_micros)::numeric(40, 4) as revenue_micros
    from events e left join offer_revisions r using (offer_id, revision, advertiser_id)
    where outcome = 'counted' group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`,
};
const PARTED = {
  kept: `select day::text, arm, part, sum(gross_micros)::bigint as gross, sum(revenue_micros)::numeric(40, 4) as revenue
    from daily_parts where gross_micros <> 0 group by 1, 2, 3 order by 1, 2, 3`,
  recounted: `select (occurred_at at time zone 'UTC')::date::text as day, arm, part, sum(gross_micros)::bigint as gross,
      sum(revenue_micros)::numeric(40, 4) as revenue
    from events where outcome = 'counted' and gross_micros > 0 and part is not null group by 1, 2, 3 order by 1, 2, 3`,
};
const BY_CREATIVE = {
  kept: `select day::text, placement_id, offer_id, advertiser_id, country, arm, place, creative, impressions, viewables, clicks,
      closes, conversions, transactions, gross_micros, revenue_micros
    from creative_counters where impressions + viewables + clicks + closes + conversions > 0 order by 1, 2, 3, 4, 5, 6, 7, 8`,
  recounted: `select (occurred_at at time zone 'UTC')::date::text as day, placement_id, offer_id, advertiser_id, country,
      arm, place, creative, count(*) filter (where kind = 'impression') as impressions,
      count(*) filter (where kind = 'viewable') as viewables, count(*) filter (where kind = 'click') as clicks,
      count(*) filter (where kind = 'close') as closes, count(*) filter (where kind = 'conversion') as conversions,
      count(amount_micros) as transactions, sum(gross_micros)::bigint as gross_micros,
      sum(revenue_micros)::numeric(40, 4) as revenue_micros
    from events where outcome = 'counted' and creative > 0 group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8`,
};
// Repeated hits are counted and not stored, so only their number can be recounted.
const HITS = {
  kept: `select day::text, placement_id, offer_id, kind, outcome, sum(hits)::bigint as hits from daily_hits
    where outcome in ('counted', 'repeated', 'over_cap', 'reversed') and hits > 0
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  recounted: `select (occurred_at at time zone 'UTC')::date::text as day, placement_id, offer_id, kind, outcome,
      count(*) as hits
    from events where outcome in ('counted', 'repeated', 'over_cap', 'reversed')
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
};
const TOTAL = {
  kept: `select coalesce(sum(hits), 0)::bigint as hits from daily_hits`,
  recounted: `select ((select count(*) from events) + (select count(*) from counted_repeats))::bigint as hits`,
};
const USAGE = {
  kept: `select offer_id, day::text, used from offer_usage where used > 0 order by 1, 2`,
  recounted: `select e.offer_id, (e.occurred_at at time zone 'UTC')::date::text as day, count(*) as used
    from events e join offers o on o.id = e.offer_id
    join offer_revisions r on r.offer_id = e.offer_id and r.revision = e.revision
    where e.outcome = 'counted' and (o.daily_cap is not null or o.lifetime_cap is not null) and ${BILLED}
    group by 1, 2 order by 1, 2`,
};
const OVERRUN = {
  kept: `select o.id from offers o where o.lifetime_cap < (select sum(used) from offer_usage u where u.offer_id = o.id)
    union all select o.id from offers o join offer_usage u on u.offer_id = o.id where o.daily_cap < u.used`,
  recounted: `select where false`,
};
const REPEATED = {
  kept: `with owners as (select placement_id, max(publisher_id) as publisher_id from daily_counters group by 1)
    select e.id from events e join offer_revisions r using (offer_id, revision) join owners o using (placement_id)
    join events other on other.offer_id = e.offer_id and other.kind = e.kind and other.session_hash = e.session_hash
      and other.id <> e.id and other.outcome = 'counted'
      and abs(extract(epoch from other.occurred_at - e.occurred_at)) < 86400
    join owners of_other on of_other.placement_id = other.placement_id and of_other.publisher_id = o.publisher_id
    where e.outcome = 'counted' and e.kind in ('impression', 'click') and ${BILLED}`,
  recounted: `select where false`,
};

/** Finds counters whose notes of what teaches, or of what was learned, are wrong. */
const learnedFrom = (table: string) => ({
  kept: `select * from ${table}
    where untaught_impressions not between 0 and impressions or untaught_clicks not between 0 and clicks
      or inert_clicks not between 0 and clicks or inert_conversions > conversions
      or (is_learned and offer_id <> '' and (learned_impressions, learned_clicks, learned_conversions, learned_inert_clicks)
        <> (impressions - untaught_impressions, clicks - untaught_clicks, conversions - inert_conversions, inert_clicks))`,
  recounted: `select where false`,
});
const LEARNED = [learnedFrom("daily_counters"), learnedFrom("creative_counters")];

/**
 * Expects counters, hits and usage to be what a recount of all stored events gives, and billing to be within every cap
 * and at most once a day for each customer.
 */
export const expectExactCounts = async (h: Harness): Promise<void> => {
  for (const { kept, recounted } of [
    COUNTERS,
    PARTED,
    BY_CREATIVE,
    HITS,
    TOTAL,
    USAGE,
    OVERRUN,
    REPEATED,
    ...LEARNED,
  ]) {
    expect(await h.rows(kept)).toEqual(await h.rows(recounted));
  }
};

/** Returns an offer's daily counters as numbers, without the offer's ids. */
export const countsOf = (h: Harness, offerId: string) =>
  h.rows(
    `select day::text, placement_id as placement, advertiser_id as advertiser, country, impressions::int, viewables::int,
      clicks::int, closes::int, conversions::int, gross_micros::int as gross, revenue_micros::float8 as revenue
    from daily_counters where offer_id = $1 order by 1, 2, 3, 4`,
    [offerId],
  );

/** Returns an offer's hits as texts of kind, outcome and number. */
export const hitsOf = async (h: Harness, offerId: string): Promise<string[]> => {
  const rows = await h.rows<{ line: string }>(
    `select kind || ' ' || outcome || ' ' || sum(hits) as line from daily_hits where offer_id = $1
    group by kind, outcome order by 1`,
    [offerId],
  );
  return rows.map((row) => row.line);
};

/** Counts the hits on an offer that came through the queue, of every outcome. */
export const storedHits = async (h: Harness, offerId: string): Promise<number> => {
  const total = "select coalesce(sum(hits), 0)::int as hits from daily_hits where offer_id = $1";
  return (await h.rows<{ hits: number }>(total, [offerId]))[0]?.hits ?? 0;
};

/** Waits until as many hits on an offer have come through the queue. */
export const stored = (h: Harness, offerId: string, hits: number): Promise<number> =>
  h.until(
    () => storedHits(h, offerId),
    (found) => found >= hits,
  );
