import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../../core/client.ts";
import { idTime } from "../../core/ids.ts";
import { hashSecret, keyBytes } from "../../core/secrets/secrets.ts";
import { paidKind } from "../../demand/caps/caps.ts";
import type { Hit } from "../hits.ts";
import { conversionObject, conversionRow, dayOf, isClick, type StoredConversion } from "./rows.ts";

/** Describes a settled click, as a conversion refers to it. Times are in milliseconds since 1970. */
export type Click = Pick<
  Hit,
  | "decisionId"
  | "placementId"
  | "offerId"
  | "revision"
  | "creative"
  | "place"
  | "arm"
  | "part"
  | "country"
  | "sessionHash"
  | "emailHash"
> & { advertiserId: string; clickedAt: number };

/**
 * Tells the click that an advertiser reports, the owner of the click's offer, whether a conversion of it would come
 * past a cap, and what is known of the transaction. What does not exist is null.
 */
export type Reported = {
  click: Click | null;
  ownerId: string | null;
  isOverCap: boolean;
  known: StoredConversion | null;
};

const advertiserWhere = async (db: Db, condition: SQL): Promise<string | null> =>
  (await db.execute<{ id: string }>(sql`select id from advertisers where ${condition}`)).rows[0]?.id ?? null;

/** Finds the advertiser that has this conversion secret; null when it is unknown or has ended. */
export const findAdvertiser = async (db: Db, secret: string): Promise<string | null> =>
  advertiserWhere(db, sql`conversion_secret_hash = ${await hashSecret(secret)}`);

/** Finds the advertiser that has this pixel key; null when it is unknown, or its conversion secret has ended. */
export const findPixelAdvertiser = (db: Db, pixelKey: string): Promise<string | null> =>
  advertiserWhere(db, sql`sha256(conversion_secret_hash::bytea) = decode(${keyBytes("pixel", pixelKey)}, 'hex')`);

/** Names a transaction of an advertiser. */
export type Transaction = { advertiserId: string; transactionId: string };

/** Names what a report is about: its click, and its transaction. */
export type Reference = { decisionId: string; offerId: string; transactionId: string };

/** Looks up all that a report refers to, in one round trip. */
export const findReported = async (
  db: Db,
  advertiserId: string,
  { decisionId, offerId, transactionId }: Reference,
): Promise<Reported> => {
  const issuedOn = dayOf(sql`${idTime(decisionId)}::bigint`);
  const result = await db.execute<Reported>(sql`
    with clicked as (
      select e.* from events e where ${isClick(sql`e`, { issuedOn, decisionId: sql`${decisionId}`, offerId: sql`${offerId}` })}
    )
    select
      (select jsonb_build_object('decisionId', e.decision_id, 'placementId', e.placement_id, 'offerId', e.offer_id,
        'revision', e.revision, 'creative', e.creative, 'place', e.place, 'arm', e.arm, 'part', e.part,
        'advertiserId', e.advertiser_id, 'country', e.country, 'sessionHash', e.session_hash, 'emailHash', e.email_hash,
        'clickedAt', floor(extract(epoch from e.occurred_at) * 1000)) from clicked e) as click,
      (select r.advertiser_id from offer_revisions r where r.offer_id = ${offerId} order by r.revision limit 1) as "ownerId",
      exists (
        select from clicked e
        join offer_revisions r on r.offer_id = e.offer_id and r.revision = e.revision and r.pricing = ${paidKind(sql`'conversion'`)}
        join offers o on o.id = e.offer_id and o.capped_through >= (now() at time zone 'UTC')::date) as "isOverCap",
      (select ${conversionObject} from (${conversionRow(sql`${advertiserId}`, transactionId)}) c) as known`);
  return result.rows[0] ?? { click: null, ownerId: null, isOverCap: false, known: null };
};

/** Makes the query for an advertiser's transaction. */
export const selectConversion = (db: Db, { advertiserId, transactionId }: Transaction) =>
  db.execute<{ conversion: StoredConversion }>(
    sql`select ${conversionObject} as conversion from (${conversionRow(sql`${advertiserId}`, transactionId)}) c`,
  );

/** Finds an advertiser's transaction; null when it was never reported. */
export const findConversion = async (db: Db, transaction: Transaction): Promise<StoredConversion | null> =>
  (await selectConversion(db, transaction)).rows[0]?.conversion ?? null;
