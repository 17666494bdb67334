import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { makeKey } from "../../db/core/secrets/secrets.ts";
import { TURN_MS } from "../../functions/documents/lookups.ts";
import { askOffers, requestOffers } from "../support/ask-offers.ts";
import { makeInventory, makePlacement } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";

const LIMIT = 20;
const STORM = 200;

const LINE = "unknown keys and placements are asked for together";

let h: Harness;
let known: { publicKey: string; placementId: string };
let siteId: string;
beforeAll(async () => {
  h = await startHarness({ vars: { DOCUMENT_FRESH_MS: "600000" } });
  const { publisher, site, placement } = await makeInventory(h.db);
  known = { publicKey: publisher.publicKey, placementId: placement.id };
  siteId = site.id;
  await askOffers(h, known);
});
afterAll(() => h.close());

/** Counts the statements that looked up keys or placements, each by itself, and those that asked for many together. */
const lookups = () => h.database.trips.filter(([query]) => query?.includes("json_build_object")).length;
const together = () => h.database.trips.filter(([query]) => query?.includes("from public_keys k")).length;

describe("a storm of names that nobody has", () => {
  it.each([
    ["public keys", 401, () => ({ ...known, publicKey: makeKey("public") })],
    ["placements", 404, () => ({ ...known, placementId: newId("placement") })],
  ])("as %s asks Postgres a few times a second, and disturbs nobody who is known", async (_, refused, made) => {
    h.database.trips.length = 0;
    const lines = h.logs().filter((line) => line.includes(LINE)).length;
    const begun = Date.now();
    const strangers = Array.from({ length: STORM }, async () => (await requestOffers(h, made())).status);
    const friends = Array.from({ length: STORM / 10 }, async () => (await requestOffers(h, known)).status);
    expect(new Set(await Promise.all(friends))).toEqual(new Set([200]));
    const answers = await Promise.all(strangers);
    const seconds = Math.ceil((Date.now() - begun) / 1_000) + 1;
    expect(lookups()).toBeLessThanOrEqual(LIMIT * seconds);
    expect(together()).toBeLessThanOrEqual(10 * seconds);
    expect(new Set(answers)).toEqual(new Set([refused]));
    // A machine that answers no more than the limit a second looks up each name by itself.
    if (together() === 0) return;
    // The previous storm may have logged the second in which this one begins.
    const told = await h.until(
      async () => h.logs().filter((line) => line.includes(LINE)).length,
      (count) => count > 0,
    );
    expect(told - lines).toBeLessThanOrEqual(seconds);
  });

  it("keeps nobody from a placement that is asked for the first time", async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => makePlacement(h.db, siteId)));
    const strangers = Array.from({ length: STORM }, () =>
      requestOffers(h, { ...known, placementId: newId("placement") }),
    );
    expect(await Promise.all(made.map(statusOf))).toEqual(made.map(() => 200));
    await Promise.all(strangers);
  });

  it("leaves alone who asks first for what the strangers ask for, too", async () => {
    const country = "FI";
    const stranger = async () =>
      (await requestOffers(h, { ...known, publicKey: makeKey("public"), "at.country": country })).status;
    const friend = async () => (await requestOffers(h, { ...known, "at.country": country })).status;
    const asked = Array.from({ length: STORM }, (_, i) => [stranger(), ...(i % 10 === 9 ? [friend()] : [])]);
    const statuses = await Promise.all(asked.map((pair) => Promise.all(pair)));
    expect(statuses.flatMap(([, served]) => served ?? [])).toEqual(Array(STORM / 10).fill(200));
  });

  it("leaves alone who is in KV, and not in memory", async () => {
    const other = await startHarness({ vars: { DOCUMENT_FRESH_MS: "0" } });
    const { publisher, placement } = await makeInventory(other.db);
    const asked = { publicKey: publisher.publicKey, placementId: placement.id };
    const documents = await other.env();
    await requestOffers(other, asked);
    await other.until(
      async () => (await documents.DOCUMENTS.list()).keys.map(({ name }) => name).join(),
      (names) => names.includes(`key:${asked.publicKey}`) && names.includes(`placement:${asked.placementId}`),
    );
    const strangers = Array.from({ length: STORM }, () =>
      requestOffers(other, { ...asked, publicKey: makeKey("public") }),
    );
    const friends = Array.from({ length: STORM / 20 }, async () => (await requestOffers(other, asked)).status);
    expect(new Set(await Promise.all(friends))).toEqual(new Set([200]));
    await Promise.all(strangers);
    await other.close();
  });
});

it("placements that exist are found, however many come one after the other", async () => {
  for (let n = 0; n < 3 * LIMIT; n += 1) {
    const { id } = await makePlacement(h.db, siteId);
    expect((await requestOffers(h, { ...known, placementId: id })).status).toBe(200);
  }
});

const statusOf = async ({ id }: { id: string }) => (await requestOffers(h, { ...known, placementId: id })).status;

it("placements that exist are found, however many come at once", async () => {
  const made = await Promise.all(Array.from({ length: LIMIT + 10 }, () => makePlacement(h.db, siteId)));
  const begun = Date.now();
  const statuses = await Promise.all(made.map(statusOf));
  // No look-up is given up before that, so until then all must have been served. Later, a refused request asks again.
  const isSlow = Date.now() - begun >= TURN_MS;
  const refused = isSlow ? made.filter((_, i) => statuses[i] === 500) : [];
  const again = refused.map((placement) =>
    h.until(
      () => statusOf(placement),
      (status) => status !== 500,
    ),
  );
  const served = [...statuses.filter((status) => !(isSlow && status === 500)), ...(await Promise.all(again))];
  expect(served).toEqual(made.map(() => 200));
});
