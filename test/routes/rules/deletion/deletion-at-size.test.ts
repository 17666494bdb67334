import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { continueRemoval } from "../../../../db/accounts/publishers/removal.ts";
import { recordRejects } from "../../../../db/tracking/rejects.ts";
import { removeDeleted } from "../../../../functions/events/removing.ts";
import { api, missing, said, wrapped } from "../../../support/api.ts";
import { requestOffers } from "../../../support/ask-offers.ts";
import { makePlacement, makePublisher } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { deletePublisher, makeLarge, rowsBelow, steps, type Large } from "../../../support/large.ts";
import { SECRETS } from "../../../support/secrets.ts";

const SITES = 10_000;
const PLACEMENTS = 50_000;
/** Is the most rows that one statement of a step removes. */
const ROWS = 500;
/** Limits how long publishing two hundred documents may take on a busy machine, in milliseconds. */
const BUSY_MS = 60_000;
/** Counts the statements of a step that remove rows. */
const STATEMENTS = 10;

let h: Harness;
let env: Env;

beforeAll(async () => {
  h = await startHarness();
  env = await h.env();
  await h.cron();
});
afterAll(() => h.close());

/** Runs the cron until nothing waits for it. */
const drain = async (waiting: () => Promise<number>) => {
  for (let run = 0; run < 10 && (await waiting()) > 0; run++) await h.cron();
  expect(await waiting()).toBe(0);
};

const count = (query: string, values?: unknown[]) => h.count(query, values);
const below = (large: Large) => rowsBelow(h, large);

/** Does a step in a run that is killed after its statements were committed, so that their answer never comes. */
const stepAndDie = async (id: string) => {
  const killed = Promise.reject(new Error("killed"));
  killed.catch(() => undefined);
  h.database.hold = killed;
  const run = continueRemoval(h.db, id).then(
    () => "done",
    () => "died",
  );
  expect(await run).toBe("died");
  h.database.hold = null;
  h.database.held = 0;
};

it("a publisher with 10,000 sites and 50,000 placements is gone at once, and its rows in bounded steps", async () => {
  const large = await makeLarge(h, { sites: SITES, placements: PLACEMENTS });
  const { publisher, site, placement } = large;
  const asked = { publicKey: publisher.publicKey, placementId: placement.id };
  expect((await requestOffers(h, asked)).status).toBe(200);
  await h.rows(
    `insert into webhook_logs (id, publisher_id, site_id, source, event_type, payload, before, after)
    select 'log_' || n, $1, $1 || '_site_' || n, 'admin', 'site_ads_toggle', '{}', '{}', '{}' from generate_series(1, 2000) n`,
    [publisher.id],
  );
  const all = await below(large);
  // As autovacuum does: one large publisher makes statistics that mislead.
  await h.rows("analyze");
  await h.rows("truncate publish_outbox");
  h.database.trips.length = 0;

  const before = performance.now();
  expect(said(await deletePublisher(h, large))).toEqual([
    200,
    { success: true, message: "Publisher deleted successfully" },
  ]);
  console.warn(`deleting ${PLACEMENTS} placements was answered in ${Math.round(performance.now() - before)} ms`);

  // It serves nothing more, and nobody reaches it.
  expect((await requestOffers(h, asked)).status).toBe(401);
  const [token, admin] = [{ token: publisher.privateKey }, { token: SECRETS.ADMIN_TOKEN }];
  expect(said(await api(h, "GET", "/api/v1/publishers/me", token))).toEqual([401, wrapped("UNAUTHORIZED")]);
  expect(said(await api(h, "GET", `/api/v1/publishers/${publisher.id}/events`, admin))).toEqual(
    missing("Publisher", publisher.id),
  );
  expect(said(await api(h, "GET", `/api/site/${site.id}/events`, admin))).toEqual(missing("Site", site.id));
  expect(await count("publish_outbox where document_key like 'placement:%'")).toBe(0);
  const published = h.database.trips.filter(([first = ""]) => first.includes("publish_outbox"));
  expect(published.length).toBeLessThanOrEqual(21);

  // Its name and its address are free.
  const other = await makePublisher(h.db, { name: publisher.name });
  const taken = { token: other.privateKey, body: { contactEmail: publisher.contactEmail } };
  expect((await api(h, "PUT", `/api/v1/publishers/${other.id}`, taken)).status).toBe(200);

  // Each step removes something, and never much.
  let left = await below(large);
  expect(all - left).toBeLessThanOrEqual(STATEMENTS * ROWS);
  for (let step = 0; step < 3; step++) {
    await removeDeleted(env, steps(1));
    const after = await below(large);
    expect(after).toBeLessThanOrEqual(left - ROWS);
    expect(left - after).toBeLessThanOrEqual(STATEMENTS * ROWS);
    left = after;
  }

  // A run that is killed leaves what it did, and the next one goes on.
  await stepAndDie(publisher.id);
  const killed = await below(large);
  expect(killed).toBeLessThan(left);
  await removeDeleted(env, steps(1));
  expect(await below(large)).toBeLessThan(killed);

  // A smaller deletion that comes later is not held up.
  const small = await makeLarge(h, { placements: 3 * ROWS });
  expect((await deletePublisher(h, small)).status).toBe(200);
  expect(await below(small)).toBeGreaterThan(ROWS);
  await removeDeleted(env, steps(10));
  expect(await below(small)).toBe(0);
  expect(await count("deletions where id = $1", [small.publisher.id])).toBe(0);
  expect(await below(large)).toBeGreaterThan(PLACEMENTS / 2);

  // In the end nothing is left.
  await drain(() => count("deletions"));
  expect(await below(large)).toBe(0);
  expect(await count("placements where site_id like $1", [`${publisher.id}%`])).toBe(0);
});

describe("a deletion", () => {
  it("that is refused removes nothing", async () => {
    const busy = await makeLarge(h, { sites: 3, placements: 10 });
    const { publisher, site } = busy;
    await makePlacement(h.db, site.id);
    const rows = await below(busy);
    const refusal = [403, wrapped("FORBIDDEN", { activePlacements: 1 })];
    expect(said(await deletePublisher(h, busy))).toEqual(refusal);
    const token = publisher.privateKey;
    expect(said(await api(h, "DELETE", `/api/site/${site.id}`, { token }))).toEqual(refusal);
    await h.cron();
    expect(await below(busy)).toBe(rows);
    expect(await count("deletions where id = any ($1)", [[publisher.id, site.id]])).toBe(0);
  });

  it("of a site with many placements publishes a bounded number, and the cron the others", async () => {
    const { publisher, site, placement } = await makeLarge(h, { placements: 1_200 });
    const asked = { publicKey: publisher.publicKey, placementId: placement.id };
    expect((await requestOffers(h, asked)).status).toBe(200);
    const token = publisher.privateKey;
    expect((await api(h, "DELETE", `/api/site/${site.id}`, { token })).status).toBe(200);
    expect(said(await api(h, "GET", `/api/site/${site.id}`, { token }))).toEqual(missing("Site", site.id));
    const path = `/api/placements/${placement.id}`;
    expect(said(await api(h, "GET", path, { token }))).toEqual(missing("Placement", placement.id));

    const waiting = () =>
      count("publish_outbox where document_key like any ($1)", [
        [`placement:${publisher.id}%`, `placement:${placement.id}`],
      ]);
    // Its first step removes 500 placements. While the others go, the request has time to publish more than it may.
    await h.until(waiting, (left) => left <= ROWS - 200, BUSY_MS);
    await removeDeleted(env, steps(10));
    expect(await count("placements where site_id = $1", [site.id])).toBe(0);
    expect(await waiting()).toBe(1_201 - 200);
    await drain(waiting);
    expect((await requestOffers(h, asked)).status).toBe(404);
  });

  it("takes the messages that nobody understood, as they name the publisher's customers", async () => {
    const large = await makeLarge(h, {});
    const rejects = Array.from({ length: ROWS + 1 }, (_, i) => ({
      id: `${large.publisher.id}_${i}`,
      reason: "test",
      body: "{}",
      placementId: large.placement.id,
    }));
    await recordRejects(h.db, rejects);
    expect((await deletePublisher(h, large)).status).toBe(200);
    await removeDeleted(env, steps(10));
    expect(await below(large)).toBe(0);
    expect(await count("tracking_rejects where id like $1", [`${large.publisher.id}%`])).toBe(0);
  });

  it("takes the audit of the publisher, however long it is", async () => {
    const large = await makeLarge(h, {});
    await h.rows(
      `insert into audit_log (id, actor_kind, resource_kind, resource_id, action, publisher_id, request_id)
      select $1 || n, 'admin', 'publisher', $1, 'update', $1, 'r' from generate_series(1, $2::int) n`,
      [large.publisher.id, ROWS + 1],
    );
    expect((await deletePublisher(h, large)).status).toBe(200);
    expect(await count("deletions where id = $1", [large.publisher.id])).toBe(1);
    await removeDeleted(env, steps(10));
    expect(await below(large)).toBe(0);
    expect(await count("deletions where id = $1", [large.publisher.id])).toBe(0);
    expect(await count("audit_log where publisher_id = $1", [large.publisher.id])).toBe(1);
  });

  it("of what nobody deleted through the API is seen to all the same", async () => {
    const large = await makeLarge(h, { sites: 2, placements: 4 });
    await h.rows("delete from publishers where id = $1", [large.publisher.id]);
    await h.cron();
    expect(await below(large)).toBe(0);
  });
});

it("a change of a site with many placements publishes a bounded number, and the cron the others", async () => {
  const { publisher, site } = await makeLarge(h, { placements: 300 });
  const path = `/api/site/${site.id}/ads`;
  const body = { adsEnabled: false };
  expect((await api(h, "PATCH", path, { token: publisher.privateKey, body })).status).toBe(200);
  const waiting = () => count("publish_outbox where document_key like $1", [`placement:${publisher.id}%`]);
  expect(await h.until(waiting, (left) => left <= 101, BUSY_MS)).toBeGreaterThanOrEqual(100);
  await drain(waiting);
});
