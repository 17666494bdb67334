import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilCapsHold } from "../../../../db/demand/caps/caps.ts";
import { recordHits } from "../../../../db/tracking/recording/events.ts";
import { api, missing, said, type Answer, type Method } from "../../../support/api.ts";
import { makeAdvertiser, makeOffer, makePlatform } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { hitsOf, makeHit } from "../../../support/tracking/hits.ts";

const GATE = 4_712;

let h: Harness;
let gate: pg.Client;
let advertiserId: string;
let owner: string;
let stranger: string;

beforeAll(async () => {
  h = await startHarness();
  const platform = await makePlatform(h.db);
  advertiserId = (await makeAdvertiser(h.db, { platformId: platform.id })).id;
  owner = platform.token;
  stranger = (await makePlatform(h.db)).token;
  gate = new pg.Client(h.postgresUrl);
  await gate.connect();
  // Counting waits at the gate with all that it wrote, right before its commit.
  await gate.query(`
    create function wait_at_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end';
    create constraint trigger gate after insert or update on daily_hits deferrable initially deferred
      for each row execute function wait_at_gate();
    create function wait_at_own_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(substring(new.title from 6)::bigint); return null; end';
    create constraint trigger own_gate after update on offers deferrable initially deferred
      for each row when (new.title like 'gate %') execute function wait_at_own_gate()`);
});
afterAll(async () => {
  await gate.end();
  await h.close();
});

const click = (offerId: string, count: number) =>
  recordHits(
    h.db,
    Array.from({ length: count }, () => makeHit({ offerId })),
  );

/** Counts the sessions that wait for a lock. */
const waiting = () => h.count("pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
const waitFor = (many: number) => h.until(waiting, (n) => n >= many);

/** Waits until a session stands at a gate. */
const isHeld = (at: number) =>
  h.until(
    async () => h.count(`pg_locks where locktype = 'advisory' and objid = ${at} and not granted`),
    (n) => n > 0,
  );

/** Asks for a change of an offer while three clicks on it are counted and not committed. Tells whether it waited for them. */
const askWhileCounting = async (offerId: string, ask: () => Promise<Answer>) => {
  await gate.query(`select pg_advisory_lock(${GATE})`);
  const counted = click(offerId, 3);
  await waitFor(1);
  let answered = false;
  const asked = ask().finally(() => {
    answered = true;
  });
  const [isFirst] = await h.until(
    async () => [answered, await waiting()] as const,
    ([done, n]) => done || n > 1,
  );
  await gate.query(`select pg_advisory_unlock(${GATE})`);
  await counted;
  return { answer: await asked, waited: !isFirst };
};

const CHANGES: [method: Method, below: string, body: object][] = [
  ["PUT", "", { title: "Another" }],
  ["PUT", "", { lifetimeCap: 5 }],
  ["PATCH", "/status", { status: "paused" }],
];
const change = (id: string, body: object) => api(h, "PUT", `/api/v1/offers/${id}`, { token: owner, body });
const usage = async (id: string) =>
  (
    await h.rows(
      `select (select sum(used)::int from offer_usage where offer_id = $1) as used,
      (select sum(billed)::int from daily_counters where offer_id = $1) as billed`,
      [id],
    )
  )[0];

describe.each(CHANGES)("%s /api/v1/offers/:id%s with %j", (method, below, body) => {
  const changed = (id: string, token: string) => api(h, method, `/api/v1/offers/${id}${below}`, { token, body });

  it("of a stranger leaves alone what is being counted towards the offer's cap", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 10 });
    await click(id, 2);
    const { answer, waited } = await askWhileCounting(id, () => changed(id, stranger));
    expect(said(answer)).toEqual(missing("Offer", id));
    expect(await usage(id)).toEqual({ used: 5, billed: 5 });
    expect(waited).toBe(false);
    await click(id, 8);
    expect(await hitsOf(h, id)).toEqual(["click counted 10", "click over_cap 3"]);
  });

  it("of a stranger leaves usage, what is capped and the taper as they are", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 10 });
    await click(id, 2);
    // None of these is what a recount would give.
    await h.rows("update offer_usage set used = 11 where offer_id = $1", [id]);
    await h.rows("update offers set capped_through = null, taper = 2 where id = $1", [id]);
    const kept = () =>
      h.rows(
        "select o.capped_through, o.taper, u.used::int from offers o join offer_usage u on u.offer_id = o.id where o.id = $1",
        [id],
      );
    expect(said(await changed(id, stranger))).toEqual(missing("Offer", id));
    expect(await kept()).toEqual([{ capped_through: null, taper: 2, used: 11 }]);
  });

  it("of its owner waits for what is being counted, and then knows of it", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { lifetimeCap: 10 });
    await click(id, 2);
    const { answer, waited } = await askWhileCounting(id, () => changed(id, owner));
    expect(answer).toMatchObject({ status: 200 });
    expect(await usage(id)).toEqual({ used: 5, billed: 5 });
    expect(waited).toBe(true);
  });
});

it("a stranger who sends an offer its first cap waits for nobody who counts", async () => {
  const { id } = await makeOffer(h.db, advertiserId);
  const capping = () => api(h, "PUT", `/api/v1/offers/${id}`, { token: stranger, body: { lifetimeCap: 5 } });
  const { answer, waited } = await askWhileCounting(id, capping);
  expect(said(answer)).toEqual(missing("Offer", id));
  expect(waited).toBe(false);
});

describe("a cap that is set while another change takes the last one away", () => {
  const [REMOVAL, SETTING] = [GATE + 1, GATE + 2];
  it("is kept to by all who count later", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 5 });
    await gate.query(`select pg_advisory_lock(${REMOVAL}), pg_advisory_lock(${SETTING})`);
    const removed = change(id, { title: `gate ${REMOVAL}`, dailyCap: null });
    await isHeld(REMOVAL);
    const set = change(id, { title: `gate ${SETTING}`, dailyCap: 1 });
    await waitFor(2);
    await gate.query(`select pg_advisory_unlock(${REMOVAL})`);
    expect(await removed).toMatchObject({ status: 200 });
    await isHeld(SETTING);
    let isCounted = false;
    const counted = untilCapsHold(async () => click(id, 3), 60).finally(() => {
      isCounted = true;
    });
    await h.until(
      async () => isCounted || (await waiting()) > 1,
      (settled) => settled,
    );
    await gate.query(`select pg_advisory_unlock(${SETTING})`);
    expect(await set).toMatchObject({ status: 200 });
    await counted;
    expect(await usage(id)).toEqual({ used: 1, billed: 1 });
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "click over_cap 2"]);
  });

  it("waits for those who count without it", async () => {
    const { id } = await makeOffer(h.db, advertiserId, { dailyCap: 5 });
    await gate.query(`select pg_advisory_lock(${REMOVAL}), pg_advisory_lock(${GATE})`);
    const removed = change(id, { title: `gate ${REMOVAL}`, dailyCap: null });
    await isHeld(REMOVAL);
    const counted = click(id, 3);
    await waitFor(2);
    await gate.query(`select pg_advisory_unlock(${REMOVAL})`);
    expect(await removed).toMatchObject({ status: 200 });
    await isHeld(GATE);
    const set = change(id, { dailyCap: 1 });
    await waitFor(2);
    await gate.query(`select pg_advisory_unlock(${GATE})`);
    await counted;
    expect(await set).toMatchObject({ status: 200 });
    expect(await usage(id)).toEqual({ used: 3, billed: 3 });
    await click(id, 1);
    expect(await hitsOf(h, id)).toEqual(["click counted 3", "click over_cap 1"]);
  });
});
