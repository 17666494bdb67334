import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { documentKey } from "../../db/documents/keys.ts";
import { deleteStored, keysOf, putStored, storedDocument, storedText, untilStored } from "../support/stored.ts";

type Answer = { status: number; offers: string[]; body: unknown };

const MINUTE = 60_000;

let h: Harness;
let kv: Env["DOCUMENTS"];
let inventory: Awaited<ReturnType<typeof makeInventory>>;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  kv = (await h.env()).DOCUMENTS;
  inventory = await makeInventory(h.db);
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterEach(() => {
  h.database.down = false;
});
afterAll(() => h.close());

const ask = async (placementId: string, harness = h, publicKey = inventory.publisher.publicKey): Promise<Answer> => {
  const path = `/api/odata?placementId=${placementId}&sessionId=s&at.orderid=o&at.country=US&at.language=en&count=20`;
  const response = await harness.fetch(path, { headers: { Authorization: `Bearer ${publicKey}` } });
  const body = (await response.json()) as { offers?: { bannerId: string }[] };
  return { status: response.status, offers: (body.offers ?? []).map((offer) => offer.bannerId), body };
};
/** Round trips but those of publications and of consumers, which no request waits for. */
const trips = (harness = h) =>
  harness.database.trips.filter((statements) => !/publish_outbox|request_flushes/.test(statements.join()));
/** A placement of its own whose documents are all in KV. */
const makeWarm = async (): Promise<string> => {
  const { id } = await makePlacement(h.db, inventory.site.id);
  await ask(id);
  await untilStored(h, keysOf(inventory.publisher.publicKey, id));
  return id;
};
const publishOffers = async () => {
  await h.rows("insert into publish_outbox (document_key) values ('network')");
  await h.worker.scheduled({ cron: "* * * * *" });
};

describe("a cold request", () => {
  it("costs one round trip for all documents and leaves them in KV; a warm one costs none", async () => {
    const { id } = inventory.placement;
    h.database.trips.length = 0;
    const cold = await ask(id);
    expect(cold.status).toBe(200);
    expect(trips()).toHaveLength(1);
    await untilStored(h, keysOf(inventory.publisher.publicKey, id));
    h.database.trips.length = 0;
    const warm = await ask(id);
    expect(warm.offers).toEqual(cold.offers);
    expect(trips()).toEqual([]);
  });

  it("for a placement nobody has leaves nothing in KV", async () => {
    const before = (await kv.list()).keys.length;
    const unknown = "plc_01m7yfxddsesnrhs3551vjgzzz";
    expect(await ask(unknown)).toMatchObject({ status: 404, body: { error: { details: { placementId: unknown } } } });
    expect(await ask("no-id-at-all")).toMatchObject({ status: 404 });
    await makeWarm();
    const keys = (await kv.list()).keys.map((key) => key.name);
    expect(keys.filter((key) => key.includes(unknown))).toEqual([]);
    expect(keys).toHaveLength(before + 2);
  });
});

describe("documents in KV", () => {
  it("that are corrupt are made anew and repaired", async () => {
    const garbage = ["", "{", "null", "[]", "{}", "42", '"text"', '{"builtAt":1}'];
    await Promise.all(
      garbage.map(async (corrupt) => {
        const id = await makeWarm();
        const key = documentKey.placement(id);
        await putStored(h, key, corrupt);
        expect(await ask(id)).toMatchObject({ status: 200 });
        const repaired = await h.until(
          () => storedText(h, key),
          (text) => text !== corrupt,
        );
        expect(repaired).toContain(inventory.site.id);
      }),
    );
  });

  it("that lack the last change of offers do not hide it", async () => {
    const id = await makeWarm();
    const offer = await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] });
    await deleteStored(h, documentKey.network);
    expect((await ask(id)).offers).toContain(offer.id);
    await untilStored(h, [documentKey.network]);
  });

  it("of a placement that is gone become tombstones, which cost nothing", async () => {
    const id = await makeWarm();
    await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] });
    await h.rows("delete from placements where id = $1", [id]);
    await h.rows("insert into publish_outbox (document_key) values ($1)", [documentKey.placement(id)]);
    await publishOffers();
    expect(await ask(id)).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND", details: { placementId: id } } },
    });
    await h.until(
      () => storedDocument(h, documentKey.candidates(id, "US")),
      (document) => document?.value === null,
    );
    h.database.trips.length = 0;
    expect(await ask(id)).toMatchObject({ status: 404 });
    expect(trips()).toEqual([]);
  });

  it("that hold candidates older than the last change of an offer are not served", async () => {
    const id = await makeWarm();
    const offer = await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] });
    expect((await ask(id)).offers).not.toContain(offer.id);
    await publishOffers();
    expect((await ask(id)).offers).toContain(offer.id);
  });

  it("that hold aged candidates are served, and made anew behind the answer", async () => {
    const id = await makeWarm();
    const key = documentKey.candidates(id, "US");
    const network = await storedText(h, documentKey.network);
    await putStored(h, documentKey.network, { builtAt: Date.now(), value: { changedAt: 0, stopped: {} } });
    const aged = { builtAt: Date.now() - 6 * MINUTE, value: { offers: [] } };
    await putStored(h, key, aged);
    expect(await ask(id)).toMatchObject({ status: 200, offers: [] });
    await h.until(
      () => storedText(h, key),
      (text) => text !== JSON.stringify(aged),
    );
    expect((await ask(id)).offers).not.toEqual([]);

    await putStored(h, key, aged);
    h.database.down = true;
    expect(await ask(id)).toMatchObject({ status: 200, offers: [] });
    await h.until(
      async () => h.logs(),
      (logs) => logs.some((log) => log.startsWith("candidates were not made anew")),
    );
    h.database.down = false;
    await putStored(h, documentKey.network, network ?? "");
  });
});

describe("while Postgres is down", () => {
  it("outdated candidates are served, but no stopped offer among them", async () => {
    const [stopped, running] = [
      await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] }),
      await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] }),
    ];
    await publishOffers();
    const id = await makeWarm();
    expect((await ask(id)).offers).toEqual(expect.arrayContaining([stopped.id, running.id]));
    await h.rows("update offers set status = 'paused', changed_at = now() where id = $1", [stopped.id]);
    await publishOffers();
    h.database.down = true;
    const { status, offers } = await ask(id);
    h.database.down = false;
    expect(status).toBe(200);
    expect(offers).toContain(running.id);
    expect(offers).not.toContain(stopped.id);
  });

  it("what is not in KV is an error that says nothing of its cause", async () => {
    const { id } = await makePlacement(h.db, inventory.site.id);
    h.database.down = true;
    const answer = await ask(id);
    h.database.down = false;
    expect(answer).toMatchObject({
      status: 500,
      body: { success: false, error: { code: "INTERNAL_SERVER_ERROR", message: "An unexpected error occurred" } },
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/database|select|503|neon|placement/i);
    expect((await ask(id)).status).toBe(200);
  });
});

describe("while KV is down", () => {
  let faulty: Harness;
  beforeAll(async () => {
    faulty = await startHarness({ unavailable: ["DOCUMENTS"] });
  });
  afterAll(() => faulty.close());

  it("Postgres serves, with one round trip a request", async () => {
    const { publisher, placement } = await makeInventory(faulty.db);
    faulty.database.trips.length = 0;
    for (const round of [1, 2]) {
      const { status, offers } = await ask(placement.id, faulty, publisher.publicKey);
      expect(status).toBe(200);
      expect(offers).not.toEqual([]);
      expect(trips(faulty)).toHaveLength(round);
    }
    expect(faulty.logs().join("\n")).toContain("KV cannot be read");
  });

  it("what waits for its publication stays in the outbox", async () => {
    const waiting = () => faulty.rows("select id from publish_outbox order by id");
    const before = await waiting();
    expect(before).not.toEqual([]);
    await faulty.worker.scheduled({ cron: "* * * * *" });
    expect(await waiting()).toEqual(before);
    expect(faulty.logs().join("\n")).toContain("a document was not published");
  });
});
