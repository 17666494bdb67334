import { newId } from "../../../db/core/ids.ts";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import type { CandidatesDocument } from "../../../db/documents/types.ts";
import type { RateSums } from "../../../db/learning/sums.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../factories.ts";
import type { Harness } from "../harness.ts";
import { DAY, makeHit, message } from "../tracking/hits.ts";

/**
 * Forgets all that was counted and learned, in a database that no other test looks at. From then on, what is learned
 * today weighs 1, whatever the age of the database.
 */
export const forget = async (h: Harness): Promise<void> => {
  await h.rows(
    `truncate daily_counters, creative_counters, daily_parts, daily_hits, events, rate_cells, rate_offers, rate_clicks,
      rate_advertisers, rate_places, rate_slots`,
  );
  await h.rows(
    `update rate_network set clicks = 0, exposure = 0, conversions = 0, clicked = 0, maturity = 1,
      origin = (now() at time zone 'UTC')::date - date '1970-01-01'`,
  );
};

/** Makes an offer of an advertiser of its own, at a placement of its own. */
export const makeOne = async (h: Harness, columns: Parameters<typeof makeOffer>[2] = {}) => {
  const inventory = await makeInventory(h.db);
  const advertiser = await makeAdvertiser(h.db);
  const offer = await makeOffer(h.db, advertiser.id, { includeSites: [inventory.site.id], ...columns });
  return { ...inventory, placementId: inventory.placement.id, offerId: offer.id, advertiserId: advertiser.id };
};

type Hit = Parameters<typeof makeHit>[0];
/** Names an offer and the placement where it is shown. */
type At = { placementId: string; offerId: string };

/** Delivers hits, filled in with defaults. */
export const deliver = (h: Harness, hits: Hit[]) => h.deliver(hits.map((hit) => message(makeHit(hit))));

/** Delivers impressions, each of a decision of its own, and clicks on the first of them. */
export const deliverSome = async (h: Harness, at: At, impressions: number, clicks: number, more: Hit = {}) => {
  for (let i = 0; i < impressions; i += 50) {
    await deliver(
      h,
      Array.from({ length: Math.min(50, impressions - i) }, (_, j) => j + i).flatMap((n) => {
        const decisionId = newId("decision");
        const hit = { sessionHash: decisionId, ...more, ...at, decisionId };
        return n < clicks
          ? [
              { ...hit, kind: "impression" as const },
              { ...hit, kind: "click" as const },
            ]
          : [{ ...hit, kind: "impression" as const }];
      }),
    );
  }
};

/** Learns from what was counted since the last time. */
export const learn = (h: Harness) => h.cron();

/** Learns as the cron does after an hour, which includes its estimates. */
export const estimate = async (h: Harness): Promise<void> => {
  await h.rows("update rate_network set estimated_at = now() - interval '61 minutes'");
  await learn(h);
};

/** Returns today, counted in days since 1970, as in rates. */
export const today = () => Math.floor(Date.now() / DAY);

/** Returns what is known of the whole network, and how days weigh in it. */
export const networkOf = async (h: Harness) => {
  type Network = RateSums & { half_life: number; origin: number };
  const rows = await h.rows<Network>(
    "select clicks, exposure, conversions, clicked, half_life, origin from rate_network",
  );
  return rows[0] as Network;
};

/** Returns what is known of an offer in a placement and the United States. */
export const cellOf = async (h: Harness, { placementId, offerId }: At) => {
  const rows = await h.rows<RateSums & { lift: number }>(
    `select c.clicks, c.exposure, c.conversions, c.clicked, c.lift from rate_cells c join offers o on o.serial = c.serial
    and o.creative = c.creative where c.placement_id = $1 and o.id = $2 and c.country = 'US'`,
    [placementId, offerId],
  );
  return rows[0];
};

/** Returns which part of an offer's conversions is thought to have come. */
export const maturityOf = async (h: Harness, offerId: string) =>
  (await h.rows<{ maturity: number }>("select maturity from rate_offers where offer_id = $1", [offerId]))[0]?.maturity;

/** Builds a placement's list for a country, and returns the index of an offer in it, and what it says was learned. */
export const toldOf = async (h: Harness, { placementId, offerId }: At, country: string) => {
  const key = documentKey.candidates(placementId, country);
  const document = (await buildDocuments(h.db, [key])).get(key)?.value as CandidatesDocument;
  return { index: document.offers.findIndex(({ id }) => id === offerId), learned: document.learned };
};
