import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../db/core/ids.ts";
import { recordHits } from "../../db/tracking/recording/events.ts";
import { recordRejects } from "../../db/tracking/rejects.ts";
import { unlinkForgotten } from "../../db/tracking/sessions.ts";
import type { Hit } from "../../db/tracking/hits.ts";
import { sessionHash } from "../../functions/core/keyed-hash.ts";
import { api, missing, said } from "../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform, makePublisher } from "../support/factories.ts";
import { startHarness, type Harness } from "../support/harness.ts";
import { SECRETS } from "../support/secrets.ts";
import { DAY, hitsOf, makeHit, message } from "../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const eraseAs = (token: string, publisherId: string, sessionId: string) =>
  api(h, "DELETE", `/api/v1/publishers/${publisherId}/sessions`, { token, body: { sessionId } });
const erased = (events: number, rejects = 0, deadLetters = 0) => [
  200,
  { success: true, data: { events, rejects, deadLetters }, message: "Session data erased successfully" },
];
const linksOf = (hits: Hit[]) =>
  h.rows<{ session_hash: string | null; email_hash: string | null }>(
    "select session_hash, email_hash from events where id = any ($1) order by array_position($1, id)",
    [hits.map(({ id }) => id)],
  );
const NOBODY = { session_hash: null, email_hash: null };

/** Makes a publisher with a customer, and hits of that customer that have not been stored. */
const makeCustomer = async (columns: Parameters<typeof makeInventory>[1] = {}) => {
  const inventory = await makeInventory(h.db, columns);
  const session = newId("event");
  const hash = sessionHash(SECRETS.SESSION_KEY, session);
  const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db)).id);
  const hit = (more: Partial<Hit> = {}) =>
    makeHit({ offerId, placementId: inventory.placement.id, sessionHash: hash, emailHash: "an e-mail", ...more });
  const erase = () => eraseAs(inventory.publisher.privateKey, inventory.publisher.id, session);
  return { ...inventory, session, hash, offerId, hit, erase };
};

describe("a customer who was erased stays so for hits under way", () => {
  it("that come from the queue, that are inserted directly and that were dead letters", async () => {
    const { hit, erase, offerId } = await makeCustomer();
    const [queued, inserted, dead, before] = [hit(), hit(), hit(), hit()];
    await recordHits(h.db, [before]);
    expect(said(await erase())).toEqual(erased(1));
    await h.deliver([message(queued)]);
    await recordHits(h.db, [inserted]);
    await h.deliver([message(dead)], "lanyap-events-dead");
    await h.cron();
    expect(await linksOf([before, queued, inserted, dead])).toEqual([NOBODY, NOBODY, NOBODY, NOBODY]);
    await recordHits(h.db, [{ ...hit(), kind: "impression" }]);
    for (const table of ["recent_billings", "recent_lessons"]) {
      const kept = await h.rows(`select * from ${table} where offer_id = $1`, [offerId]);
      expect(kept).toHaveLength(1);
      expect(JSON.stringify(kept)).not.toContain(hit().sessionHash);
    }
    expect(await hitsOf(h, offerId)).toEqual(["click counted 1", "click repeated 3", "impression counted 1"]);
  });

  it("at this publisher alone", async () => {
    const { hit, erase } = await makeCustomer();
    const other = await makeInventory(h.db);
    expect(said(await erase())).toEqual(erased(0));
    const [own, foreign] = [hit(), hit({ placementId: other.placement.id })];
    await recordHits(h.db, [own, foreign]);
    const { sessionHash: session_hash, emailHash: email_hash } = foreign;
    expect(await linksOf([own, foreign])).toEqual([NOBODY, { session_hash, email_hash }]);
  });

  it("for 60 days", async () => {
    const { hit, erase, hash } = await makeCustomer();
    const age = (days: number) =>
      h.rows("update erasures set erased_at = $2 where hash = $1", [hash, new Date(Date.now() - days * DAY)]);
    await erase();
    await age(59.9);
    await h.cron();
    const early = hit();
    await recordHits(h.db, [early]);
    await age(60.1);
    await h.cron();
    const late = hit();
    await recordHits(h.db, [late]);
    expect((await linksOf([early, late])).map((row) => row.session_hash)).toEqual([null, hash]);
  });

  it("also for one that is stored at the same time", async () => {
    const { hit, hash, publisher } = await makeCustomer();
    const [stored, other] = [hit(), hit({ sessionHash: "another", emailHash: null })];
    await recordHits(h.db, [stored, other]);
    // As if the erasure had been committed after the statement that stored both began.
    await h.rows("insert into erasures (publisher_id, hash) values ($1, $2)", [publisher.id, hash]);
    await unlinkForgotten(h.db, [stored, other]);
    expect(await linksOf([stored, other])).toEqual([NOBODY, { session_hash: "another", email_hash: null }]);
  });
});

describe("an erasure reaches what was stored", () => {
  const gone = {
    placement: "delete from placements where id = $1",
    site: "delete from sites where id = (select site_id from placements where id = $1)",
  };
  it.each(Object.entries(gone))("after its %s was deleted", async (_, statement) => {
    const { hit, erase, placement } = await makeCustomer();
    const hits = [hit(), hit({ reason: "bot" })];
    await recordHits(h.db, hits);
    await h.rows(statement, [placement.id]);
    expect(said(await erase())).toEqual(erased(2));
    expect(await linksOf(hits)).toEqual([NOBODY, NOBODY]);
  });

  it("after its publisher was deleted, as the administrator", async () => {
    const platform = await makePlatform(h.db);
    const { hit, publisher, session, placement } = await makeCustomer({ publisher: { platformId: platform.id } });
    const before = hit();
    await recordHits(h.db, [before]);
    await h.rows("delete from publishers where id = $1", [publisher.id]);
    const after = hit();
    await recordHits(h.db, [after]);
    expect(await linksOf([after])).toEqual([NOBODY]);
    expect(said(await eraseAs(platform.token, publisher.id, session))).toEqual(missing("Publisher", publisher.id));
    expect(said(await eraseAs(SECRETS.ADMIN_TOKEN, publisher.id, session))).toEqual(erased(1));
    expect(await linksOf([before])).toEqual([NOBODY]);
    expect(
      await h.rows("select from events where placement_id = $1 and session_hash is not null", [placement.id]),
    ).toEqual([]);
    // Nothing was ever counted at another one.
    const quiet = await makePublisher(h.db, { platformId: platform.id });
    await h.rows("delete from publishers where id = $1", [quiet.id]);
    expect(said(await eraseAs(SECRETS.ADMIN_TOKEN, quiet.id, session))).toEqual(erased(0));
    expect(said(await eraseAs(platform.token, quiet.id, session))).toEqual(missing("Publisher", quiet.id));
    const never = newId("publisher");
    expect(said(await eraseAs(SECRETS.ADMIN_TOKEN, never, session))).toEqual(missing("Publisher", never));
  });

  it("of one tenant only among rejects and dead letters, and what nobody knows the tenant of", async () => {
    const { hit, erase, hash, session } = await makeCustomer();
    const other = await makeInventory(h.db);
    const broken = (placementId: string | undefined) => {
      const whole = hit();
      return {
        id: newId("event"),
        body: { type: "hit", hit: { ...whole, kind: "unknown", placementId: placementId ?? whole.placementId } },
      };
    };
    const rejected = [broken(undefined), broken(other.placement.id), broken("nowhere")];
    const emailHash = "e".repeat(22);
    const letters = [message(hit({ emailHash })), message(hit({ placementId: other.placement.id }))];
    await h.deliver(rejected);
    await h.deliver(letters, "lanyap-events-dead");
    expect(said(await erase())).toEqual(erased(0, 2, 1));
    const holding = await h.rows("select id from tracking_rejects where strpos(body, $1) > 0", [hash]);
    expect(holding).toEqual([{ id: rejected[1]?.id }]);
    // A message without a known owner may be another shop's, and be understood one day: it stays, without the customer.
    const [stranger] = await h.rows<{ body: string }>("select body from tracking_rejects where id = $1", [
      rejected[2]?.id,
    ]);
    expect(JSON.parse(stranger?.body ?? "{}")).toMatchObject({ hit: { placementId: "nowhere", sessionHash: null } });
    expect(await h.count("tracking_rejects where id = $1", [rejected[0]?.id])).toBe(0);
    const { DEAD_LETTERS } = await h.env();
    const { keys } = await DEAD_LETTERS.list();
    const texts = await Promise.all(keys.map(({ name }) => DEAD_LETTERS.get(name)));
    expect(texts.join("").split(hash)).toHaveLength(2);
    // Other links to the customer go, too.
    expect(texts.join("")).not.toContain(emailHash);

    // Messages that name only an offer belong to its platform; an erasure for a publisher that is gone has no platform.
    const { id: platformId } = await makePlatform(h.db);
    const { id: foreign } = await makeOffer(h.db, (await makeAdvertiser(h.db, { platformId })).id);
    const named = { id: newId("event"), reason: "test", body: JSON.stringify({ x: hash }), offerId: foreign };
    await recordRejects(h.db, [named]);
    const kept = () => h.rows("select platform_id, body from tracking_rejects where id = $1", [named.id]);
    expect(said(await erase())).toEqual(erased(0));
    const { publisher: left, placement } = await makeInventory(h.db, { placement: { status: "inactive" } });
    await recordHits(h.db, [hit({ placementId: placement.id })]);
    const token = left.privateKey;
    expect((await api(h, "DELETE", `/api/v1/publishers/${left.id}`, { token })).status).toBe(200);
    expect((await eraseAs(SECRETS.ADMIN_TOKEN, left.id, session)).status).toBe(200);
    expect(await kept()).toEqual([{ platform_id: platformId, body: named.body }]);
    const { publisher: own } = await makeInventory(h.db, { publisher: { platformId } });
    expect(said(await eraseAs(own.privateKey, own.id, session))).toEqual(erased(0, 1));
    expect(await kept()).toEqual([{ platform_id: platformId, body: '{"x":""}' }]);

    // One that is rejected later is kept without the customer.
    const later = broken(undefined);
    await h.deliver([later]);
    const [row] = await h.rows<{ body: string }>("select body from tracking_rejects where id = $1", [later.id]);
    expect(row?.body).toContain('"kind":"unknown"');
    expect(row?.body).not.toContain(hash);
  });
});
