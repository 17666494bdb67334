import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { POSTGRES_LIMIT_MS } from "../../functions/documents/fetch.ts";
import { PATIENCE_MS } from "../../functions/documents/flights.ts";
import { makePlacement } from "../support/factories.ts";
import { ask, holdDatabase, makeSituation, tripsOf } from "../support/faults/situation.ts";
import { offersPath } from "../support/ask-offers.ts";
import { startHarness, type Harness } from "../support/harness.ts";

let h: Harness;
let situation: Awaited<ReturnType<typeof makeSituation>>;

beforeAll(async () => {
  h = await startHarness({ vars: { DOCUMENT_FRESH_MS: "60000" } });
  situation = await makeSituation(h);
});
afterEach(() => {
  h.database.hold = null;
  h.database.down = false;
});
afterAll(() => h.close());

const makeCold = async () => (await makePlacement(h.db, situation.inventory.site.id)).id;
const requestFor = (placementId: string) => ({
  path: offersPath({ placementId, sessionId: "s", "at.orderid": "1", "at.country": "US", count: "1" }),
  headers: { authorization: `Bearer ${situation.inventory.publisher.publicKey}` },
});
/** Asks as cheaply as a test can. */
const askFor = (placementId: string) => {
  const { path, headers } = requestFor(placementId);
  return h.fetch(path, { headers });
};
const askMany = (id: string, count: number) => Array.from({ length: count }, () => ask(h, situation.inventory, id));
const begun = (trips: number) =>
  h.until(
    async () => tripsOf(h).length,
    (found) => found >= trips,
  );

describe("requests for one cold placement", () => {
  it("share their round trip, a thousand at once", async () => {
    const id = await makeCold();
    h.database.trips.length = 0;
    const since = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const response = await askFor(id);
        const said = `${response.status} ${(await response.text()).includes(situation.offer.id)}`;
        return { said, after: Date.now() - since };
      }),
    );
    // A machine that is too slow for a thousand answers within their patience starts another look-up, once for each
    // patience.
    expect(tripsOf(h).length).toBeLessThanOrEqual(1 + Math.ceil((Date.now() - since) / PATIENCE_MS));
    // If Postgres is too late twice, an answer says so. Once it has answered, no answer may say so.
    const first = Math.min(...answers.filter(({ said }) => said === "200 true").map(({ after }) => after));
    const isLate = ({ said, after }: (typeof answers)[number]) =>
      said === "500 false" && first > PATIENCE_MS && after > PATIENCE_MS + POSTGRES_LIMIT_MS;
    expect(answers.filter((answer) => answer.said !== "200 true" && !isLate(answer))).toEqual([]);
    expect((await askFor(id)).status).toBe(200);
  });

  it("survive that the first of them is given up", async () => {
    const id = await makeCold();
    h.database.trips.length = 0;
    const release = holdDatabase(h);
    const since = Date.now();
    const leader = new AbortController();
    const { path, headers } = requestFor(id);
    const first = fetch(`${h.url}${path}`, { headers, signal: leader.signal }).catch(() => "given up");
    await begun(1);
    const followers = askMany(id, 10);
    for (let i = 0; i < 5; i++) await h.fetch("/health");
    leader.abort();
    expect(await first).toBe("given up");
    for (let i = 0; i < 5; i++) await h.fetch("/health");
    release();
    expect((await Promise.all(followers)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    // Only a machine that takes longer than their patience starts a second look-up, and no more.
    expect(tripsOf(h).length).toBeLessThanOrEqual(Date.now() - since < PATIENCE_MS ? 1 : 2);
  });

  it("do not wait for the first for ever, and then cause one more round trip together", async () => {
    const id = await makeCold();
    h.database.trips.length = 0;
    const release = holdDatabase(h);
    const leader = askMany(id, 1);
    await begun(1);
    h.database.hold = null;
    // The first is held; whoever else waits for it fetches the documents again.
    const followers = await Promise.all(askMany(id, 50));
    expect(new Set(followers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(tripsOf(h).length).toBeLessThanOrEqual(2);
    release();
    expect((await Promise.all(leader))[0]?.status).toBe(200);
  });

  it("fail together while Postgres is down, by few round trips, and leave nothing behind", async () => {
    const id = await makeCold();
    h.database.trips.length = 0;
    h.database.down = true;
    const answers = await Promise.all(askMany(id, 100));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
    expect(tripsOf(h).length).toBeLessThan(50);
    h.database.down = false;
    expect((await ask(h, situation.inventory, id)).status).toBe(200);
  });

  it("do not wait for a fetch that began before a change, nor does that one come back", async () => {
    const { inventory } = situation;
    const id = await makeCold();
    h.database.trips.length = 0;
    const release = holdDatabase(h);
    const older = ask(h, inventory, id);
    await begun(1);
    h.database.hold = null;
    const body = JSON.stringify({ status: "inactive" });
    const switched = await h.fetch(`/api/placements/${id}/status`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${inventory.publisher.privateKey}`, "content-type": "application/json" },
      body,
    });
    expect(switched.status).toBe(200);
    const newer = ask(h, inventory, id);
    for (let i = 0; i < 10; i++) await h.fetch("/health");
    release();
    expect((await newer).noFill).toBe("placement_inactive");
    expect((await older).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await ask(h, inventory, id)).noFill).toBe("placement_inactive");
  });
});
