import { expect } from "vitest";
import type { Hit } from "../../db/tracking/events.ts";
import { idSuffix, idTime, newId, withPrefix, type Entity } from "../../db/core/ids.ts";
import { parseKeyRing } from "../../db/core/secrets.ts";
import { sealDecision, tokenOf, type SealedDecision } from "../../functions/answer/tracking-token.ts";
import type { Harness } from "./harness.ts";
import { SECRETS } from "./secrets.ts";

export const MINUTE = 60_000;
export const DAY = 86_400_000;

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns an id as it would have been made at a time, in milliseconds since 1970. */
export const idAt = (entity: Entity, time: number): string => {
  let digits = "";
  for (let rest = time; digits.length < 10; rest = Math.floor(rest / 32)) digits = BASE32.charAt(rest % 32) + digits;
  return withPrefix(entity, digits + idSuffix(newId(entity)).slice(10));
};

/** Returns a valid token for an offer of a decision made at `issuedAt`. */
export const mint = (
  offerId: string,
  {
    issuedAt = Date.now(),
    keys = SECRETS.TRACKING_KEYS,
    ...decision
  }: Partial<SealedDecision> & { issuedAt?: number; keys?: string } = {},
): string => {
  const sealed = {
    decisionId: idAt("decision", issuedAt),
    placementId: newId("placement"),
    country: "US",
    isTest: false,
    sessionHash: null,
    emailHash: null,
    ...decision,
  };
  return tokenOf(sealDecision(parseKeyRing(keys), sealed, [offerId]), offerId);
};

/** Returns a hit: by default a click, made now, on an unknown offer. It was issued at the time of its decision. */
export const makeHit = (overrides: Partial<Hit> = {}): Hit => {
  const decisionId = overrides.decisionId ?? newId("decision");
  return {
    id: newId("event"),
    kind: "click",
    reason: null,
    issuedAt: idTime(decisionId),
    occurredAt: Date.now(),
    decisionId,
    placementId: newId("placement"),
    offerId: newId("offer"),
    country: "US",
    sessionHash: null,
    emailHash: null,
    ...overrides,
  };
};

/** Returns a hit as the events queue carries it. */
export const message = (hit: Hit) => ({ id: newId("event"), body: { type: "hit", hit } });

const COUNTERS = {
  kept: `select day::text, placement_id, offer_id, advertiser_id, country, impressions, viewables, clicks, closes,
      conversions, gross_micros, revenue_micros
    from daily_counters where offer_id <> '' order by 1, 2, 3, 4, 5`,
  recounted: `select (occurred_at at time zone 'UTC')::date::text as day, placement_id, offer_id, advertiser_id, country,
      count(*) filter (where kind = 'impression') as impressions, count(*) filter (where kind = 'viewable') as viewables,
      count(*) filter (where kind = 'click') as clicks, count(*) filter (where kind = 'close') as closes,
      count(*) filter (where kind = 'conversion') as conversions,
      sum(gross_micros)::bigint as gross_micros, sum(revenue_micros)::bigint as revenue_micros
    from events where outcome = 'counted' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
};
const HITS = {
  kept: `select day::text, placement_id, offer_id, kind, outcome, hits from daily_hits order by 1, 2, 3, 4, 5`,
  recounted: `select (occurred_at at time zone 'UTC')::date::text as day, placement_id, offer_id, kind, outcome,
      count(*) as hits
    from events group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
};
const USAGE = {
  kept: `select offer_id, day::text, used from offer_usage order by 1, 2`,
  recounted: `select e.offer_id, (e.occurred_at at time zone 'UTC')::date::text as day, count(*) as used
    from events e join offers o on o.id = e.offer_id
    where e.outcome = 'counted' and (o.daily_cap is not null or o.lifetime_cap is not null)
      and e.kind = case o.pricing when 'CPM' then 'impression' when 'CPC' then 'click' else 'conversion' end
    group by 1, 2 order by 1, 2`,
};

/** Expects counters, hits and usage to equal a recount of all stored events. */
export const expectExactCounts = async (h: Harness): Promise<void> => {
  for (const { kept, recounted } of [COUNTERS, HITS, USAGE]) {
    expect(await h.rows(kept)).toEqual(await h.rows(recounted));
  }
};

/** Returns an offer's daily counters as numbers, without the offer's ids. */
export const countsOf = (h: Harness, offerId: string) =>
  h.rows(
    `select day::text, placement_id as placement, advertiser_id as advertiser, country, impressions::int, viewables::int,
      clicks::int, closes::int, conversions::int, gross_micros::int as gross, revenue_micros::int as revenue
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

/** Counts the stored hits on an offer. */
export const storedHits = async (h: Harness, offerId: string): Promise<number> =>
  (await h.rows("select from events where offer_id = $1", [offerId])).length;

/** Waits until as many hits on an offer have come through the queue. */
export const stored = (h: Harness, offerId: string, hits: number): Promise<number> =>
  h.until(
    () => storedHits(h, offerId),
    (found) => found >= hits,
  );
