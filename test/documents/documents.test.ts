import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeInventory, makeOffer } from "../support/factories.ts";
import { AGED_LIMIT_MS } from "../../functions/documents/read.ts";
import type { Harness } from "../support/harness.ts";
import { documentKey, type DocumentKey } from "../../db/documents/keys.ts";
import { api } from "../support/api.ts";
import { candidatesDocument } from "../support/documents/documents.ts";
import { fetching } from "../support/documents/fetching.ts";
import {
  deleteStored,
  keysOf,
  putStored,
  storedDocument,
  storedText,
  untilStored,
} from "../support/documents/stored.ts";
import { askOf, openWarm } from "../support/documents/warm.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let h: Harness;
let kv: Env["DOCUMENTS"];
let inventory: Awaited<ReturnType<typeof openWarm>>["inventory"];
let advertiserId: string;
let { ask, makeWarm, publishOffers, trips } = {} as Awaited<ReturnType<typeof openWarm>>;

beforeAll(async () => {
  ({ h, inventory, advertiserId, ask, makeWarm, publishOffers, trips } = await openWarm());
  kv = (await h.env()).DOCUMENTS;
});
afterEach(() => {
  h.database.down = false;
});
afterAll(() => h.close());

/** Makes a document in KV older than it is. */
const grow = async (key: DocumentKey, by: number) => {
  const stored = await storedDocument(h, key);
  if (!stored) throw new Error("KV has no such document");
  await putStored(h, key, { ...stored, builtAt: stored.builtAt - by });
};

/**
 * Asks, and tells whether that took so long that the answer may come from memory: newer documents are waited for at
 * most a second.
 */
const askTimed = async (id: string) => {
  const begun = Date.now();
  const answer = await ask(id);
  return { answer, isLate: Date.now() - begun >= AGED_LIMIT_MS };
};

describe("a cold request", () => {
  it("costs one round trip for all documents and leaves them in KV; a warm one costs none", async () => {
    const { id } = inventory.placement;
    h.database.trips.length = 0;
    const { answer: cold, fetches } = await fetching(() => ask(id));
    expect(cold.status).toBe(200);
    expect(fetches).toContain(trips().length);
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
  it("that are corrupt are rebuilt and repaired", async () => {
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
    // An answer that would have to wait too long for KV may come from memory.
    const gone = await h.until(
      () => ask(id),
      ({ status }) => status === 404,
    );
    expect(gone).toMatchObject({ body: { error: { code: "NOT_FOUND", details: { placementId: id } } } });
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

  it("that are older than the network's list reaches are rebuilt before they answer", async () => {
    const id = await makeWarm();
    const offer = await makeOffer(h.db, advertiserId, { includeSites: [inventory.site.id] });
    await grow(documentKey.candidates(id, "US"), 26 * HOUR);
    h.database.trips.length = 0;
    const { answer, isLate } = await askTimed(id);
    if (isLate) {
      await h.until(
        () => ask(id),
        ({ offers }) => offers.includes(offer.id),
      );
      return;
    }
    expect(answer.offers).toContain(offer.id);
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
    const { answer, isLate } = await askTimed(id);
    expect(isLate ? [] : answer.offers).toEqual([]);
    // An answer may come from memory until KV is corrected.
    await h.until(
      async () => ({ ...(await ask(id)), healed: await storedDocument(h, key) }),
      ({ offers, healed }) => offers.length > 0 && healed?.value?.["status"] === "active",
    );
  });

  it("that still hold what was renewed since do not take the place of what memory has", async () => {
    const id = await makeWarm();
    const key = documentKey.placement(id);
    const stored = await storedDocument(h, key);
    const old = { builtAt: Date.now() - 2 * HOUR, value: { ...stored?.value, status: "inactive" } };
    const askBehindOld = async () => {
      await putStored(h, key, old);
      return (await ask(id)).offers;
    };
    await h.until(askBehindOld, (offers) => offers.length > 0);
    expect(await askBehindOld()).not.toEqual([]);
    // A younger document is followed.
    await putStored(h, key, { ...old, builtAt: Date.now() + MINUTE });
    await h.until(
      async () => (await ask(id)).offers,
      (offers) => offers.length === 0,
    );
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
    const offered = async () => (await askOf(h, own.placement.id, own.publisher.publicKey)).offers;
    expect(await offered()).not.toContain(offer.id);
    await untilStored(h, keysOf(own.publisher.publicKey, own.placement.id));
    const changed = await api(h, "PUT", `/api/site/${own.site.id}`, {
      token: own.publisher.privateKey,
      body: { categoryName: category?.name },
    });
    expect(changed.status).toBe(200);
    await h.until(offered, (ids) => ids.includes(offer.id));
  });

  it("that hold aged candidates are served, and rebuilt behind the answer", async () => {
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
  });

  it("that hold aged candidates are served while Postgres is down", async () => {
    const id = await makeWarm();
    await putStored(h, documentKey.candidates(id, "US"), {
      builtAt: Date.now() - 7 * MINUTE,
      value: candidatesDocument([]),
    });
    h.database.down = true;
    expect(await ask(id)).toMatchObject({ status: 200, offers: [] });
    await h.until(
      async () => h.logs(),
      (logs) => logs.some((log) => log.startsWith("a document was not renewed")),
    );
    h.database.down = false;
  });
});
