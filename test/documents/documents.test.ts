import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";
import { documentKey, type DocumentKey } from "../../db/documents/keys.ts";
import { api } from "../support/api.ts";
import { candidatesDocument } from "../support/documents.ts";
import { deleteStored, keysOf, putStored, storedDocument, storedText, untilStored } from "../support/stored.ts";

type Answer = { status: number; offers: string[]; body: unknown };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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
/** Makes a document in KV older than it is. */
const grow = async (key: DocumentKey, by: number) => {
  const stored = await storedDocument(h, key);
  if (!stored) throw new Error("KV has no such document");
  await putStored(h, key, { ...stored, builtAt: stored.builtAt - by });
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

  it("are completed by one round trip when the network's is missing", async () => {
    const id = await makeWarm();
    const before = await ask(id);
    await deleteStored(h, documentKey.network);
    h.database.trips.length = 0;
    expect((await ask(id)).offers).toEqual(before.offers);
    expect(trips()).toHaveLength(1);
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
    h.database.trips.length = 0;
    expect(await ask(id)).toMatchObject({ status: 404 });
    expect(trips()).toEqual([]);
  });

  it("that hold candidates older than an offer show it once they are renewed by their age, and nobody waits", async () => {
    const id = await makeWarm();
    const offer = await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] });
    await publishOffers();
    h.database.trips.length = 0;
    expect((await ask(id)).offers).not.toContain(offer.id);
    await grow(documentKey.candidates(id, "US"), 7 * MINUTE);
    await h.until(
      () => ask(id),
      ({ offers }) => offers.includes(offer.id),
    );
    expect(trips()).toEqual([]);
  });

  it("that are older than the network's list reaches are built anew before they answer", async () => {
    const id = await makeWarm();
    const offer = await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] });
    await grow(documentKey.candidates(id, "US"), 26 * HOUR);
    h.database.trips.length = 0;
    expect((await ask(id)).offers).toContain(offer.id);
    expect(trips()).toHaveLength(1);
  });

  it.each([
    ["a placement", (id: string) => documentKey.placement(id), { status: "inactive" }],
    ["a key", () => documentKey.key(inventory.publisher.publicKey), { status: "inactive" }],
  ])("that hold %s which was put too late heal by its age", async (_, keyOf, wrong) => {
    const id = await makeWarm();
    const key = keyOf(id);
    const stored = await storedDocument(h, key);
    await putStored(h, key, { builtAt: Date.now() - 30 * 24 * HOUR, value: { ...stored?.value, ...wrong } });
    expect((await ask(id)).offers).toEqual([]);
    await h.until(
      () => ask(id),
      ({ offers }) => offers.length > 0,
    );
    expect(await storedDocument(h, key)).toMatchObject({ value: { status: "active" } });
  });

  it("that hold candidates of a site whose category changed are renewed behind the answer", async () => {
    const own = await makeInventory(h.db);
    const [category] = await h.rows<{ id: string; name: string }>(
      "select id, name from categories order by id limit 1",
    );
    const offer = await makeOffer(h.db, advertiserId, {
      includeSites: [own.site.id],
      categoryIds: [category?.id ?? ""],
    });
    const offered = async () => (await ask(own.placement.id, h, own.publisher.publicKey)).offers;
    expect(await offered()).not.toContain(offer.id);
    await untilStored(h, keysOf(own.publisher.publicKey, own.placement.id));
    const changed = await api(h, "PUT", `/api/site/${own.site.id}`, {
      token: own.publisher.privateKey,
      body: { categoryName: category?.name },
    });
    expect(changed.status).toBe(200);
    await h.until(offered, (ids) => ids.includes(offer.id));
  });

  it("that hold aged candidates are served, and made anew behind the answer", async () => {
    const id = await makeWarm();
    const key = documentKey.candidates(id, "US");
    const aged = { builtAt: Date.now() - 7 * MINUTE, value: candidatesDocument([]) };
    await putStored(h, key, aged);
    expect(await ask(id)).toMatchObject({ status: 200, offers: [] });
    await h.until(
      () => storedText(h, key),
      (text) => text !== JSON.stringify(aged),
    );
    expect((await ask(id)).offers).not.toEqual([]);

    await putStored(h, key, { ...aged, builtAt: aged.builtAt - 1 });
    h.database.down = true;
    expect(await ask(id)).toMatchObject({ status: 200, offers: [] });
    await h.until(
      async () => h.logs(),
      (logs) => logs.some((log) => log.startsWith("a document was not renewed")),
    );
    h.database.down = false;
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
    await h.rows("update offers set status = 'paused' where id = $1", [stopped.id]);
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

describe("a change of an offer by anybody", () => {
  const edits: [string, string][] = [
    ["a new title", "title = title || '.'"],
    ["a higher bid", "bid_micros = bid_micros + 1000, ecpm_micros = ecpm_micros + 1"],
    ["a pause", "status = 'paused'"],
    ["a resumption", "status = 'active'"],
    ["another country", "countries = '{DE}'"],
  ];

  it("keeps no answer waiting, by this isolate or by another", async () => {
    const id = await makeWarm();
    const offer = await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] });
    for (const [, edit] of edits) {
      await h.rows(`update offers set ${edit} where id = $1`, [offer.id]);
      await publishOffers();
      const put = await api(h, "PUT", `/api/v1/offers/${offer.id}`, { token: SECRETS.ADMIN_TOKEN, body: {} });
      expect(put.status).toBe(200);
      await untilStored(h, keysOf(inventory.publisher.publicKey, id));
      h.database.trips.length = 0;
      for (let i = 0; i < 10; i++) expect((await ask(id)).status).toBe(200);
      expect(trips()).toEqual([]);
    }
  });

  it.each<[string, "PUT" | "PATCH", string, object]>([
    ["a new title", "PUT", "offers/:offer", { title: "Another title" }],
    ["another destination", "PUT", "offers/:offer", { destinationUrl: "https://elsewhere.example/" }],
    ["a pause", "PATCH", "offers/:offer/status", { status: "paused" }],
    ["an archived offer", "PATCH", "offers/:offer/status", { status: "archived" }],
    ["a paused advertiser", "PATCH", "advertisers/:advertiser/status", { status: "paused" }],
    ["a renamed advertiser", "PUT", "advertisers/:advertiser", { name: "Renamed" }],
  ])("keeps no answer waiting in the isolate that makes it: %s", async (_, method, path, body) => {
    const advertiser = await makeAdvertiser(h.db);
    const offer = await makeOffer(h.db, advertiser.id, { includeSites: [inventory.site.id] });
    const id = await makeWarm();
    const to = path.replace(":offer", offer.id).replace(":advertiser", advertiser.id);
    const changed = await api(h, method, `/api/v1/${to}`, { token: SECRETS.ADMIN_TOKEN, body });
    expect(changed.status).toBe(200);
    h.database.trips.length = 0;
    for (let i = 0; i < 10; i++) expect((await ask(id)).status).toBe(200);
    expect(trips()).toEqual([]);
  });
});
