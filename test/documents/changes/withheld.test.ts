import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentKey } from "../../../db/documents/keys.ts";
import { makeAdvertiser, makeOffer, makeSite } from "../../support/factories.ts";
import type { Harness } from "../../support/harness.ts";
import { storedDocument } from "../../support/documents/stored.ts";
import { openWarm } from "../../support/documents/warm.ts";

let h: Harness;
let { inventory, ask, makeWarm, publishOffers } = {} as Awaited<ReturnType<typeof openWarm>>;

beforeAll(async () => {
  ({ h, inventory, ask, makeWarm, publishOffers } = await openWarm());
});
afterAll(() => h.close());

/** Makes offers that serve at the inventory's site alone, each of an advertiser of its own; returns their ids, sorted. */
const makeOffers = async (count: number, given = {}) => {
  const made: string[] = [];
  for (let i = 0; i < count; i++) {
    const advertiser = await makeAdvertiser(h.db);
    const offer = await makeOffer(h.db, advertiser.id, { includeSites: [inventory.site.id], ...given });
    made.push(offer.id);
  }
  return made.toSorted();
};
/** Takes all offers off the inventory's site, as if another isolate did. */
const clear = async () => {
  const elsewhere = await makeSite(h.db, inventory.publisher.id);
  await h.rows("update offers set include_sites = array[$1]", [elsewhere.id]);
  await publishOffers();
};
const shownAt = async (placement: string) => (await ask(placement)).offers.toSorted();
/** Asks until an answer has this many offers: on a busy machine, the narrower list may come too late for one answer. */
const untilShown = (placement: string, count: number) =>
  h.until(
    () => shownAt(placement),
    (shown) => shown.length >= count,
  );

describe("where another isolate changed all offers of a list, answers have them long before it is old", () => {
  it("with a new destination, and the list itself is renewed behind it", async () => {
    await clear();
    const offers = await makeOffers(5);
    await publishOffers();
    const placement = await makeWarm();
    expect(await shownAt(placement)).toEqual(offers);
    const key = documentKey.candidates(placement, "US");
    const before = await storedDocument(h, key);
    await h.rows("update offers set destination_url = 'https://advertiser.example/new' where id = any($1)", [offers]);
    await publishOffers();
    expect(await untilShown(placement, offers.length)).toEqual(offers);
    const renewed = await h.until(
      () => storedDocument(h, key),
      (document) => (document?.builtAt ?? 0) > (before?.builtAt ?? 0),
    );
    expect(JSON.stringify(renewed)).toContain("https://advertiser.example/new");
    await h.rows("update offers set destination_url = 'https://advertiser.example/newer' where id = any($1)", [offers]);
    await publishOffers();
    expect(await untilShown(placement, offers.length)).toEqual(offers);
  });

  it("and those that the list had no room for, where all of its own were stopped", async () => {
    await clear();
    const listed = await makeOffers(32, { bidMicros: 2_000_000 });
    const others = await makeOffers(3, { bidMicros: 1_000 });
    await publishOffers();
    const placement = await makeWarm();
    await h.rows("update offers set status = 'paused' where id = any($1)", [listed]);
    await publishOffers();
    expect(await untilShown(placement, others.length)).toEqual(others);
  });
});
