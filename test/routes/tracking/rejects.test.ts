import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../db/core/ids.ts";
import { api, dataOf, invalid, said, timestamp, wrapped } from "../../support/api.ts";
import { makeAdvertiser, makeInventory, makeOffer, makePlatform } from "../../support/factories.ts";
import { startHarness, type Harness } from "../../support/harness.ts";
import { SECRETS } from "../../support/secrets.ts";
import { hitsOf, makeHit, message } from "../../support/tracking/hits.ts";

let h: Harness;

beforeAll(async () => {
  h = await startHarness();
});
beforeEach(() => h.rows("truncate tracking_rejects"));
afterAll(() => h.close());

const HASHES = { sessionHash: "a session", emailHash: "an e-mail", addressHash: "a range" };

/** Makes a platform with a publisher, an offer, and a message of its placement that nobody understands. */
const makeTenant = async () => {
  const platform = await makePlatform(h.db);
  const { publisher, placement } = await makeInventory(h.db, { publisher: { platformId: platform.id } });
  const { id: offerId } = await makeOffer(h.db, (await makeAdvertiser(h.db, { platformId: platform.id })).id);
  const hit = makeHit({ placementId: placement.id, offerId, ...HASHES });
  const broken = { id: newId("event"), body: { type: "hit", hit: { ...hit, country: "nowhere" } } };
  return { platform, publisher, placement, offerId, hit, broken };
};
const list = async (path: string, token: string) => {
  const answer = await api(h, "GET", path, { token });
  expect(answer.status).toBe(200);
  return dataOf<{ id: string; body: string }[]>(answer);
};
const replay = (token: string, body: object = {}) => api(h, "POST", "/api/v1/rejects/replay", { token, body });
const idsOf = async (path: string, token: string) => (await list(path, token)).map(({ id }) => id).toSorted();

describe("rejected messages", () => {
  it("are shown to their publisher, its platform and the administrator, without their customer", async () => {
    const [own, other] = [await makeTenant(), await makeTenant()];
    const ofOffer = {
      id: newId("event"),
      body: { ...own.broken.body, hit: { ...own.broken.body.hit, placementId: "x" } },
    };
    const nobodys = { id: newId("event"), body: "nonsense" };
    await h.deliver([own.broken, other.broken, ofOffer, nobodys]);
    const path = "/api/v1/rejects";
    expect(await list(path, own.publisher.privateKey)).toEqual([
      {
        id: own.broken.id,
        publisherId: own.publisher.id,
        platformId: own.platform.id,
        reason: expect.stringContaining("hit.country"),
        body: expect.stringContaining('"sessionHash":null,"emailHash":null,"addressHash":null'),
        createdAt: timestamp,
      },
    ]);
    expect(await idsOf(path, own.platform.token)).toEqual([own.broken.id, ofOffer.id].toSorted());
    expect(await idsOf(path, other.publisher.privateKey)).toEqual([other.broken.id]);
    expect(await idsOf(path, SECRETS.ADMIN_TOKEN)).toEqual(
      [own.broken, other.broken, ofOffer, nobodys].map(({ id }) => id).toSorted(),
    );
    expect(JSON.stringify(await list(path, SECRETS.ADMIN_TOKEN))).not.toContain("a session");
  });

  it("that tell of several placements are the administrator's alone", async () => {
    const [own, other] = [await makeTenant(), await makeTenant()];
    const rowOf = ({ placement }: typeof own) => ({ placementId: placement.id, country: "nowhere", requests: 777 });
    const flush = { id: newId("event"), rows: [rowOf(own), rowOf(other)], facts: [] };
    const told = { id: newId("event"), body: { type: "requests", flush } };
    await h.deliver([told]);
    for (const { publisher, platform } of [own, other]) {
      for (const token of [publisher.privateKey, platform.token]) {
        expect(await list("/api/v1/rejects", token)).toEqual([]);
      }
    }
    expect(await idsOf("/api/v1/rejects", SECRETS.ADMIN_TOKEN)).toEqual([told.id]);
    // So are those that were kept with the first of them.
    await h.deliver([own.broken]);
    await h.rows("update tracking_rejects set publisher_id = $1, platform_id = $2", [
      own.publisher.id,
      own.platform.id,
    ]);
    await h.rows(readFileSync("db/migrations/0039_nobodys_requests.sql", "utf8"));
    expect(await idsOf("/api/v1/rejects", own.publisher.privateKey)).toEqual([own.broken.id]);
    expect(await idsOf("/api/v1/rejects", own.platform.token)).toEqual([own.broken.id]);
  });

  it("are replayed by whoever owns them, and go once they are understood", async () => {
    const [own, other] = [await makeTenant(), await makeTenant()];
    await h.deliver([own.broken, other.broken]);
    // As if a version that understands them had come.
    const mend = ({ broken, hit }: typeof own) =>
      h.rows("update tracking_rejects set body = $2 where id = $1", [broken.id, JSON.stringify({ type: "hit", hit })]);
    await Promise.all([own, other].map(mend));
    const answer = await replay(own.publisher.privateKey);
    expect(said(answer)).toEqual([
      200,
      { success: true, data: { ids: [own.broken.id] }, message: "The messages are tried again within a minute or so" },
    ]);
    await replay(own.publisher.privateKey, { ids: [own.broken.id] });
    await h.cron();
    expect(await hitsOf(h, own.offerId)).toEqual(["click counted 1"]);
    expect(await hitsOf(h, other.offerId)).toEqual([]);
    expect(await h.rows("select id from tracking_rejects")).toEqual([{ id: other.broken.id }]);
    expect(said(await replay(SECRETS.ADMIN_TOKEN, { ids: [other.broken.id] }))[0]).toBe(200);
    await h.cron();
    expect(await hitsOf(h, other.offerId)).toEqual(["click counted 1"]);
  });

  it("stay when they are not understood again", async () => {
    const { broken, publisher } = await makeTenant();
    await h.deliver([broken]);
    await replay(publisher.privateKey);
    await h.cron();
    expect(await idsOf("/api/v1/rejects", publisher.privateKey)).toEqual([broken.id]);
  });

  it("that are another's or do not exist cannot be replayed", async () => {
    const [own, other] = [await makeTenant(), await makeTenant()];
    await h.deliver([own.broken, other.broken]);
    for (const id of [other.broken.id, "unknown"]) {
      const answer = await replay(own.publisher.privateKey, { ids: [own.broken.id, id] });
      expect(said(answer)).toEqual([404, wrapped("NOT_FOUND", { ids: [id] })]);
    }
    expect(said(await replay(own.publisher.privateKey, { ids: [] }))).toEqual(invalid("ids: must name one"));
    expect(said(await replay(own.publisher.privateKey, { ids: "x" }))).toEqual(invalid("ids: must be a list of ids"));
  });
});

it("dead letters are shown to whoever owns their placement, and all to the administrator", async () => {
  const [own, other] = [await makeTenant(), await makeTenant()];
  const [letter, foreign, nobodys] = [message(own.hit), message(other.hit), { id: newId("event"), body: "nonsense" }];
  await h.deliver([letter, foreign, nobodys], "lanyap-events-dead");
  const path = "/api/v1/dead-letters";
  const body = JSON.stringify({
    type: "hit",
    hit: { ...own.hit, sessionHash: null, emailHash: null, addressHash: null },
  });
  const expected = [{ id: letter.id, placementId: own.placement.id, body }];
  expect(await list(path, own.publisher.privateKey)).toEqual(expected);
  expect(await list(path, own.platform.token)).toEqual(expected);
  const all = [letter, foreign, nobodys].map(({ id }) => id).toSorted();
  expect(await idsOf(path, SECRETS.ADMIN_TOKEN)).toEqual(all);
  expect(await idsOf(`${path}?skip=1&take=1`, SECRETS.ADMIN_TOKEN)).toHaveLength(1);
  await h.cron();
  expect(await list(path, SECRETS.ADMIN_TOKEN)).toEqual([]);
});
