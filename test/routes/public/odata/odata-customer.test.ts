import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demo } from "../../../../db/demo/network.ts";
import type { Envelope } from "../../../../functions/answer/envelope.ts";
import { emailHash, sessionHash } from "../../../../functions/core/keyed-hash.ts";
import { askOffers, offersPath, trackedOf } from "../../../support/ask-offers.ts";
import { makeAdvertiser, makeInventory, makeOffer } from "../../../support/factories.ts";
import { startHarness, type Harness } from "../../../support/harness.ts";
import { SECRETS } from "../../../support/secrets.ts";

type Params = Record<string, string>;
let h: Harness;
let advertiserId: string;
const live = { publicKey: demo.publicKey, placementId: demo.placements.live };

beforeAll(async () => {
  h = await startHarness();
  advertiserId = (await makeAdvertiser(h.db)).id;
});
afterAll(() => h.close());

describe("the order of offers", () => {
  it("is by priority, and stays the same for a session", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const tiers = await Promise.all(
      [3, 1, 2, 1, 3, 2].map((priority, i) =>
        makeOffer(h.db, advertiserId, { includeSites: [site.id], priority, bidMicros: 100_000 * (i + 1) }),
      ),
    );
    const priorityOf = new Map(tiers.map((offer) => [offer.id, offer.priority]));
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "6" };
    const prioritiesOf = (ids: readonly string[]) => ids.map((id) => priorityOf.get(id));
    const first = await askOffers(h, asked);
    expect(prioritiesOf(first.ids)).toEqual([1, 1, 2, 2, 3, 3]);
    expect((await askOffers(h, { ...asked, "at.email": "jo@shop.example" })).ids).toEqual(first.ids);
    // Which offer of priority 2 is third may depend on the count, since newcomers stand at the end of an answer.
    const short = { ...asked, count: "3" };
    const shorter = await askOffers(h, short);
    expect(prioritiesOf(shorter.ids)).toEqual([1, 1, 2]);
    expect((await askOffers(h, short)).ids).toEqual(shorter.ids);
  });

  it("differs between sessions, in favour of what is worth more", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    // So close in price that uncertainty decides now and then.
    const [cheap, dear] = await Promise.all(
      [100_000, 115_000].map(async (bidMicros) =>
        makeOffer(h.db, (await makeAdvertiser(h.db)).id, { includeSites: [site.id], bidMicros }),
      ),
    );
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "1" };
    const firsts: (string | undefined)[] = [];
    for (let i = 0; i < 120; i++) firsts.push((await askOffers(h, { ...asked, sessionId: `session-${i}` })).ids[0]);
    const times = (id = "") => firsts.filter((first) => first === id).length;
    expect(times(cheap?.id) + times(dear?.id)).toBe(firsts.length);
    // Only the offers' ids differ from run to run. The cheaper one comes first for a third or so.
    expect(times(cheap?.id)).toBeGreaterThan(3);
    expect(times(dear?.id)).toBeGreaterThan(times(cheap?.id));
  });

  it("has the publisher's own part for its measure where the publisher wants that", async () => {
    const { publisher, site, placement } = await makeInventory(h.db, { publisher: { rankBy: "REVENUE" } });
    const [gross, revenue] = await Promise.all(
      [
        { bidMicros: 3_000_000, publisherShareBps: 1_000 },
        { bidMicros: 2_000_000, publisherShareBps: 9_000 },
      ].map(async (price) =>
        makeOffer(h.db, (await makeAdvertiser(h.db)).id, { includeSites: [site.id], pricing: "CPM", ...price }),
      ),
    );
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "2" };
    expect((await askOffers(h, asked)).ids).toEqual([revenue?.id, gross?.id]);
  });

  it("has what a session has clicked or declined last, and never out", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const [first, second] = await Promise.all(
      [1, 2].map((priority) => makeOffer(h.db, advertiserId, { includeSites: [site.id], priority })),
    );
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, count: "20" };
    const ours = async (seen: string) =>
      (await askOffers(h, { ...asked, seen })).ids.filter((id) => id === first?.id || id === second?.id);
    expect(await ours("nonsense")).toEqual([first?.id, second?.id]);
    expect(await ours(`${first?.id},nonsense`)).toEqual([second?.id, first?.id]);
  });
});

/** What the first offer of an answer says of the customer. */
const tracked = async (params: Params = {}, headers: Params = {}) =>
  trackedOf((await askOffers(h, { ...live, ...params }, headers)).offers[0]);

describe("what is known of a customer", () => {
  it("is the country that the store tells, else the one that the edge sees", async () => {
    expect((await tracked({ "at.country": "de" })).country).toBe("DE");
    const path = offersPath({ ...live, sessionId: "s", "at.orderid": "1" });
    const seen = async (country: "FR" | "T1") => {
      const response = await h.fetch(path, { cf: { country } });
      return (await trackedOf(((await response.json()) as Envelope).offers[0])).country;
    };
    expect(await seen("FR")).toBe("FR");
    // What the edge says of Tor's network is no country.
    expect(await seen("T1")).toBe("ZZ");
  });

  it("is a keyed hash of the session, of no other form of it", async () => {
    const { sessionHash: hash, emailHash: none } = await tracked({ sessionId: "jo@shop.example" });
    expect(hash).toBe(sessionHash(SECRETS.SESSION_KEY, "jo@shop.example"));
    expect(none).toBeNull();
    expect((await tracked({ sessionId: " jo@shop.example " })).sessionHash).toBe(hash);
    expect((await tracked({ sessionId: "someone else" })).sessionHash).not.toBe(hash);
  });

  it("is the same hash for an e-mail in any spelling and for its SHA-256", async () => {
    const address = "jo.doe@shop.example";
    const sha256 = createHash("sha256").update(address).digest("hex");
    const expected = emailHash(SECRETS.SESSION_KEY, address);
    for (const email of [
      address,
      "Jo.Doe@SHOP.example",
      `  ${address}  `,
      sha256,
      sha256.toUpperCase(),
      ` ${sha256} `,
    ]) {
      expect((await tracked({ "at.email": email })).emailHash).toBe(expected);
    }
    expect((await tracked({ "at.email": `x${address}` })).emailHash).not.toBe(expected);
  });

  it("is nothing for one who opted out by Global Privacy Control", async () => {
    const optedOut = await tracked({ "at.email": "jo@shop.example" }, { "sec-gpc": "1" });
    expect(optedOut).toMatchObject({ sessionHash: null, emailHash: null });
    const asks = await tracked({ "at.email": "jo@shop.example" }, { "sec-gpc": "0" });
    expect(asks).toMatchObject({ sessionHash: expect.any(String), emailHash: expect.any(String) });
  });

  it("leaves no plain trace in an answer or in the log", async () => {
    const secret = { "at.firstname": "Xanthippe", "at.phone": "5550100142", "at.address": "7 Hidden Lane" };
    const answer = await askOffers(h, { ...live, ...secret, "at.email": "hidden@shop.example", sessionId: "hidden-1" });
    const seen = JSON.stringify(answer) + h.logs().join("\n");
    for (const word of ["Xanthippe", "5550100142", "Hidden Lane", "hidden@shop", "hidden-1"]) {
      expect(seen).not.toContain(word);
    }
  });
});
