import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { updateAdvertiser } from "../../../db/demand/advertisers.ts";
import { deleteOffer } from "../../../db/demand/delete-offer.ts";
import { updateOffer } from "../../../db/demand/offers.ts";
import { api, said } from "../../support/api.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

const ADMIN = { kind: "admin" } as const;

let h: Harness;
let other: pg.Client;

beforeAll(async () => {
  h = await startHarness();
  other = new pg.Client(h.postgresUrl);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await h.close();
});

const untilWaiting = () =>
  h.until(
    async () => h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
    (n) => n > 0,
  );

it.each<[which: string, columns: Parameters<typeof makeOffer>[2]]>([
  ["that is active", {}],
  ["that is paused, and excludes sites", { status: "paused", excludeSites: ["site_1"] }],
])("an advertiser is activated while an offer %s is deleted", async (_, columns) => {
  const { id } = await makeAdvertiser(h.db, { status: "paused" });
  const gone = await makeOffer(h.db, id, columns);
  const kept = await makeOffer(h.db, id);
  await other.query("begin");
  await other.query("select from offers where id = $1 for update", [gone.id]);
  await other.query("delete from offers where id = $1", [gone.id]);
  const activated = updateAdvertiser(h.db, ADMIN, id, { status: "active" });
  await untilWaiting();
  await other.query("commit");
  expect(await activated).toMatchObject({ value: { status: "active" } });
  expect(
    await h.rows("select o.id from offer_ranks r join offers o using (serial) where o.advertiser_id = $1", [id]),
  ).toEqual([{ id: kept.id }]);
});

it("an offer that is archived waits for a change of its advertiser before anybody waits for the offer", async () => {
  const { id } = await makeAdvertiser(h.db);
  const offer = await makeOffer(h.db, id, { lifetimeCap: 1 });
  await other.query("begin");
  await other.query("update advertisers set status = 'paused' where id = $1", [id]);
  const deleted = deleteOffer(h.db, ADMIN, offer.id);
  await untilWaiting();
  await other.query("update advertisers set status = 'active' where id = $1", [id]);
  expect((await other.query("select from offers where id = $1 for key share nowait", [offer.id])).rowCount).toBe(1);
  await other.query("commit");
  expect(await deleted).toMatchObject({ value: { tag: expect.any(String) } });
  expect(await h.rows("select status from offers where id = $1", [offer.id])).toEqual([{ status: "archived" }]);
});

describe("a change of an offer that waits for a change of its advertiser", () => {
  const PRICE = { pricing: "CPM", bidMicros: 2_000, lifetimeCap: 9 } as const;
  const imported = async (id: string) => {
    const answer = await api(h, "POST", "/api/v1/offers/import", {
      token: SECRETS.ADMIN_TOKEN,
      body: { id, ...PRICE },
    });
    expect(said(answer)).toMatchObject([200, { data: { updated: 1 } }]);
  };
  it.each<[how: string, change: (id: string) => Promise<unknown>]>([
    ["by itself", (id) => updateOffer(h.db, ADMIN, id, PRICE)],
    ["in an import", imported],
  ])("%s keeps no other offer from a price and a first cap", async (_, change) => {
    const { id: advertiserId } = await makeAdvertiser(h.db);
    const { id } = await makeOffer(h.db, advertiserId);
    const another = await makeOffer(h.db, (await makeAdvertiser(h.db)).id);
    await other.query("begin");
    await other.query("update advertisers set status = 'paused' where id = $1", [advertiserId]);
    const changed = change(id);
    await untilWaiting();
    const [free] = await h.rows<{ caps: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended('caps', 0)) as caps from rate_network for no key update skip locked",
    );
    expect(free).toEqual({ caps: true });
    expect(await updateOffer(h.db, ADMIN, another.id, PRICE)).toMatchObject({ value: { offer: PRICE } });
    await other.query("commit");
    await changed;
    expect(await h.rows("select pricing, lifetime_cap from offers where id = $1", [id])).toEqual([
      { pricing: "CPM", lifetime_cap: "9" },
    ]);
    expect(await h.count("offer_ranks r join offers o using (serial) where o.id = $1", [id])).toBe(0);
  });
});
