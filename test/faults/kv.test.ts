import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { api } from "../support/api.ts";
import { makePlacement } from "../support/factories.ts";
import { countsOf, expectExactCounts } from "../support/tracking/hits.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { startSqlProxy, type SqlProxy } from "../support/faults/proxy.ts";
import { ask, makeSeen, makeSituation } from "../support/faults/situation.ts";
import { keysOf, putStored, storedDocument, storedText } from "../support/documents/stored.ts";
import { documentKey } from "../../db/documents/keys.ts";

const HOUR = 3_600_000;

let proxy: SqlProxy;
let h: Harness;
let situation: Awaited<ReturnType<typeof makeSituation>>;

beforeAll(async () => {
  proxy = await startSqlProxy();
  h = await startHarness({ databaseUrl: proxy.url, breakableKv: true, unavailable: ["EVENTS"] });
  proxy.target = h.endpoint.port;
  situation = await makeSituation(h);
});
afterEach(async () => {
  await proxy.set("none");
  await h.kv({ get: "none", put: "none" });
});
afterAll(async () => {
  await h.close();
  await proxy.close();
});

/** What the log said since. */
const logSince = (from: number) => h.logs().slice(from).join("\n");

describe("KV", () => {
  it("that fails to be read leaves the answer to Postgres, and no work behind it", async () => {
    const { inventory, offer } = situation;
    const unseen = (await makePlacement(h.db, inventory.site.id)).id;
    const from = h.logs().length;
    await h.kv({ get: "fail" });
    const { writes } = await h.kv();
    expect((await ask(h, inventory, unseen)).ids).toContain(offer.id);
    expect((await ask(h, inventory, unseen)).ids).toContain(offer.id);
    expect(logSince(from)).toContain("KV cannot be read");
    expect((await h.kv()).writes).toBe(writes);
  });

  it("that never answers leaves it to Postgres too", async () => {
    const { inventory, offer } = situation;
    const unseen = (await makePlacement(h.db, inventory.site.id)).id;
    await h.kv({ get: "hang" });
    expect((await ask(h, inventory, unseen)).ids).toContain(offer.id);
  });

  it("that cannot be written leaves the entry in the outbox, and the change is seen all the same", async () => {
    const { inventory } = situation;
    const seen = await makeSeen(h, inventory);
    const key = documentKey.placement(seen);
    const from = h.logs().length;
    const inOutbox = () => h.rows("select from publish_outbox where document_key = $1", [key]);
    await h.kv({ put: "fail" });
    const call = { token: inventory.publisher.privateKey, body: { status: "inactive" } };
    expect((await api(h, "PATCH", `/api/placements/${seen}/status`, call)).status).toBe(200);
    expect((await ask(h, inventory, seen)).noFill).toBe("placement_inactive");
    await h.cron();
    expect(await inOutbox()).toHaveLength(1);
    expect(logSince(from)).toContain("a document was not published");
    await h.kv({ put: "none" });
    await h.cron();
    expect(await inOutbox()).toEqual([]);
    expect(await storedDocument(h, key)).toMatchObject({ value: { status: "inactive" } });
  });

  it("that cannot be written keeps nobody from what others changed, once a document is to be renewed", async () => {
    const { inventory } = situation;
    const seen = await makeSeen(h, inventory);
    const key = documentKey.placement(seen);
    const stored = await storedDocument(h, key);
    await putStored(h, key, { ...stored, builtAt: Date.now() - 2 * HOUR });
    await h.kv({ put: "fail" });
    await h.rows("update placements set status = 'inactive' where id = $1", [seen]);
    const noFill = async () => (await ask(h, inventory, seen)).noFill;
    await h.until(noFill, (reason) => reason === "placement_inactive");
    for (let i = 0; i < 5; i++) expect(await noFill()).toBe("placement_inactive");
    expect(await storedDocument(h, key)).toMatchObject({ value: { status: "active" } });
  });

  it("that loses a put holds up neither the document's next change nor what waits behind it", async () => {
    const { inventory } = situation;
    const seen = await makeSeen(h, inventory);
    const key = documentKey.placement(seen);
    const switchTo = async (status: string) => {
      const call = { token: inventory.publisher.privateKey, body: { status } };
      expect((await api(h, "PATCH", `/api/placements/${seen}/status`, call)).status).toBe(200);
    };
    const { writes } = await h.kv();
    await h.kv({ put: "lose" });
    await switchTo("inactive");
    await expect.poll(async () => (await h.kv()).writes, { timeout: 180_000 }).toBeGreaterThan(writes);
    await h.kv({ put: "none" });
    await switchTo("active");
    await switchTo("inactive");
    await h.cron();
    expect(await h.rows("select from publish_outbox where document_key = $1", [key])).toEqual([]);
    expect(await storedDocument(h, key)).toMatchObject({ value: { status: "inactive" } });
  });

  it("that holds garbage is repaired, and garbage serves nobody while Postgres is down", async () => {
    const { inventory, offer } = situation;
    const seen = await makeSeen(h, inventory);
    const keys = keysOf(inventory.publisher.publicKey, seen);
    const from = h.logs().length;
    await Promise.all(keys.map((key) => putStored(h, key, '{"builtAt":')));
    await proxy.set("refuse");
    // Memory holds them at any age.
    expect((await ask(h, inventory, seen)).ids).toContain(offer.id);
    await proxy.set("none");
    expect((await ask(h, inventory, seen)).ids).toContain(offer.id);
    expect(logSince(from)).toContain("a document in KV is corrupt");
    await h.until(
      () => Promise.all(keys.map((key) => storedText(h, key))),
      (texts) => texts.every((text) => text?.includes('"value"')),
    );
  });
});

describe("everything down", () => {
  it("leaves placements seen before with their offers, and every event whole in the log", async () => {
    const { inventory, offer, seen } = await makeSituation(h);
    const [token = ""] = (await ask(h, inventory, seen)).tokens;
    await h.kv({ get: "fail", put: "fail" });
    for (const fault of ["refuse", "hang"] as const) {
      await proxy.set(fault);
      const [answer, click, beacon] = await Promise.all([
        ask(h, inventory, seen),
        h.fetch(`/click?t=${token}`, { redirect: "manual" }),
        h.fetch(`/vdata?t=${token}`),
      ]);
      expect(answer.ids).toContain(offer.id);
      expect([click.status, click.headers.get("location")]).toEqual([302, "https://advertiser.example/"]);
      expect(beacon.status).toBe(204);
    }
    await proxy.set("none");
    const lines = h.logs().filter((log) => log.startsWith("an event is only in this log"));
    const hits = lines.map((line) => JSON.parse(/\{.*?\}/.exec(line)?.[0] ?? "null") as object);
    expect(hits).toHaveLength(4);
    // What the log holds is what the consumer takes.
    await h.deliver(hits.map((hit, i) => ({ id: `from-the-log-${i}`, body: { type: "hit", hit } })));
    expect(await countsOf(h, offer.id)).toMatchObject([{ impressions: 1, clicks: 1 }]);
    await expectExactCounts(h);
  });
});
