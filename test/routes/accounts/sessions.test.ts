import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordHits } from "../../../db/tracking/recording/events.ts";
import { recordRejects } from "../../../db/tracking/rejects.ts";
import { newId } from "../../../db/core/ids.ts";
import { emailHash, sessionHash } from "../../../functions/core/keyed-hash.ts";
import { api, invalid, said } from "../../support/api.ts";
import { askOffers } from "../../support/ask-offers.ts";
import { expectExactCounts, makeHit, stored } from "../../support/tracking/hits.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlacement } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

type Publisher = { id: string; privateKey: string };
const erase = (publisher: Publisher, body: object) =>
  api(h, "DELETE", `/api/v1/publishers/${publisher.id}/sessions`, { token: publisher.privateKey, body });
const erased = (events: number, rejects: number, deadLetters = 0) => [
  200,
  { success: true, data: { events, rejects, deadLetters }, message: "Session data erased successfully" },
];
const hashes = (email: string, session: string) =>
  [emailHash(SECRETS.SESSION_KEY, email), sessionHash(SECRETS.SESSION_KEY, session)] as const;
const linked = async (id: string) =>
  (
    await h.rows<{ linked: boolean }>(
      "select coalesce(email_hash, session_hash) is not null as linked from events where id = $1",
      [id],
    )
  )[0]?.linked;
const reject = (text: string) => recordRejects(h.db, [{ id: newId("event"), reason: "test", body: `{"x":"${text}"}` }]);

const hit = (placementId: string, emailOf: string, sessionOf: string) =>
  makeHit({ placementId, emailHash: emailOf, sessionHash: sessionOf });

/** A customer who did something at two placements of a publisher, and at another's. */
const makeCustomer = async () => {
  const { publisher, site, placement } = await makeInventory(h.db);
  const second = await makePlacement(h.db, site.id);
  const foreign = await makeInventory(h.db);
  const address = `${newId("event")}@test.example`;
  const session = newId("event");
  const [email, sessionId] = hashes(address, session);
  const [others, otherSession] = hashes(`other-${address}`, `other-${session}`);
  const both = hit(placement.id, email, sessionId);
  const onlyEmail = hit(second.id, email, otherSession);
  const onlySession = hit(placement.id, others, sessionId);
  const neither = hit(placement.id, others, otherSession);
  const elsewhere = hit(foreign.placement.id, email, sessionId);
  await recordHits(h.db, [both, onlyEmail, onlySession, neither, elsewhere]);
  await reject(email);
  await reject(sessionId);
  const links = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries({ both, onlyEmail, onlySession, neither, elsewhere }).map(async ([name, { id }]) => [
          name,
          await linked(id),
        ]),
      ),
    ) as Record<string, boolean>;
  return { publisher, foreign: foreign.publisher, address, session, links };
};
const ALL = { both: true, onlyEmail: true, onlySession: true, neither: true, elsewhere: true };

describe("a customer is forgotten", () => {
  it.each<[string, (address: string) => string]>([
    ["an e-mail", (address) => address],
    ["an e-mail in capitals, padded", (address) => ` ${address.toUpperCase()} `],
    ["the SHA-256 of an e-mail", (address) => createHash("sha256").update(address).digest("hex")],
    ["a SHA-256 in capitals", (address) => createHash("sha256").update(address).digest("hex").toUpperCase()],
  ])("by %s", async (_, spell) => {
    const { publisher, address, links } = await makeCustomer();
    const body = { email: spell(address) };
    expect(said(await erase(publisher, body))).toEqual(erased(2, 1));
    expect(await links()).toEqual({ ...ALL, both: false, onlyEmail: false });
    expect(said(await erase(publisher, body))).toEqual(erased(0, 0));
    await expectExactCounts(h);
  });

  it("by session id", async () => {
    const { publisher, session, links } = await makeCustomer();
    expect(said(await erase(publisher, { sessionId: ` ${session} ` }))).toEqual(erased(2, 1));
    expect(await links()).toEqual({ ...ALL, both: false, onlySession: false });
    expect(said(await erase(publisher, { sessionId: session }))).toEqual(erased(0, 0));
    await expectExactCounts(h);
  });

  it("also from dead letters, which are counted without the customer afterwards", async () => {
    const { publisher, placement } = await makeInventory(h.db);
    const session = newId("event");
    const [other, sessionId] = hashes(`${session}@test.example`, session);
    const letter = hit(placement.id, other, sessionId);
    const { DEAD_LETTERS } = await h.env();
    await DEAD_LETTERS.put(letter.id, JSON.stringify({ type: "hit", hit: letter }));
    expect(said(await erase(publisher, { sessionId: session }))).toEqual(erased(0, 0, 1));
    expect(said(await erase(publisher, { sessionId: session }))).toEqual(erased(0, 0, 0));
    await h.cron();
    const rows = await h.rows("select session_hash, email_hash from events where id = $1", [letter.id]);
    expect(rows).toEqual([{ session_hash: null, email_hash: null }]);
  });

  it("at one publisher only", async () => {
    const { publisher, foreign, address, links } = await makeCustomer();
    expect(said(await erase(foreign, { email: address }))).toEqual(erased(1, 1));
    expect(await links()).toEqual({ ...ALL, elsewhere: false });
    expect(said(await erase(publisher, { email: address }))).toEqual(erased(2, 0));
  });

  it("after what the storefront sent, under whatever e-mail case", async () => {
    const { publisher, site, placement } = await makeInventory(h.db);
    const { id } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id, { includeSites: [site.id] });
    const asked = { publicKey: publisher.publicKey, placementId: placement.id, "at.email": "Toni@Test.Example" };
    const { offers } = await askOffers(h, { ...asked, sessionId: " order 1001 " });
    const { pathname, search } = new URL(offers.find(({ bannerId }) => bannerId === id)?.beaconUrl ?? "");
    await h.fetch(`${pathname}${search}`);
    await stored(h, id, 1);
    expect(said(await erase(publisher, { sessionId: "order 1001" }))).toEqual(erased(1, 0));
    expect(await h.rows("select session_hash, email_hash from events where offer_id = $1", [id])).toEqual([
      { session_hash: null, email_hash: null },
    ]);
  });
});

describe("with a new session key, a customer of the one before is forgotten", () => {
  const before = SECRETS.SESSION_KEY;
  const customers: [string, (address: string) => object, (key: string, address: string) => object][] = [
    ["e-mail", (email) => ({ email }), (key, email) => ({ emailHash: emailHash(key, email), sessionHash: null })],
    [
      "session id",
      (sessionId) => ({ sessionId }),
      (key, id) => ({ emailHash: null, sessionHash: sessionHash(key, id) }),
    ],
  ];
  let renewed: Harness;
  const now = "another-test-only-session-secret-of-some-length";
  beforeAll(async () => {
    renewed = await startHarness({ secrets: { SESSION_KEY: now, SESSION_KEY_BEFORE: before } });
  });
  afterAll(() => renewed.close());

  it.each(customers)(
    "by %s, in hits and messages, in those to come, and once in the audit",
    async (_, body, hashed) => {
      const { publisher, placement } = await makeInventory(renewed.db);
      const address = `${newId("event")}@test.example`;
      const hitBy = (key: string) => makeHit({ placementId: placement.id, ...hashed(key, address) });
      const [old, recent, letter, late] = [hitBy(before), hitBy(now), hitBy(before), hitBy(before)];
      await recordHits(renewed.db, [old, recent]);
      const rejected = { id: newId("event"), reason: "test", body: JSON.stringify({ hit: old }) };
      await recordRejects(renewed.db, [rejected]);
      const { DEAD_LETTERS } = await renewed.env();
      await DEAD_LETTERS.put(letter.id, JSON.stringify({ type: "hit", hit: letter }));
      const path = `/api/v1/publishers/${publisher.id}/sessions`;
      const answer = await api(renewed, "DELETE", path, { token: publisher.privateKey, body: body(address) });
      expect(said(answer)).toEqual(erased(2, 1, 1));
      await recordHits(renewed.db, [late]);
      await renewed.cron();
      const linkedHits = "events where placement_id = $1 and coalesce(session_hash, email_hash) is not null";
      expect(await renewed.count(linkedHits, [placement.id])).toBe(0);
      expect(await renewed.count("events where placement_id = $1", [placement.id])).toBe(4);
      expect(await renewed.count("audit_log where publisher_id = $1 and action = 'erase'", [publisher.id])).toBe(1);
    },
  );

  it("also while both are the same", async () => {
    const same = await startHarness({ secrets: { SESSION_KEY_BEFORE: before } });
    const { publisher } = await makeInventory(same.db);
    const path = `/api/v1/publishers/${publisher.id}/sessions`;
    const answer = await api(same, "DELETE", path, { token: publisher.privateKey, body: { sessionId: "one" } });
    await same.close();
    expect(said(answer)).toEqual(erased(0, 0));
  });
});

describe("who is to be forgotten", () => {
  const EITHER = "email: or else sessionId is required, and only one of them";
  it.each<[string, object, string]>([
    ["both", { email: "t@test.example", sessionId: "s" }, EITHER],
    ["neither", {}, EITHER],
    ["no e-mail", { email: "toni" }, "email: must be an e-mail address or its SHA-256 in 64 hex digits"],
    ["half a hash", { email: "a".repeat(63) }, "email: must be an e-mail address or its SHA-256 in 64 hex digits"],
    ["a blank session", { sessionId: " " }, "sessionId: must not be empty"],
    ["a long session", { sessionId: "s".repeat(501) }, "sessionId: must have at most 500 characters"],
    ["a number", { sessionId: 5 }, "sessionId: must be a string"],
    ["a number for an e-mail", { email: 5 }, "email: must be a string"],
    ["null for an e-mail", { email: null }, "email: must be a string"],
  ])("is not told by %s", async (_, body, problem) => {
    const { publisher } = await makeInventory(h.db);
    expect(said(await erase(publisher, body))).toEqual(invalid(problem));
  });

  it("may be nobody that is known", async () => {
    const { publisher } = await makeInventory(h.db);
    expect(said(await erase(publisher, { sessionId: "s".repeat(500) }))).toEqual(erased(0, 0));
  });
});
