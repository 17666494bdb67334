import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";
import { api } from "../support/api.ts";
import { fetching } from "../support/documents/fetching.ts";
import { keysOf, untilStored } from "../support/documents/stored.ts";
import { askOf, openWarm, tripsOf } from "../support/documents/warm.ts";

let h: Harness;
let inventory: Awaited<ReturnType<typeof openWarm>>["inventory"];
let advertiserId: string;
let { ask, makeWarm, publishOffers, trips } = {} as Awaited<ReturnType<typeof openWarm>>;

beforeAll(async () => {
  ({ h, inventory, advertiserId, ask, makeWarm, publishOffers, trips } = await openWarm());
});
afterEach(() => {
  h.database.down = false;
});
afterAll(() => h.close());

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
    // An answer that would have to wait too long for KV may come from memory.
    const { status, offers } = await h.until(
      () => ask(id),
      (answer) => !answer.offers.includes(stopped.id),
    );
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
    for (let round = 0; round < 2; round += 1) {
      faulty.database.trips.length = 0;
      const { answer, fetches } = await fetching(() => askOf(faulty, placement.id, publisher.publicKey));
      expect(answer.status).toBe(200);
      expect(answer.offers).not.toEqual([]);
      expect(fetches).toContain(tripsOf(faulty).length);
    }
    expect(faulty.logs().join("\n")).toContain("KV cannot be read");
  });

  it("what waits for its publication stays in the outbox", async () => {
    const waiting = () => faulty.rows("select id from publish_outbox order by id");
    const before = await waiting();
    expect(before).not.toEqual([]);
    await faulty.cron();
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
