import { sql } from "drizzle-orm";
import type { Db } from "../core/client.ts";
import { idTime, withPrefix } from "../core/ids.ts";
import { hashSecret } from "../core/secrets.ts";
import { isOneOf } from "../schema/columns.ts";
import { SETTLING_OUTCOMES } from "../schema/values.ts";

/** Describes a counted click, as a conversion refers to it. Times are in milliseconds since 1970. */
export type Click = {
  decisionId: string;
  placementId: string;
  offerId: string;
  revision: number;
  place: number;
  arm: string;
  advertiserId: string;
  country: string;
  sessionHash: string | null;
  emailHash: string | null;
  clickedAt: number;
};

/** Tells whose conversion secret this is, and the click that it reports; null where there is none. */
export type Reported = { advertiserId: string | null; click: Click | null };

/**
 * Looks up a secret and a click in one round trip.
 *
 * @param decision the click id's first part, the suffix of a decision's id
 * @param offer its second part, the suffix of an offer's id
 */
export const findReported = async (db: Db, secret: string, decision: string, offer: string): Promise<Reported> => {
  const decisionId = withPrefix("decision", decision);
  const issuedOn = sql`(to_timestamp(${idTime(decisionId)} / 1000.0) at time zone 'UTC')::date`;
  const result = await db.execute<Reported>(sql`
    select
      (select id from advertisers where conversion_secret_hash = ${await hashSecret(secret)}) as "advertiserId",
      (select jsonb_build_object('decisionId', e.decision_id, 'placementId', e.placement_id, 'offerId', e.offer_id,
        'revision', e.revision, 'place', e.place, 'arm', e.arm,
        'advertiserId', e.advertiser_id, 'country', e.country, 'sessionHash', e.session_hash, 'emailHash', e.email_hash,
        'clickedAt', floor(extract(epoch from e.occurred_at) * 1000))
        from events e
        where e.issued_on = ${issuedOn} and e.decision_id = ${decisionId}
          and e.offer_id = ${withPrefix("offer", offer)} and e.kind = 'click' and ${isOneOf(sql`e.outcome`, SETTLING_OUTCOMES)}) as click`);
  return result.rows[0] ?? { advertiserId: null, click: null };
};
