import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { updateAdvertiser } from "../../../db/demand/advertisers.ts";
import { deleteOffer } from "../../../db/demand/delete-offer.ts";
import { makeAdvertiser, makeOffer } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";

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
