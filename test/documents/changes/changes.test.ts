import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { api, dataOf, type Method } from "../../support/api.ts";
import { makeInventory } from "../../support/factories.ts";
import { between } from "../../support/faults/between.ts";
import { ask, makeSituation } from "../../support/faults/situation.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { buildDocuments } from "../../../db/documents/build.ts";
import { documentKey } from "../../../db/documents/keys.ts";
import { keysOf, putStored, storedDocument, untilStored } from "../../support/documents/stored.ts";

let h: Harness;
let situation: Awaited<ReturnType<typeof makeSituation>>;

beforeAll(async () => {
  h = await startHarness({ vars: { DOCUMENT_FRESH_MS: "60000" } });
  situation = await makeSituation(h);
});
afterEach(() => {
  h.database.hold = null;
});
afterAll(() => h.close());

const call = async (method: Method, path: string, body?: object, token = situation.inventory.publisher.privateKey) => {
  const answer = await api(h, method, path, { token, body });
  expect(answer.status).toBeLessThan(300);
  return answer;
};
const noFill = async (id: string) => (await ask(h, situation.inventory, id)).noFill;

describe("with documents in memory, the very next request sees", () => {
  const switches: [name: string, path: string, off: object, on: object, reason: string][] = [
    [
      "a publisher",
      "/api/v1/publishers/:publisher/status",
      { status: "inactive" },
      { status: "active" },
      "publisher_inactive",
    ],
    [
      "a publisher's ads",
      "/api/v1/publishers/:publisher/ads",
      { adsEnabled: false },
      { adsEnabled: true },
      "publisher_ads_disabled",
    ],
    ["a site", "/api/site/:site/status", { status: "inactive" }, { status: "active" }, "site_not_active"],
    ["a site's ads", "/api/site/:site/ads", { adsEnabled: false }, { adsEnabled: true }, "site_ads_disabled"],
    [
      "a placement",
      "/api/placements/:placement/status",
      { status: "inactive" },
      { status: "active" },
      "placement_inactive",
    ],
  ];

  it.each(switches)("%s switched off, and on again", async (_, path, off, on, reason) => {
    const { inventory, seen } = situation;
    const ids = { publisher: inventory.publisher.id, site: inventory.site.id, placement: seen };
    const to = path.replace(/:(\w+)/, (_match, name: keyof typeof ids) => ids[name]);
    for (let round = 0; round < 3; round++) {
      await call("PATCH", to, off);
      expect(await noFill(seen)).toBe(reason);
      await call("PATCH", to, on);
      expect(await noFill(seen)).toBeNull();
    }
  });

  it("a public key and a token that were revoked", async () => {
    const inventory = await makeInventory(h.db);
    const { publisher, placement } = inventory;
    const keys = `/api/v1/publishers/${publisher.id}`;
    const own = publisher.privateKey;
    const added = dataOf<{ key: string }>(await call("POST", `${keys}/public-keys`, {}, own));
    expect((await ask(h, inventory, placement.id)).status).toBe(200);
    await call("DELETE", `${keys}/public-keys/${publisher.publicKey}`, undefined, own);
    expect((await ask(h, inventory, placement.id)).status).toBe(401);
    const renewed = { publisher: { ...publisher, publicKey: added.key } };
    expect((await ask(h, renewed, placement.id)).status).toBe(200);
  });
});

describe("an offer that is paused, resumed, changed and archived", () => {
  let own: Harness;
  beforeAll(async () => {
    own = await startHarness({ vars: { DOCUMENT_FRESH_MS: "100" } });
  });
  afterAll(() => own.close());

  it("is withheld at once, and comes back or shows its change once its list was renewed behind an answer", async () => {
    const { inventory, seen, offer } = await makeSituation(own);
    const path = `/api/v1/offers/${offer.id}`;
    const set = async (method: Method, to: string, body: object) =>
      expect((await api(own, method, to, { token: SECRETS.ADMIN_TOKEN, body })).status).toBe(200);
    const asked = () => ask(own, inventory, seen);
    const isShown = async () => (await asked()).ids.includes(offer.id);
    for (let round = 0; round < 2; round++) {
      await set("PATCH", `${path}/status`, { status: "paused" });
      expect(await isShown()).toBe(false);
      await set("PATCH", `${path}/status`, { status: "active" });
      await own.until(isShown, (shown) => shown);
    }
    await set("PUT", path, { title: "Another title" });
    expect(await isShown()).toBe(true);
    await own.until(asked, ({ body }) => JSON.stringify(body).includes("Another title"));
    await set("PUT", path, { destinationUrl: "https://advertiser.example/elsewhere" });
    expect(await isShown()).toBe(false);
    await own.until(isShown, (shown) => shown);
    await set("PATCH", `${path}/status`, { status: "archived" });
    expect(await isShown()).toBe(false);
  });
});

describe("two changes at the same time", () => {
  let own: Harness;
  beforeAll(async () => {
    own = await startHarness({ vars: { DOCUMENT_FRESH_MS: "100" } });
  });
  afterAll(() => own.close());

  it("are both seen, though the one that is told last was built without the other", async () => {
    const { inventory, seen, offer } = await makeSituation(own);
    const { offer: other } = await makeSituation(own);
    const pause = (id: string) =>
      api(own, "PATCH", `/api/v1/offers/${id}/status`, { token: SECRETS.ADMIN_TOKEN, body: { status: "paused" } });
    const isShown = async () => (await ask(own, inventory, seen)).ids.includes(offer.id);
    await own.until(isShown, Boolean);
    const told = await between(
      own,
      1,
      () => pause(other.id),
      async () => {
        own.database.hold = null;
        expect((await pause(offer.id)).status).toBe(200);
        expect(await isShown()).toBe(false);
      },
    );
    expect(told.status).toBe(200);
    expect(await isShown()).toBe(false);
  });
});

describe("an offer whose change takes long to commit", () => {
  const GATE = 4_711;
  let own: Harness;
  let gate: pg.Client;

  beforeAll(async () => {
    own = await startHarness({ vars: { DOCUMENT_FRESH_MS: "100" } });
    gate = new pg.Client(own.postgresUrl);
    await gate.connect();
    await gate.query(`
      create function wait_at_gate() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end';
      create constraint trigger gate after insert on publish_outbox deferrable initially deferred
        for each row execute function wait_at_gate()`);
  });
  afterAll(async () => {
    await gate.end();
    await own.close();
  });

  /** Changes the offer, asks with the change made but not committed, and lets it commit. */
  const changeSlowly = async (path: string, method: Method, body: object, meanwhile: () => Promise<void>) => {
    await gate.query(`select pg_advisory_lock(${GATE})`);
    const changed = api(own, method, path, { token: SECRETS.ADMIN_TOKEN, body });
    await own.until(
      () => own.count("pg_locks where locktype = 'advisory' and objid = $1 and not granted", [GATE]),
      (n) => n > 0,
    );
    await meanwhile();
    await gate.query(`select pg_advisory_unlock(${GATE})`);
    expect((await changed).status).toBe(200);
  };

  it("is shown as changed by lists that were built meanwhile, once they were renewed", async () => {
    const { inventory, seen, offer } = await makeSituation(own);
    const titles = async () => JSON.stringify((await ask(own, inventory, seen, "NZ")).body);
    await changeSlowly(`/api/v1/offers/${offer.id}`, "PUT", { title: "Another title" }, async () => {
      expect(await titles()).not.toContain("Another title");
    });
    await own.until(titles, (text) => text.includes("Another title"));
  });

  it("is withheld at once, whatever others published of the network meanwhile", async () => {
    const { inventory, seen, offer } = await makeSituation(own);
    expect((await ask(own, inventory, seen)).ids).toContain(offer.id);
    await changeSlowly(`/api/v1/offers/${offer.id}/status`, "PATCH", { status: "paused" }, async () => {
      const built = await buildDocuments(own.db, [documentKey.network]);
      await putStored(own, documentKey.network, built.get(documentKey.network) ?? {});
    });
    expect((await ask(own, inventory, seen)).ids).not.toContain(offer.id);
  });
});

describe("a site that is switched off and on a hundred times under load", () => {
  it(
    "is never seen in an older state than the last response said, and ends in its last",
    { timeout: 180_000 },
    async () => {
      const inventory = await makeInventory(h.db);
      const { site, publisher, placement } = inventory;
      const reasons = { active: null, inactive: "site_not_active" } as const;
      const noFillNow = async () => (await ask(h, inventory, placement.id)).noFill;
      const change = async (status: keyof typeof reasons) => {
        await call("PUT", `/api/site/${site.id}`, { status }, publisher.privateKey);
        const answers = await Promise.all([noFillNow(), noFillNow()]);
        expect(answers).toEqual(Array(2).fill(reasons[status]));
      };
      const traffic = new AbortController();
      const load = async () => {
        while (!traffic.signal.aborted) await noFillNow();
      };
      const loads = load();
      try {
        for (let round = 0; round < 100; round++) {
          await change("inactive");
          await change("active");
        }
        await change("inactive");
      } finally {
        traffic.abort();
        await loads;
      }
      const key = documentKey.placement(placement.id);
      await h.until(
        () => h.count("publish_outbox where document_key = $1", [key]),
        (left) => left === 0,
      );
      await untilStored(h, keysOf(publisher.publicKey, placement.id));
      expect(await storedDocument(h, key)).toMatchObject({ value: { siteStatus: "inactive" } });
      await h.cron();
      expect(await h.rows("select * from publish_outbox")).toEqual([]);
      expect(await storedDocument(h, key)).toMatchObject({ value: { siteStatus: "inactive" } });
    },
  );
});
