import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentKey } from "../../../db/documents/keys.ts";
import { AGED_LIMIT_MS } from "../../../functions/documents/read.ts";
import { api } from "../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../support/factories.ts";
import type { Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { storedDocument } from "../../support/documents/stored.ts";
import { openWarm } from "../../support/documents/warm.ts";

/** More changes than the network's document lists. */
const CHANGES = 10_001;

let h: Harness;
let { inventory, ask, makeWarm, publishOffers, trips } = {} as Awaited<ReturnType<typeof openWarm>>;

beforeAll(async () => {
  ({ h, inventory, ask, makeWarm, publishOffers, trips } = await openWarm());
});
afterAll(() => h.close());

/** Makes copies of a row that were stopped just now. Updates of as many rows would take minutes here. */
const stopMany = async (table: string, id: string, columns: string) => {
  await h.rows(
    `insert into ${table} overriding user value select (jsonb_populate_record(o, jsonb_build_object('id', 'copy_' || n,
      'status', 'paused', 'created_at', now() - interval '1 hour', 'changed_at', now()) || ${columns})).*
    from ${table} o, generate_series(1, $2) n where o.id = $1`,
    [id, CHANGES],
  );
};

describe("more stops than are listed", () => {
  it.each([
    ["offers", "id", "'{}'"],
    ["advertisers", "advertiserId", "jsonb_build_object('name', n, 'conversion_secret_hash', n)"],
  ] as const)("of %s keep the first one stopped, and answers wait once", async (table, named, columns) => {
    const make = async () => makeOffer(h.db, (await makeAdvertiser(h.db)).id, { includeSites: [inventory.site.id] });
    const [stopped, { id: running }] = [await make(), await make()];
    const { id: first } = stopped;
    await publishOffers();
    const placement = await makeWarm();
    expect((await ask(placement)).offers).toEqual(expect.arrayContaining([first, running]));
    await h.rows(`update ${table} set status = 'paused' where id = $1`, [stopped[named]]);
    await stopMany(table, stopped[named], columns);
    await publishOffers();
    const begun = Date.now();
    const soon = await ask(placement);
    const isLate = Date.now() - begun >= AGED_LIMIT_MS;
    // An answer that had to wait longer may come from memory.
    const { offers } = isLate
      ? await h.until(
          () => ask(placement),
          (later) => !later.offers.includes(first),
        )
      : soon;
    expect(offers).toContain(running);
    expect(offers).not.toContain(first);
    const waits = async () => {
      h.database.trips.length = 0;
      expect((await ask(placement)).offers).not.toContain(first);
      return trips().length;
    };
    await h.until(waits, (count) => count === 0);
    for (let i = 0; i < 3; i++) expect(await waits()).toBe(0);
  });
});

describe("changes of offers that this isolate makes one after the other", () => {
  const LONG_MS = 20_000;

  it("renew other platforms' lists more and more rarely, and then show the last", { timeout: 90_000 }, async () => {
    const setTitle = async (id: string, title: string) => {
      const answer = await api(h, "PUT", `/api/v1/offers/${id}`, { token: SECRETS.ADMIN_TOKEN, body: { title } });
      expect(answer.status).toBe(200);
    };
    const { id: platformId } = await makePlatform(h.db);
    const others = await makeOffer(h.db, (await makeAdvertiser(h.db, { platformId })).id);
    const own = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, { includeSites: [inventory.site.id] });
    const placement = await makeWarm();
    const builds = new Set<number | undefined>();
    for (let round = 0, begun = Date.now(); Date.now() - begun < LONG_MS; round++) {
      await setTitle(others.id, `Title ${round}`);
      await ask(placement);
      builds.add((await storedDocument(h, documentKey.candidates(placement, "US")))?.builtAt);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // A list reaches half the age of the changes before the next is built. Otherwise one would be built each second.
    expect(builds.size).toBeLessThanOrEqual(10);
    await setTitle(own.id, "The last title");
    await h.until(
      () => ask(placement),
      ({ body }) => JSON.stringify(body).includes("The last title"),
      LONG_MS,
    );
  });
});
