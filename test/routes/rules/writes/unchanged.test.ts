import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { documentKey, type DocumentKey } from "../../../../db/documents/keys.ts";
import { api, dataOf, type Method } from "../../../support/api.ts";
import { makeInventory, makePlacement } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";

let h: Harness;
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let placements: DocumentKey[];

beforeAll(async () => {
  h = await startHarness();
  // What is published leaves the outbox, so what was noted is kept here.
  await h.rows("create table noted (document_key text)");
  await h.rows(`create function keep_noted() returns trigger language plpgsql as
    'begin insert into noted values (new.document_key); return null; end'`);
  await h.rows("create trigger keep_noted after insert on publish_outbox for each row execute function keep_noted()");
});
beforeEach(async () => {
  inventory = await makeInventory(h.db);
  const other = await makePlacement(h.db, inventory.site.id);
  placements = [inventory.placement.id, other.id].map(documentKey.placement).toSorted();
});
afterAll(() => h.close());

const call = async (method: Method, path: string, body: object) => {
  const { publisher, site, placement } = inventory;
  const ids = { publisher: publisher.id, site: site.id, placement: placement.id };
  const to = path.replace(/:(\w+)/, (_, name: keyof typeof ids) => ids[name]);
  const answer = await api(h, method, to, { token: publisher.privateKey, body });
  expect(answer.status).toBeLessThan(300);
  return answer;
};

/** Makes a change, and lists the documents that it notes. */
const notedBy = async (method: Method, path: string, body: object) => {
  await h.rows("truncate noted");
  await call(method, path, body);
  const noted = await h.rows<{ document_key: string }>("select document_key from noted order by document_key");
  return noted.map((row) => row.document_key);
};

const put = (body: object) => notedBy("PUT", "/api/site/:site", body);

describe("PUT /api/site/:id", () => {
  const FACTS = {
    name: "A shop",
    status: "active",
    categoryName: "Apparel and Fashion > Footwear",
    ageDemographics: "AGE_25_34",
    genderDemographics: "MIXED",
  };
  const REST = { description: "Boots", orderVolume: 12, averageOrder: 8.5, domain: "boots.example" };

  it("outdates no placement where it changes nothing, or what no placement's document holds", async () => {
    await put({ ...FACTS, ...REST });
    expect(await put({})).toEqual([]);
    expect(await put({ ...FACTS, ...REST })).toEqual([]);
    expect(await put({ description: "Laces", orderVolume: 13, averageOrder: 9, domain: "laces.example" })).toEqual([]);
  });

  it.each([
    { name: "Another shop" },
    { status: "inactive" },
    { categoryName: "Apparel and Fashion > Jewelry" },
    { ageDemographics: "AGE_35_44" },
    { genderDemographics: "FEMALE" },
  ])("outdates all its placements where it sets %j, once", async (fact) => {
    await put({ ...FACTS, ...REST });
    expect(await put(fact)).toEqual(placements);
    expect(await put(fact)).toEqual([]);
  });

  it("outdates them where it undoes what somebody else changes at the same time", async () => {
    await put(FACTS);
    const other = new pg.Client(h.postgresUrl);
    await other.connect();
    try {
      await other.query("begin");
      await other.query("update sites set status = 'inactive' where id = $1", [inventory.site.id]);
      const noted = put({ status: "active" });
      await h.until(
        () => h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
        (n) => n > 0,
      );
      await other.query("commit");
      expect(await noted).toEqual(placements);
    } finally {
      await other.end();
    }
  });
});

describe("a switch", () => {
  const SWITCHES: [string, object, object][] = [
    ["/api/site/:site/status", { status: "inactive" }, { status: "active" }],
    ["/api/site/:site/ads", { adsEnabled: false }, { adsEnabled: true }],
    ["/api/v1/publishers/:publisher/status", { status: "inactive" }, { status: "active" }],
    ["/api/v1/publishers/:publisher/ads", { adsEnabled: false }, { adsEnabled: true }],
  ];

  it.each(SWITCHES)("of %s to what it is already outdates nothing", async (path, off, on) => {
    const all = path.startsWith("/api/site") ? placements : [documentKey.key(inventory.publisher.publicKey)];
    expect(await notedBy("PATCH", path, on)).toEqual([]);
    expect(await notedBy("PATCH", path, off)).toEqual(all);
    expect(await notedBy("PATCH", path, off)).toEqual([]);
    expect(await notedBy("PATCH", path, on)).toEqual(all);
  });

  it("of a publisher outdates its keys that open something: no ended ones, but those that overlap", async () => {
    const { publisher } = inventory;
    const keys = "/api/v1/publishers/:publisher/public-keys";
    const rotate = async (key: string, overlapSeconds: number) =>
      dataOf<{ key: string }>(await call("POST", `${keys}/${key}/rotate`, { overlapSeconds })).key;
    const overlapping = await rotate(publisher.publicKey, 0);
    const next = await rotate(overlapping, 3_600);
    const valid = [overlapping, next].map(documentKey.key).toSorted();
    const noted = await notedBy("PATCH", "/api/v1/publishers/:publisher/ads", { adsEnabled: false });
    expect(noted.toSorted()).toEqual(valid);
  });
});
