import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type DocumentKey, documentKey } from "../../db/documents/keys.ts";
import { makeInventory, makePlacement } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { storedName } from "../../functions/documents/kv.ts";
import { storedDocument } from "../support/documents/stored.ts";

let h: Harness;
let env: Env;
let inventory: Awaited<ReturnType<typeof makeInventory>>;

beforeAll(async () => {
  h = await startHarness();
  env = await h.env();
  inventory = await makeInventory(h.db);
  await h.cron();
});
afterEach(() => {
  h.database.down = false;
  h.database.hold = null;
});
afterAll(() => h.close());

const publish = (key: DocumentKey) => env.DOCUMENT_WRITER.getByName(key).publish(key);
const inKv = (key: DocumentKey) => storedDocument(h, key);
const outbox = (key: DocumentKey) => h.count("publish_outbox where document_key = $1", [key]);
/** Changes a placement's status as a request does: change and outbox entry in one transaction. */
const change = (id: string, template: number) =>
  h.rows(
    `with changed as (update placements set data = jsonb_build_object('brandName', $2::text) where id = $1)
    insert into publish_outbox (document_key) values ('placement:' || $1)`,
    [id, String(template)],
  );
const makeDocument = async () => {
  const { id } = await makePlacement(h.db, inventory.site.id);
  return { id, key: documentKey.placement(id) };
};
const showing = (brandName: number | string) => ({ value: { data: { brandName: String(brandName) } } });
const buildsOf = () => h.database.trips.filter((statements) => statements.length === 2).length;
/** Holds back answers of the database until they are released. */
const holdAnswers = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  h.database.hold = promise;
  return () => {
    h.database.hold = null;
    resolve();
  };
};
/** Waits until a build has read the database, and its answer is held back. */
const built = () =>
  h.until(
    async () => h.database.held,
    (held) => held > 0,
  );

describe("the cron", () => {
  it("publishes a change that was committed and never published", async () => {
    const { id, key } = await makeDocument();
    await publish(key);
    await change(id, 1);
    expect(await inKv(key)).toMatchObject({ value: { data: {} } });
    await h.cron();
    expect(await inKv(key)).toMatchObject(showing(1));
    expect(await outbox(key)).toBe(0);
  });

  it("publishes many documents in one run, each once, however many entries it has", async () => {
    const ids = await Promise.all(Array.from({ length: 25 }, makeDocument));
    for (const round of [1, 2]) await Promise.all(ids.map(({ id }) => change(id, round)));
    h.database.trips.length = 0;
    await h.cron();
    expect(await h.rows("select * from publish_outbox")).toEqual([]);
    expect(buildsOf()).toBe(25);
    for (const { key } of ids) expect(await inKv(key)).toMatchObject(showing(2));
  });

  it("leaves entries while Postgres is down, and settles them afterwards", async () => {
    const { id, key } = await makeDocument();
    await change(id, 1);
    h.database.down = true;
    await h.cron();
    expect(await Promise.allSettled([publish(key)])).toMatchObject([{ status: "rejected" }]);
    h.database.down = false;
    expect(await outbox(key)).toBe(1);
    expect(await inKv(key)).toBeNull();
    await h.cron();
    expect(await outbox(key)).toBe(0);
    expect(await inKv(key)).toMatchObject(showing(1));
  });

  it("says in the log what Postgres refused, without the query", async () => {
    const { id, key } = await makeDocument();
    await change(id, 1);
    await h.rows("alter table placements rename column data to data_of_another_version");
    try {
      await h.cron();
    } finally {
      await h.rows("alter table placements rename column data_of_another_version to data");
    }
    const logged = h.logs().filter((line) => line.includes("a document was not published"));
    expect(logged.join("\n")).toContain("Postgres 42703");
    expect(h.logs().join("\n")).not.toContain("Failed query");
    await h.cron();
    expect(await inKv(key)).toMatchObject(showing(1));
  });

  it("makes a tombstone of what was deleted", async () => {
    const { id, key } = await makeDocument();
    await publish(key);
    await h.rows("delete from placements where id = $1", [id]);
    await h.rows("insert into publish_outbox (document_key) values ($1)", [key]);
    await h.cron();
    expect(await inKv(key)).toEqual({ builtAt: expect.any(Number), value: null });
    const { keys } = await env.DOCUMENTS.list({ prefix: storedName(key) });
    expect(keys[0]?.expiration).toBeGreaterThan(Date.now() / 1_000);
    const path = `/api/odata?placementId=${id}&sessionId=s&at.orderid=o`;
    const answer = await h.fetch(path, { headers: { Authorization: `Bearer ${inventory.publisher.publicKey}` } });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "NOT_FOUND", details: { placementId: id } } });
  });
});

describe("a document's writer", () => {
  it("lets the newer of two racing publications stay", async () => {
    const { id, key } = await makeDocument();
    const release = holdAnswers();
    h.database.trips.length = 0;
    await change(id, 1);
    const older = publish(key);
    await built();
    h.database.hold = null;
    await change(id, 2);
    const newer = publish(key);
    // Time enough for the newer one to overtake, if anything let it.
    for (let i = 0; i < 20; i++) await h.rows("select 1");
    release();
    await Promise.all([older, newer]);
    expect(await inKv(key)).toMatchObject(showing(2));
    expect(await outbox(key)).toBe(0);
  });

  it("leaves the entry of a change that was committed after its build had begun", async () => {
    const { id, key } = await makeDocument();
    await change(id, 1);
    h.database.trips.length = 0;
    const release = holdAnswers();
    const publication = publish(key);
    await built();
    await change(id, 2);
    release();
    await publication;
    expect(await inKv(key)).toMatchObject(showing(1));
    expect(await outbox(key)).toBe(1);
    await h.cron();
    expect(await inKv(key)).toMatchObject(showing(2));
    expect(await outbox(key)).toBe(0);
  });

  it("ends with the last state under a storm of changes, by few builds", async () => {
    const { id, key } = await makeDocument();
    h.database.trips.length = 0;
    const storm = Array.from({ length: 60 }, async (_, round) => {
      await change(id, round);
      await publish(key);
    });
    await Promise.all(storm);
    const [last] = await h.rows("select data from placements where id = $1", [id]);
    expect(await inKv(key)).toMatchObject({ value: { data: last?.["data"] } });
    expect(await outbox(key)).toBe(0);
    expect(buildsOf()).toBeLessThan(20);
  });

  it("answers each of its callers, and works on after a failure", async () => {
    const { id, key } = await makeDocument();
    await change(id, 1);
    h.database.down = true;
    const results = await Promise.allSettled([publish(key), publish(key), publish(key)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    h.database.down = false;
    await publish(key);
    expect(await inKv(key)).toMatchObject(showing(1));
    expect(await outbox(key)).toBe(0);
  });

  it("keeps apart what is about different subjects", async () => {
    const [first, second] = [await makeDocument(), await makeDocument()];
    await change(first.id, 1);
    await change(second.id, 2);
    await publish(first.key);
    expect(await inKv(first.key)).toMatchObject(showing(1));
    expect(await inKv(second.key)).toBeNull();
    expect(await outbox(second.key)).toBe(1);
  });
});
