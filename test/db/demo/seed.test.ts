import { sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Db } from "../../../db/core/client.ts";
import { demo, demoAdvertisers, demoConversionSecret } from "../../../db/demo/network.ts";
import { demoOffers } from "../../../db/demo/offers.ts";
import { newId } from "../../../db/core/ids.ts";
import { serveSql, type SqlEndpoint } from "../../../db/local/endpoint.ts";
import type { Engine } from "../../../db/local/engine.ts";
import { openPglite } from "../../../db/local/pglite.ts";
import { decryptSecret } from "../../../db/core/secrets/sealed.ts";
import { hashSecret, makeKey } from "../../../db/core/secrets/secrets.ts";
import { seed, seedCategories } from "../../../db/demo/seed.ts";

const options = { platformToken: undefined, tokenEncryptionKey: "test:a key that only this test knows" };
const TABLES = ["categories", "platforms", "platform_tokens", "publishers", "public_keys", "api_tokens", "sites"];
TABLES.push("placements", "advertisers", "offers", "publish_outbox");

let engine: Engine;
let endpoint: SqlEndpoint;
let db: Db;

const rows = async (query: SQL | string) => (await db.execute(typeof query === "string" ? sql.raw(query) : query)).rows;
const count = async (table: string) => (await rows(`select * from ${table}`)).length;
const dump = async () =>
  Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await rows(`table ${table} order by 1`)])));
const outbox = async () =>
  (await rows("select document_key from publish_outbox order by 1")).map((row) => row["document_key"]);

beforeAll(async () => {
  engine = await openPglite();
  await engine.migrate("db/migrations");
  endpoint = await serveSql(engine);
  db = connect(endpoint.url, 3_600_000);
});
beforeEach(() => rows(`truncate ${TABLES.join(", ")} cascade`));
afterAll(async () => {
  await endpoint.close();
  await engine.close();
});

describe("seedCategories", () => {
  it("brings 152 categories with slug paths and dotted positions", async () => {
    await seedCategories(db);
    const categories = await rows("select name, path, taxonomy_id from categories");
    expect(categories).toHaveLength(152);
    expect(categories).toContainEqual({
      name: "Apparel and Fashion > Footwear",
      path: "apparel-and-fashion/footwear",
      taxonomy_id: "1.2",
    });
    expect(categories).toContainEqual({
      name: "Travel, Tourism, and Transport > Tours and Local Experiences",
      path: "travel-tourism-and-transport/tours-and-local-experiences",
      taxonomy_id: "24.11",
    });
  });

  it("restores what was changed and adds nothing when run again", async () => {
    await seedCategories(db);
    const before = await dump();
    await rows("update categories set name = 'Shoes', path = 'shoes', taxonomy_id = '99.9' where taxonomy_id = '1.2'");
    await seedCategories(db);
    expect(await dump()).toEqual(before);
  });
});

describe("seed", () => {
  it("makes the network whole, in one round trip", async () => {
    const before = endpoint.requests;
    await seed(db, options);
    expect(endpoint.requests - before).toBe(1);
    expect(await count("categories")).toBe(152);
    expect(await count("sites")).toBe(2);
    expect(await count("placements")).toBe(3);
    expect(await count("advertisers")).toBe(demoAdvertisers.length);
    expect(await count("offers")).toBe(demoOffers.length);
    expect(await rows("select id from publishers where name = 'Demo Outfitters'")).toEqual([{ id: demo.publisherId }]);
    expect(await outbox()).toEqual(
      [`key:${demo.publicKey}`, "network", ...Object.values(demo.placements).map((id) => `placement:${id}`)].sort(),
    );
  });

  it("leaves exactly the same rows when run again", async () => {
    await seed(db, options);
    const before = await dump();
    await seed(db, options);
    expect(await dump()).toEqual(before);
  });

  it("stores secrets hashed, and encrypted where they must be shown", async () => {
    await seed(db, options);
    expect(await rows("select hash from platform_tokens")).toEqual([{ hash: await hashSecret(demo.platformToken) }]);
    const [token] = await rows("select hash, bearer_ciphertext as sealed from api_tokens");
    expect(token?.["hash"]).toBe(await hashSecret(demo.privateKey));
    expect(await decryptSecret(String(token?.["sealed"]), demo.privateKeyId, options.tokenEncryptionKey)).toBe(
      demo.privateKey,
    );
    for (const row of await rows("select id, conversion_secret_hash, conversion_secret_ciphertext from advertisers")) {
      const secret = await demoConversionSecret(String(row["id"]));
      expect(row["conversion_secret_hash"]).toBe(await hashSecret(secret));
      const sealed = String(row["conversion_secret_ciphertext"]);
      expect(await decryptSecret(sealed, String(row["id"]), options.tokenEncryptionKey)).toBe(secret);
    }
    expect(JSON.stringify(await dump())).not.toContain(demo.privateKey);
  });

  it("keeps what was changed", async () => {
    await seed(db, options);
    await rows("update publishers set name = 'Renamed', status = 'inactive'");
    await rows("update sites set ads_enabled = false, name = name || '!'");
    await rows("update offers set status = 'paused', title = 'Mine'");
    await rows("update placements set data = '{}', status = 'inactive'");
    const before = await dump();
    await seed(db, options);
    expect(await dump()).toEqual(before);
  });

  it("brings back keys that ended, and tells the edge", async () => {
    await seed(db, options);
    const before = await dump();
    for (const table of ["public_keys", "api_tokens", "platform_tokens"]) {
      await rows(`update ${table} set expires_at = now() - interval '1 day'`);
    }
    await rows("delete from publish_outbox");
    await seed(db, options);
    expect(await outbox()).toEqual([`key:${demo.publicKey}`]);
    expect({ ...(await dump()), publish_outbox: [] }).toEqual({ ...before, publish_outbox: [] });
  });

  it("ends what is still to be removed of what it brings back", async () => {
    await rows(sql`insert into deletions (id) values (${demo.publisherId}), (${demo.sites.trail}), ('another')`);
    await seed(db, options);
    expect(await rows("select id from deletions")).toEqual([{ id: "another" }]);
  });

  it.each([
    ["publishers", demo.publisherId],
    ["sites", demo.sites.trail],
    ["placements", demo.placements.live],
    ["advertisers", demo.advertisers.storyloom],
    ["offers", String(demoOffers[0]?.id)],
  ])("brings back a deleted row of %s with what went with it", async (table, id) => {
    await seed(db, options);
    const before = await Promise.all(TABLES.slice(0, -1).map(count));
    await rows(`delete from ${table} where id = '${id}'`);
    await seed(db, options);
    expect(await Promise.all(TABLES.slice(0, -1).map(count))).toEqual(before);
    expect(await rows(`select id from ${table} where id = '${id}'`)).toEqual([{ id }]);
  });

  it("publishes again only what it made again", async () => {
    await seed(db, options);
    await rows("truncate publish_outbox");
    await rows(sql`delete from placements where id = ${demo.placements.test}`);
    await seed(db, options);
    expect(await outbox()).toEqual([`placement:${demo.placements.test}`]);
  });

  it("takes another name where its own is taken by now", async () => {
    await seed(db, options);
    await rows("delete from publishers");
    await rows(sql`delete from advertisers where id = ${demo.advertisers.storyloom}`);
    const publisher = newId("publisher");
    await rows(
      sql`insert into publishers values (${publisher}, ${demo.platformId}, 'Demo Outfitters', 'A', 'a@b.example')`,
    );
    await rows(sql`insert into advertisers (id, name, reach, conversion_secret_hash, conversion_secret_ciphertext)
      values (${newId("advertiser")}, 'Storyloom Audio', 'NETWORK', 'hash', 'ciphertext')`);
    await seed(db, options);
    expect(await rows("select id, name from publishers order by name")).toEqual([
      { id: publisher, name: "Demo Outfitters" },
      { id: demo.publisherId, name: `Demo Outfitters (${demo.publisherId})` },
    ]);
    expect(await count("placements")).toBe(3);
    expect(await count("offers")).toBe(demoOffers.length);
  });

  it("lets a new platform token replace the one before it", async () => {
    await seed(db, options);
    const platformToken = makeKey("platform");
    await seed(db, { ...options, platformToken });
    expect(await rows("select hash from platform_tokens")).toEqual([{ hash: await hashSecret(platformToken) }]);
    await seed(db, { ...options, platformToken: "" });
    expect(await rows("select hash from platform_tokens")).toEqual([{ hash: await hashSecret(demo.platformToken) }]);
  });

  it("refuses a platform token of the wrong form before it writes anything", async () => {
    await expect(seed(db, { ...options, platformToken: "secret" })).rejects.toThrow("PLATFORM_TOKEN must be");
    await expect(seed(db, { ...options, platformToken: demo.privateKey })).rejects.toThrow("PLATFORM_TOKEN must be");
    expect(await count("categories")).toBe(0);
  });
});
