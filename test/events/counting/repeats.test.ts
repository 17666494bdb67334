import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { newId } from "../../../db/core/ids.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../../support/factories.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { countsOf, DAY, expectExactCounts, hitsOf, makeHit, mint, stored } from "../../support/tracking/hits.ts";

let h: Harness;
let advertiserId: string;

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

const make = (columns: Parameters<typeof makeOffer>[2]) => makeOffer(h.db, advertiserId, columns);
const HOUR = DAY / 24;
/** Noon of yesterday, so that a day's hits lie on one UTC day. */
const NOON = Math.floor(Date.now() / DAY) * DAY - DAY / 2;

describe("a session", () => {
  it("that loads a page thirty times and clicks each time is billed once", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const cpm = await make({ pricing: "CPM", bidMicros: 2_000_000, includeSites: [site.id] });
    const cpc = await make({ pricing: "CPC", bidMicros: 100_000, includeSites: [site.id] });
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.country": "US", count: "20" };
    const answers = await Promise.all(Array.from({ length: 30 }, () => askOffers(h, asked)));
    const offers = answers
      .flatMap((answer) => answer.offers)
      .filter(({ bannerId }) => [cpm.id, cpc.id].includes(bannerId));
    await Promise.all(
      offers.flatMap(({ beaconUrl, clickUrl }) => [h.fetch(beaconUrl), h.fetch(clickUrl, { redirect: "manual" })]),
    );
    await Promise.all([stored(h, cpm.id, 60), stored(h, cpc.id, 60)]);
    expect(await hitsOf(h, cpm.id)).toEqual(["click counted 30", "impression counted 1", "impression repeated 29"]);
    expect(await hitsOf(h, cpc.id)).toEqual(["click counted 1", "click repeated 29", "impression counted 30"]);
    expect(await countsOf(h, cpm.id)).toMatchObject([{ impressions: 1, gross: 2_000 }]);
    expect(await countsOf(h, cpc.id)).toMatchObject([{ clicks: 1, gross: 100_000 }]);
  });

  it("is billed again after 24 hours, and not before", async () => {
    const { id } = await make({});
    const { placement } = await makeInventory(h.db);
    const session = { placementId: placement.id, sessionHash: "a session" };
    const at = (hours: number) =>
      recordHits(h.db, [makeHit({ offerId: id, ...session, occurredAt: NOON + hours * HOUR })]);
    for (const hours of [0, 23.99, 24, 47.99, 48]) await at(hours);
    // Late hits are judged by the same distance.
    for (const hours of [-23.99, 12, -24, -25]) await at(hours);
    const rows = await h.rows("select outcome from events where offer_id = $1 order by occurred_at", [id]);
    expect(rows.map((row) => row["outcome"])).toEqual(
      "repeated counted repeated counted repeated repeated counted repeated counted".split(" "),
    );
  });

  it("is one customer at all placements of a publisher, and another at each publisher that names it so", async () => {
    const [own, other] = await Promise.all([makeInventory(h.db), makeInventory(h.db)]);
    const second = await makePlacement(h.db, own.site.id);
    const offer = await make({ includeSites: [own.site.id, other.site.id] });
    const click = async (publicKey: string, placementId: string) => {
      const { offers } = await askOffers(h, { publicKey, placementId, sessionId: "1001", count: "20" });
      const clickUrl = offers.find(({ bannerId }) => bannerId === offer.id)?.clickUrl ?? "";
      await h.fetch(clickUrl, { redirect: "manual" });
    };
    await click(own.publisher.publicKey, own.placement.id);
    await click(other.publisher.publicKey, other.placement.id);
    await stored(h, offer.id, 2);
    expect(await hitsOf(h, offer.id)).toEqual(["click counted 2"]);
    await click(own.publisher.publicKey, second.id);
    await stored(h, offer.id, 3);
    expect(await hitsOf(h, offer.id)).toEqual(["click counted 2", "click repeated 1"]);
  });

  it.each(["placement", "site", "publisher"])("stays one customer when its %s is deleted", async (deleted) => {
    const { id } = await make({});
    const { publisher, site, placement } = await makeInventory(h.db);
    const click = () =>
      recordHits(h.db, [makeHit({ offerId: id, placementId: placement.id, sessionHash: "a session" })]);
    await click();
    await h.rows(`delete from ${deleted}s where id = any ($1)`, [[publisher.id, site.id, placement.id]]);
    await click();
    expect(await hitsOf(h, id)).toEqual(["click counted 1", "click repeated 1"]);
  });

  it("is billed once for each offer and kind", async () => {
    const [a, b] = await Promise.all([make({}), make({})]);
    const hits = [a, b, a, b].map((offer) => makeHit({ offerId: offer?.id ?? "", sessionHash: "a session" }));
    await Promise.all(hits.map((hit) => recordHits(h.db, [hit])));
    for (const { id } of [a, b]) expect(await hitsOf(h, id)).toEqual(["click counted 1", "click repeated 1"]);
  });

  it("is billed once by however many consumers at once, and each of its hits stored once", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await make({});
      const hits = Array.from({ length: 20 }, () => makeHit({ offerId: id, sessionHash: `session ${round}` }));
      await Promise.all([...hits, ...hits].map((hit) => recordHits(h.db, [hit])));
      expect(await hitsOf(h, id)).toEqual(["click counted 1", "click repeated 19"]);
    }
  });
});

const gpc = (address: string) => ({ "sec-gpc": "1", "cf-connecting-ip": address });

describe("a customer without a session", () => {
  it("is told by the address range, for an offer and a day", async () => {
    const { id } = await make({});
    const other = await make({});
    const click = (offerId: string, address: string) =>
      h.fetch(`/click?t=${mint(offerId, { sessionHash: "s".repeat(22) })}`, {
        redirect: "manual",
        headers: gpc(address),
      });
    for (const address of ["198.51.100.7", "198.51.100.99", "198.51.101.7", "2001:db8:1::1", "2001:db8:1:ffff::2"]) {
      await click(id, address);
    }
    await click(other.id, "198.51.100.7");
    await Promise.all([stored(h, id, 5), stored(h, other.id, 1)]);
    expect(await hitsOf(h, id)).toEqual(["click counted 3", "click repeated 2"]);
    expect(await hitsOf(h, other.id)).toEqual(["click counted 1"]);
    const subjects = await h.rows<{ subject: string }>("select subject from recent_billings where offer_id = $1", [id]);
    expect(subjects).toHaveLength(3);
    for (const { subject } of subjects) expect(subject).toMatch(/^[\w-]{22}$/);
    const kept = JSON.stringify(await h.rows("select * from events where offer_id = $1 order by id", [id]));
    for (const { subject } of subjects) expect(kept).not.toContain(subject);
    expect(kept).not.toContain("198.51");
  });

  it("is billed each time where the address is not known", async () => {
    const { id } = await make({});
    await recordHits(
      h.db,
      Array.from({ length: 3 }, () => makeHit({ offerId: id })),
    );
    expect(await hitsOf(h, id)).toEqual(["click counted 3"]);
  });
});

describe("a beacon that comes again", () => {
  it("is counted each time and stored once, under its outcome", async () => {
    const { id } = await make({ pricing: "CPM", bidMicros: 1_000 });
    const first = makeHit({ offerId: id, kind: "impression" });
    const again = (reason: "bot" | null = null) => ({ ...first, id: newId("event"), reason, occurredAt: Date.now() });
    const repeats = Array.from({ length: 50 }, () => again());
    await recordHits(h.db, [first, ...repeats.slice(0, 20)]);
    await recordHits(h.db, repeats);
    await recordHits(h.db, [...repeats, first]);
    const bots = Array.from({ length: 5 }, () => again("bot"));
    for (const bot of [...bots, ...bots]) await recordHits(h.db, [bot]);
    expect(await hitsOf(h, id)).toEqual(["impression bot 5", "impression counted 1", "impression duplicate 50"]);
    expect(await h.count("events where offer_id = $1", [id])).toBe(2);
  });
});

it("what is billed is what a recount gives", async () => {
  await expectExactCounts(h);
  expect(await h.rows("select from events where outcome = 'repeated' and gross_micros > 0")).toEqual([]);
});
