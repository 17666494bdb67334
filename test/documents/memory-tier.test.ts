import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { makePlacement } from "../support/factories.ts";
import { ask, holdDatabase, makeSeen, makeSituation, tripsOf } from "../support/faults/situation.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { documentKey } from "../../db/documents/keys.ts";
import { fetching } from "../support/documents/fetching.ts";
import { putStored, storedText } from "../support/documents/stored.ts";

type Situation = Awaited<ReturnType<typeof makeSituation>>;

const harnesses: Harness[] = [];

const start = async (freshMs: number): Promise<Harness & { situation: Situation }> => {
  const h = await startHarness({ vars: { DOCUMENT_FRESH_MS: String(freshMs) }, breakableKv: true });
  harnesses.push(h);
  return { ...h, situation: await makeSituation(h) };
};

afterAll(() => Promise.all(harnesses.map((h) => h.close())));

describe("documents in memory", () => {
  let h: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    h = await start(60_000);
  });
  afterEach(async () => {
    h.database.down = false;
    h.database.hold = null;
    await h.kv({ get: "none", put: "none" });
  });

  it("answer without a read of KV or Postgres", async () => {
    const { inventory, seen } = h.situation;
    const before = await h.kv();
    h.database.trips.length = 0;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(h, inventory, seen)));
    expect(new Set(answers.map(({ status, ids }) => `${status} ${ids.join()}`)).size).toBe(1);
    expect((await h.kv()).reads).toBe(before.reads);
    expect(tripsOf(h)).toEqual([]);
  });

  it("hide what changed in KV since, for as long as they are fresh", async () => {
    const { inventory, seen } = h.situation;
    const key = documentKey.placement(seen);
    const text = (await storedText(h, key)) ?? "";
    await putStored(h, key, text.replace('"active"', '"inactive"'));
    expect((await ask(h, inventory, seen)).noFill).toBeNull();
    await putStored(h, key, text);
  });

  it("of a placement in another country are completed with one read and one round trip", async () => {
    const { inventory, seen } = h.situation;
    const before = await h.kv();
    h.database.trips.length = 0;
    const { answer, fetches } = await fetching(() => ask(h, inventory, seen, "FR"));
    expect(answer.status).toBe(200);
    expect(fetches).toContain((await h.kv()).reads - before.reads);
    expect(fetches).toContain(tripsOf(h).length);
  });

  it("of an unknown placement say so without a read", async () => {
    const { inventory } = h.situation;
    const id = newId("placement");
    expect((await ask(h, inventory, id)).status).toBe(404);
    const before = await h.kv();
    h.database.trips.length = 0;
    expect((await ask(h, inventory, id)).status).toBe(404);
    expect((await h.kv()).reads).toBe(before.reads);
    expect(tripsOf(h)).toEqual([]);
    expect(before.writes).toBe((await h.kv()).writes);
  });

  it("answer while KV and Postgres fail", async () => {
    const { inventory, seen } = h.situation;
    await h.kv({ get: "fail", put: "fail" });
    h.database.down = true;
    expect((await ask(h, inventory, seen)).ids).toContain(h.situation.offer.id);
  });
});

describe("documents that are not fresh any more", () => {
  let h: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    h = await start(100);
  });
  afterEach(async () => {
    h.database.down = false;
    h.database.hold = null;
    await h.kv({ get: "none", put: "none" });
  });

  it("answer while they are read again behind the answer", async () => {
    const { inventory } = h.situation;
    const seen = await makeSeen(h, inventory);
    const key = documentKey.placement(seen);
    const text = (await storedText(h, key)) ?? "";
    await h.kv({ get: "hang" });
    const before = await h.kv();
    // None of these waits for KV, which hangs.
    const begun = await h.until(
      async () => {
        expect((await ask(h, inventory, seen)).noFill).toBeNull();
        return h.kv();
      },
      ({ reads }) => reads > before.reads,
    );
    expect(begun.get).toBe("hang");
    await h.kv({ get: "none" });
    await putStored(h, key, text.replace('"active"', '"inactive"'));
    await h.until(
      () => ask(h, inventory, seen),
      ({ noFill }) => noFill === "placement_inactive",
    );
  });

  it("answer at any age while KV and Postgres both fail, and the log says so", async () => {
    const { inventory, offer } = h.situation;
    const seen = await makeSeen(h, inventory);
    await h.kv({ get: "fail", put: "fail" });
    h.database.down = true;
    await h.until(
      async () => {
        expect((await ask(h, inventory, seen)).ids).toContain(offer.id);
        return h.logs().join("\n");
      },
      (logs) => logs.includes("KV cannot be read"),
    );
    expect((await ask(h, inventory, seen)).ids).toContain(offer.id);
  });

  it("show a placement that was asked for before it was made", async () => {
    const { inventory } = h.situation;
    const id = newId("placement");
    expect((await ask(h, inventory, id)).status).toBe(404);
    expect(await storedText(h, documentKey.placement(id))).toBeNull();
    await makePlacement(h.db, inventory.site.id, { id });
    await h.until(
      () => ask(h, inventory, id),
      ({ status, ids }) => status === 200 && ids.length > 0,
    );
  });
});

describe("with no memory tier", () => {
  it("because its setting is 0, KV is asked each time, and memory only in need", async () => {
    const h = await startHarness({ vars: { DOCUMENT_FRESH_MS: "0" }, breakableKv: true });
    harnesses.push(h);
    const { inventory, seen, offer } = await makeSituation(h);
    const before = await h.kv();
    for (let i = 0; i < 3; i++) await ask(h, inventory, seen);
    expect((await h.kv()).reads).toBe(before.reads + 3);
    await h.kv({ get: "fail" });
    const release = holdDatabase(h);
    expect((await ask(h, inventory, seen)).ids).toContain(offer.id);
    expect(h.logs().join("\n")).toContain("older ones in memory are served");
    release();
  });

  it("nobody waits for a fetch that others have waited for in vain", async () => {
    const h = await start(0);
    const { inventory, seen, offer } = h.situation;
    await h.kv({ get: "hang" });
    const release = holdDatabase(h);
    const late = await Promise.all(Array.from({ length: 10 }, () => ask(h, inventory, seen)));
    for (const { ids } of late) expect(ids).toContain(offer.id);
    await h.kv({ get: "none" });
    const key = documentKey.placement(seen);
    await putStored(h, key, ((await storedText(h, key)) ?? "").replace('"active"', '"inactive"'));
    const { reads } = await h.kv();
    await ask(h, inventory, seen);
    // It read KV itself. If that takes too long, what was read serves the next answer.
    await h.until(
      () => h.kv(),
      (now) => now.reads > reads,
    );
    await h.until(
      () => ask(h, inventory, seen),
      ({ noFill }) => noFill === "placement_inactive",
    );
    release();
  });
});
