import { sql, type SQL } from "drizzle-orm";
import { documentKeySql } from "../documents/keys.ts";
import { categoryList } from "../inventory/categories.ts";
import type { Db } from "../core/client.ts";
import {
  demo,
  demoAdvertisers,
  demoConversionSecret,
  demoPlacements,
  demoPlatform,
  demoPublisher,
  demoSites,
} from "./network.ts";
import { demoOffers } from "./offers.ts";
import { apiTokens, platforms, platformTokens, publicKeys, publishers } from "../schema/accounts.ts";
import { advertisers, offers } from "../schema/demand.ts";
import { categories, placements, sites } from "../schema/inventory.ts";
import { encryptSecret } from "../core/secrets/sealed.ts";
import { hashSecret, isKey } from "../core/secrets/secrets.ts";

const insertCategories = (db: Db) =>
  db
    .insert(categories)
    .values([...categoryList])
    .onConflictDoUpdate({
      target: categories.id,
      set: { name: sql`excluded.name`, path: sql`excluded.path`, taxonomyId: sql`excluded.taxonomy_id` },
    });

/** Writes the category list into the database. Where the list has changed, names, paths and positions are updated. */
export const seedCategories = async (db: Db): Promise<void> => {
  await insertCategories(db);
};

/**
 * Returns a row with a name that is free. When another row in `scope` already has the name, the row's id is added to
 * it. Otherwise the row would be skipped, and rows that refer to it would break their foreign keys.
 */
const freelyNamed = <Row extends { id: string; name: string }>(row: Row, table: SQL, scope = sql`true`) => ({
  ...row,
  name: sql<string>`case when exists (select 1 from ${table} where name = ${row.name}::text and id <> ${row.id} and ${scope})
    then ${`${row.name} (${row.id})`}::text else ${row.name}::text end`,
});

const advertiserRow = async (advertiser: (typeof demoAdvertisers)[number], tokenEncryptionKey: string) => {
  const secret = await demoConversionSecret(advertiser.id);
  const ofPlatform = sql`platform_id is not distinct from ${advertiser.platformId}::text`;
  return {
    ...freelyNamed(advertiser, sql`advertisers`, ofPlatform),
    conversionSecretHash: await hashSecret(secret),
    conversionSecretCiphertext: await encryptSecret(secret, advertiser.id, tokenEncryptionKey),
  };
};

/** Outdates the documents of rows that do not exist yet. Run it before the rows are inserted. */
const announceMissing = (documentKey: SQL, ids: readonly string[], table: SQL, column = sql`id`): SQL => sql`
  insert into publish_outbox (document_key)
  select distinct ${documentKey} from unnest(array[${sql.join(
    ids.map((id) => sql`${id}::text`),
    sql`, `,
  )}]) as demo (id)
  where not exists (select 1 from ${table} existing where existing.${column} = demo.id)`;

/**
 * Writes the categories and the demo network into the database, in one transaction. Existing rows stay as they are,
 * even if someone changed them. Deleted rows and ended keys come back.
 *
 * @param options.platformToken the demo platform's token, which replaces any earlier one; when empty, the fixed token
 * @param options.tokenEncryptionKey the value of the setting `TOKEN_ENCRYPTION_KEY`
 * @throws {Error} when the platform token does not have the form of one
 */
export const seed = async (
  db: Db,
  options: { platformToken: string | undefined; tokenEncryptionKey: string },
): Promise<void> => {
  const platformToken = options.platformToken || demo.platformToken;
  if (!isKey("platform", platformToken)) {
    throw new Error("PLATFORM_TOKEN must be a platform token (lan_plat_…, checksum included) or empty");
  }
  const platformTokenHash = await hashSecret(platformToken);
  const advertiserRows = await Promise.all(
    demoAdvertisers.map((advertiser) => advertiserRow(advertiser, options.tokenEncryptionKey)),
  );
  const ofPublisher = sql`publisher_id = ${demo.publisherId}`;
  const apiToken = { id: demo.privateKeyId, publisherId: demo.publisherId, name: "Default API Token" };

  await db.batch([
    insertCategories(db),
    db.execute(
      announceMissing(documentKeySql.placement(sql`demo.id`), Object.values(demo.placements), sql`placements`),
    ),
    db.execute(announceMissing(documentKeySql.key(sql`demo.id`), [demo.publicKey], sql`public_keys`, sql`key`)),
    db.execute(
      announceMissing(
        documentKeySql.network,
        demoOffers.map((offer) => offer.id),
        sql`offers`,
      ),
    ),
    db
      .insert(platforms)
      .values(freelyNamed(demoPlatform, sql`platforms`))
      .onConflictDoNothing(),
    // The setting decides: a token that it no longer names must not remain valid.
    db.execute(sql`delete from platform_tokens where id = ${demo.platformTokenId} and hash <> ${platformTokenHash}`),
    db
      .insert(platformTokens)
      .values({ id: demo.platformTokenId, platformId: demo.platformId, hash: platformTokenHash })
      .onConflictDoNothing(),
    db.execute(sql`
      update platform_tokens set expires_at = null where id = ${demo.platformTokenId} and expires_at is not null`),
    // A deletion that is still under way would also remove the rows that come back.
    db.execute(
      sql`delete from deletions where id in (${demo.publisherId}, ${sql.join(
        Object.values(demo.sites).map((id) => sql`${id}`),
        sql`, `,
      )})`,
    ),
    db
      .insert(publishers)
      .values(freelyNamed(demoPublisher, sql`publishers`))
      .onConflictDoNothing(),
    db.insert(publicKeys).values({ key: demo.publicKey, publisherId: demo.publisherId }).onConflictDoNothing(),
    // Ended keys come back, too, since they are printed at each start.
    db.execute(sql`
      with revived as (
        update public_keys set expires_at = null where key = ${demo.publicKey} and expires_at is not null returning key)
      insert into publish_outbox (document_key) select ${documentKeySql.key(sql`key`)} from revived`),
    db
      .insert(apiTokens)
      .values({
        ...freelyNamed(apiToken, sql`api_tokens`, ofPublisher),
        hash: await hashSecret(demo.privateKey),
        bearerCiphertext: await encryptSecret(demo.privateKey, demo.privateKeyId, options.tokenEncryptionKey),
        revenueAccess: true,
        grossAccess: false,
      })
      .onConflictDoNothing(),
    db.execute(sql`update api_tokens set expires_at = null where id = ${demo.privateKeyId} and expires_at is not null`),
    db
      .insert(sites)
      .values(demoSites.map((site) => freelyNamed(site, sql`sites`, ofPublisher)))
      .onConflictDoNothing(),
    db
      .insert(placements)
      .values([...demoPlacements])
      .onConflictDoNothing(),
    db.insert(advertisers).values(advertiserRows).onConflictDoNothing(),
    db
      .insert(offers)
      .values([...demoOffers])
      .onConflictDoNothing(),
  ]);
};
